import { knownHashes } from '../../db/apps/isAllowed';
import type { Handler } from '../types';
import { appOf } from './appId';
import { bareHash, decideIsAllowed, deviceOf } from './isAllowed';

export const checkAppIsAllowed: Handler<'checkAppIsAllowed'> = async ({ path, body, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const compose_hash = bareHash(body.compose_hash);
  const known = await knownHashes(ctx.db, app.id, [compose_hash]);
  const question = { app: app.id, compose_hash, device_id: await deviceOf(ctx, body) };
  return { status: 200, body: decideIsAllowed(question, known.has(compose_hash)) };
};
