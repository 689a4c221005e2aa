import { findCvm } from '../../db/cvms/cvmLookup';
import { countDomains, domainsOfCvm } from '../../db/network/domains';
import { MAX_DOMAINS_PER_APP, MAX_DOMAINS_PER_TEAM } from '../../domain/network/domains';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { shown } from './domain';

export const listCvmDomains: Handler<'listCvmDomains'> = async ({ path, ctx }) => {
  const team_id = teamOf(ctx).id;
  const row = await findCvm(ctx.db, team_id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  const [found, counts] = await Promise.all([
    domainsOfCvm(ctx.db, { team_id, app_id: row.app.id, cvm_id: row.cvm.id }),
    countDomains(ctx.db, team_id, row.app.id),
  ]);
  return {
    status: 200,
    body: {
      data: found.map((one) => shown({ row, found: one })),
      limits: {
        app_used: counts.app,
        app_most: MAX_DOMAINS_PER_APP,
        team_used: counts.team,
        team_most: MAX_DOMAINS_PER_TEAM,
      },
    },
  };
};
