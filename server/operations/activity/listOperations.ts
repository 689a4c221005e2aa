import { listOperations as operationPage } from '../../db/activity/operationQueries';
import { toOperation } from '../../domain/activity/operationResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { idOfCursor, keysetPage } from './cursor';
import { cvmIdsOf } from './cvmIds';

export const listOperations: Handler<'listOperations'> = async ({ query, ctx }) => {
  const { limit = 50, state, cvm, from, to, cursor } = query;
  const rows = await operationPage(
    ctx.db,
    {
      team_id: teamOf(ctx).id,
      state,
      cvm_ids: cvm ? await cvmIdsOf(ctx, cvm) : undefined,
      from,
      to,
      before: idOfCursor(cursor),
    },
    limit,
  );
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.operation.id, to: toOperation }) };
};
