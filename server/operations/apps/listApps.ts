import { listApps as appPage } from '../../db/apps';
import { cvmsOfApps, factsOf } from '../../db/cvmQueries';
import { toApp } from '../../domain/wire/app';
import { toCvm } from '../../domain/wire/cvm';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

/** CVMs shown of one app; `cvm_count` has the number of all, listAppCvms has them all. */
const CVMS_EACH = 25;

export const listApps: Handler<'listApps'> = async ({ query, ctx }) => {
  const team = teamOf(ctx);
  const { page = 1, page_size = 20, ...filter } = query;
  const { apps, total } = await appPage(ctx.db, team.id, filter, { page, page_size });
  const cvms = await cvmsOfApps(
    ctx.db,
    team.id,
    apps.map(({ app }) => app.id),
    CVMS_EACH,
  );
  const facts = await factsOf(ctx.db, [...cvms.values()].flat());
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
