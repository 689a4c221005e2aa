import { adminNodeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf, keysOf, namingConflict } from './change';

export const NODE_NAMES = {
  nodes_name_key: { field: 'name', message: 'Another node has this name.' },
};

export const createAdminNode: Handler<'createAdminNode'> = async ({ body, ctx }) =>
  namingConflict(NODE_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const row = await trx.insertInto('nodes').values(body).returningAll().executeTakeFirstOrThrow();
      await audit({
        action: 'node.create',
        target_kind: 'node',
        target_id: String(row.id),
        after: keysOf(row, Object.keys(body)),
      });
      return {
        status: 201,
        headers: { ETag: etagOf('nodes', row.id, row.updated_at) },
        body: adminNodeOut({ ...row, teepod_count: 0 }),
      } as const;
    }),
  );
