import { findCvm } from '../../db/cvms/cvmLookup';
import { listOperations } from '../../db/activity/operationQueries';
import { toOperation } from '../../domain/activity/operationResponse';
import { teamOf } from '../core/caller';
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

/** A deleted CVM keeps its operations. If the identifier matches several, the live one is preferred. */
async function oneCvm(ctx: Context, identifier: string): Promise<number> {
  const [only, ...more] = await cvmIdsOf(ctx, identifier);
  if (only !== undefined && more.length === 0) return only;
  return (await findCvm(ctx.db, teamOf(ctx).id, identifier)).cvm.id;
}
