import { listApps as appPage } from '../../db/apps/apps';
import { cvmsOfApps, factsOf } from '../../db/cvms/cvmQueries';
import { toApp } from '../../domain/apps/appResponse';
import { toCvm } from '../../domain/cvms/cvmResponse';
import { analyzerOf } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

/** CVMs shown per app; `cvm_count` is the total and listAppCvms returns all of them. */
const CVMS_EACH = 25;

export const listApps: Handler<'listApps'> = async ({ query, ctx }) => {
  const team = teamOf(ctx);
  const { page = 1, page_size = 20, sort = 'created_at', order, ...filter } = query;
  const { apps, total } = await appPage(
    ctx.db,
    team.id,
    filter,
    { page, page_size },
    { by: sort, order: order ?? (sort === 'created_at' ? 'desc' : 'asc') },
  );
  const cvms = await cvmsOfApps(
    ctx.db,
    team.id,
    apps.map(({ app }) => app.id),
    CVMS_EACH,
  );
  const facts = await factsOf(ctx.db, [...cvms.values()].flat(), analyzerOf(ctx));
  return {
    status: 200,
    body: {
      dstack_apps: apps.map((summary) =>
        toApp(
          summary,
          (cvms.get(summary.app.id) ?? []).map((row) => toCvm(row, facts(row), ctx)),
        ),
      ),
      page,
      page_size,
      total,
      total_pages: Math.ceil(total / page_size),
    },
  };
};
