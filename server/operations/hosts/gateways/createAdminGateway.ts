import { adminOne } from '../../../db/core/adminList';
import { adminGateways } from '../../../db/hosts/adminGateways';
import { adminGatewayOut } from '../../../domain/hosts/gatewayResponse';
import { etagOf, namingConflict } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { nextHeld } from './credential';
import { gateways } from './resource';

export const GATEWAY_NAMES = {
  gateways_base_domain_key: {
    field: 'base_domain',
    message: 'A gateway with this base domain already exists.',
  },
};

export const createAdminGateway: Handler<'createAdminGateway'> = async ({ body, ctx }) => {
  const held = nextHeld(ctx, { url: null, sealed_credential: null }, body);
  return namingConflict(GATEWAY_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const { id } = await trx
        .insertInto('gateways')
        .values({ base_domain: body.base_domain, ...held })
        .returning('id')
        .executeTakeFirstOrThrow();
      const row = await adminOne(trx, adminGateways, id);
      if (!row) throw missing(gateways, id);
      const { base_domain, url, has_credential } = row;
      await audit({
        action: 'gateway.create',
        target_kind: 'gateway',
        target_id: String(id),
        after: { base_domain, url, has_credential },
      });
      return {
        status: 201,
        headers: { ETag: etagOf('gateways', id, row.updated_at) },
        body: adminGatewayOut(row),
      } as const;
    }),
  );
};
