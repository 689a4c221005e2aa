import { findCvm } from '../../db/cvms/cvmLookup';
import { knownHashes } from '../../db/apps/isAllowed';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { bareHash, decideIsAllowed, deviceOf } from './isAllowed';

export const checkCvmIsAllowed: Handler<'checkCvmIsAllowed'> = async ({ path, body, ctx }) => {
  const { cvm, app, revision, node } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const compose_hash = bareHash(body.compose_hash ?? revision.compose_hash);
  const known = await knownHashes(ctx.db, app.id, [compose_hash]);
  const device_id = await deviceOf(ctx, body, node.device_id ?? '');
  return {
    status: 200,
    body: decideIsAllowed({ app: app.id, compose_hash, device_id, cvm }, known.has(compose_hash)),
  };
};
