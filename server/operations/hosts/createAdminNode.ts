import { adminNodeOut } from '../../domain/hosts/adminHostResponse';
import type { Handler } from '../types';
import { etagOf, keysOf, namingConflict } from '../core/admin/change';

export const NODE_NAMES = {
  nodes_name_key: { field: 'name', message: 'A node with this name already exists.' },
};

/** A new node has no teepods. */
const EMPTY = {
  teepod_count: 0,
  used_cvms: 0,
  max_cvms: 0,
  used_vcpu: 0,
  max_vcpu: 0,
  used_memory_mb: 0,
  max_memory_mb: 0,
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
        body: adminNodeOut({ ...row, ...EMPTY }),
      } as const;
    }),
  );
