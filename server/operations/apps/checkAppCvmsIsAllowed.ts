import { cvmsOfApps } from '../../db/cvms/cvmQueries';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { appOf } from './appId';
import { decideIsAllowed } from './isAllowed';

const MAX_CVMS = 1000;

export const checkAppCvmsIsAllowed: Handler<'checkAppCvmsIsAllowed'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const rows = (await cvmsOfApps(ctx.db, teamOf(ctx).id, [app.id], MAX_CVMS)).get(app.id) ?? [];
  const { is_onchain, decisions } = await decideIsAllowed(
    ctx,
    app,
    rows.map(({ cvm, revision, node, os }) => ({
      compose_hash: revision.compose_hash,
      device_id: node.device_id ?? '',
      os_image_hash: os?.os_image_hash ?? null,
      cvm,
    })),
  );
  const allowed_count = decisions.filter((one) => one.is_allowed).length;
  // Without an answer from the chain, nothing is allowed or denied.
  const error_count = decisions.filter((one) => one.device_id_allowed === null).length;
  return {
    status: 200,
    body: {
      is_onchain,
      results: decisions,
      total: decisions.length,
      allowed_count,
      denied_count: decisions.length - allowed_count - error_count,
      error_count,
      skipped_cvm_ids: [],
    },
  };
};
