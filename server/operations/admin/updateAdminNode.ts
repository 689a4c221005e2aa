import { adminOne } from '../../db/adminList';
import { adminNodes, carriesLocalTeepod, lockNode } from '../../db/adminNodes';
import { Problem } from '../../domain/problem';
import { adminNodeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { changesOf, checkIfMatch, etagOf, invalid, keysOf, namingConflict, nextVersion } from './change';
import { NODE_NAMES } from './createAdminNode';

export const updateAdminNode: Handler<'updateAdminNode'> = async ({ path, body, ctx }) => {
  const found = await adminOne(ctx.db, adminNodes, path.id);
  if (!found) throw new Problem('NOT_FOUND', { message: `There is no node ${path.id}.` });
  const etag = etagOf('nodes', found.id, found.updated_at);
  checkIfMatch(ctx, etag);
  if (Object.keys(changesOf(found, body)).length === 0)
    return { status: 200, headers: { ETag: etag }, body: adminNodeOut(found) };
  return namingConflict(NODE_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const before = await lockNode(trx, path.id);
      if (!before) throw new Problem('NOT_FOUND', { message: `There is no node ${path.id}.` });
      checkIfMatch(ctx, etagOf('nodes', before.id, before.updated_at));
      const changes = changesOf(before, body);
      if (changes.name !== undefined && (await carriesLocalTeepod(trx, before.id)))
        throw invalid('name', 'The node of the built-in teepod keeps its name: it registers itself by it.');
      const row = await trx
        .updateTable('nodes')
        .set({ ...changes, updated_at: nextVersion(before) })
        .where('id', '=', path.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'node.update',
        target_kind: 'node',
        target_id: String(row.id),
        before: keysOf(before, Object.keys(changes)),
        after: keysOf(row, Object.keys(changes)),
      });
      return {
        status: 200,
        headers: { ETag: etagOf('nodes', row.id, row.updated_at) },
        body: adminNodeOut({ ...row, teepod_count: found.teepod_count }),
      } as const;
    }),
  );
};
