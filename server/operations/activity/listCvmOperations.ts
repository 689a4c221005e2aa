import { findCvm } from '../../db/cvmLookup';
import { listOperations } from '../../db/operationQueries';
import { toOperation } from '../../domain/wire/operation';
import { teamOf } from '../shared/caller';
import type { Context, Handler } from '../types';
import { idOfCursor, keysetPage } from './cursor';
import { cvmIdsOf } from './cvmIds';

export const listCvmOperations: Handler<'listCvmOperations'> = async ({ path, query, ctx }) => {
  const { limit = 50, cursor } = query;
  const rows = await listOperations(
    ctx.db,
    {
      team_id: teamOf(ctx).id,
      cvm_ids: [await oneCvm(ctx, path.cvm_id)],
      before: idOfCursor(cursor),
    },
    limit,
  );
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.operation.id, to: toOperation }) };
};

/** A deleted CVM keeps its operations; where the identifier fits several, the live one is meant, if it is one. */
async function oneCvm(ctx: Context, identifier: string): Promise<number> {
  const [only, ...more] = await cvmIdsOf(ctx, identifier);
  if (only !== undefined && more.length === 0) return only;
  return (await findCvm(ctx.db, teamOf(ctx).id, identifier)).cvm.id;
}
