import { listOperations as operationPage } from '../../db/operationQueries';
import { toOperation } from '../../domain/wire/operation';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { idOfCursor, keysetPage } from './cursor';
import { cvmIdsOf } from './cvmIds';

export const listOperations: Handler<'listOperations'> = async ({ query, ctx }) => {
  const { limit = 50, state, cvm, cursor } = query;
  const rows = await operationPage(
    ctx.db,
    {
      team_id: teamOf(ctx).id,
      state,
      cvm_ids: cvm ? await cvmIdsOf(ctx, cvm) : undefined,
      before: idOfCursor(cursor),
    },
    limit,
  );
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.operation.id, to: toOperation }) };
};
