import { adminOne } from '../../../db/core/adminList';
import { adminGateways, lockGateway } from '../../../db/hosts/adminGateways';
import { adminGatewayOut } from '../../../domain/hosts/gatewayResponse';
import {
  changesOf,
  checkIfMatch,
  etagOf,
  keysOf,
  namingConflict,
  nextVersion,
} from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { MASK } from '../credential';
import { GATEWAY_NAMES } from './createAdminGateway';
import { nextHeld } from './credential';
import { gateways } from './resource';

export const updateAdminGateway: Handler<'updateAdminGateway'> = async ({ path: { id }, body, ctx }) =>
  namingConflict(GATEWAY_NAMES, () =>
    ctx.write(async ({ trx, audit, unchanged }) => {
      const before = await lockGateway(trx, id);
      if (!before) throw missing(gateways, id);
      checkIfMatch(ctx, etagOf('gateways', id, before.updated_at));
      const changes = changesOf(before, { base_domain: body.base_domain, ...nextHeld(ctx, before, body) });
      const keys = Object.keys(changes);
      if (keys.length > 0)
        await trx
          .updateTable('gateways')
          .set({ ...changes, updated_at: nextVersion(before) })
          .where('id', '=', id)
          .execute();
      const row = await adminOne(trx, adminGateways, id);
      if (!row) throw missing(gateways, id);
      const reply = {
        status: 200,
        headers: { ETag: etagOf('gateways', id, row.updated_at) },
        body: adminGatewayOut(row),
      } as const;
      if (keys.length === 0) return unchanged(reply);
      await audit({
        action: 'gateway.update',
        target_kind: 'gateway',
        target_id: String(id),
        before: masked(keysOf(before, keys)),
        after: masked(keysOf(row, keys)),
      });
      return reply;
    }),
  );

const masked = ({ sealed_credential, ...rest }: Record<string, unknown>) => ({
  ...rest,
  ...(sealed_credential === undefined ? {} : { credential: sealed_credential === null ? null : MASK }),
});
