import { cvmsOfApps } from '../../db/cvms/cvmQueries';
import { knownHashes } from '../../db/apps/isAllowed';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { appOf } from './appId';
import { decideIsAllowed } from './isAllowed';

const MAX_CVMS = 1000;

export const checkAppCvmsIsAllowed: Handler<'checkAppCvmsIsAllowed'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const rows = (await cvmsOfApps(ctx.db, teamOf(ctx).id, [app.id], MAX_CVMS)).get(app.id) ?? [];
  const known = await knownHashes(
    ctx.db,
    app.id,
    rows.map(({ revision }) => revision.compose_hash),
  );
  const results = rows.map(({ cvm, revision, node }) =>
    decideIsAllowed(
      { app: app.id, compose_hash: revision.compose_hash, device_id: node.device_id ?? '', cvm },
      known.has(revision.compose_hash),
    ),
  );
  const allowed_count = results.filter((one) => one.is_allowed).length;
  return {
    status: 200,
    body: {
      is_onchain: false,
      results,
      total: results.length,
      allowed_count,
      denied_count: results.length - allowed_count,
      error_count: 0,
      skipped_cvm_ids: [],
    },
  };
};
