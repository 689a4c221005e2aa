import { factsOf, listCvms } from '../../db/cvms/cvmQueries';
import { toCvm } from '../../domain/cvms/cvmResponse';
import { analyzerOf } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { pageOut } from '../core/paging';
import type { Handler } from '../types';

export const listCvmsPaginated: Handler<'listCvmsPaginated'> = async ({ query, ctx }) => {
  const { page = 1, page_size = 20, node_id, teepod_id, user_id, family = 'all', instance_types } = query;
  const filter = {
    team_id: teamOf(ctx).id,
    teepod_id: teepod_id ?? node_id,
    user_id,
    instance_types,
    has_gpus: family === 'all' ? undefined : family === 'gpu',
  };
  const { rows, total } = await listCvms(ctx.db, filter, { page, page_size });
  const facts = await factsOf(ctx.db, rows, analyzerOf(ctx));
  return {
    status: 200,
    body: pageOut(
      rows.map((row) => toCvm(row, facts(row), ctx)),
      total,
      { page, page_size },
    ),
  };
};
