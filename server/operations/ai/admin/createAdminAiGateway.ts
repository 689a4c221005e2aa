import { adminOne } from '../../../db/core/adminList';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { missing, sourceOf } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { checkedAddress, GATEWAY_NAMES } from './gateway';

export const createAdminAiGateway: Handler<'createAdminAiGateway'> = ({ body, ctx }) => {
  const values = { ...body, url: checkedAddress(body.url) };
  return namingConflict(GATEWAY_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const { id } = await trx
        .insertInto('ai_gateways')
        .values(values)
        .returning('id')
        .executeTakeFirstOrThrow();
      const row = await adminOne(trx, sourceOf(aiGateways, ctx), id);
      if (!row) throw missing(aiGateways, id);
      await audit({
        action: 'ai_gateway.create',
        target_kind: 'ai_gateway',
        target_id: String(id),
        after: keysOf(row, Object.keys(values)),
      });
      return {
        status: 201,
        headers: { ETag: etagOf(aiGateways.name, id, row.updated_at) },
        body: aiGateways.out(row),
      } as const;
    }),
  );
};
