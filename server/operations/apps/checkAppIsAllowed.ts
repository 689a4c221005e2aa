import type { Handler } from '../types';
import { appOf } from './appId';
import { bareHash, decideIsAllowed, deviceOf } from './isAllowed';
import { onlyDecision } from './checkCvmIsAllowed';

export const checkAppIsAllowed: Handler<'checkAppIsAllowed'> = async ({ path, body, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const question = { compose_hash: bareHash(body.compose_hash), device_id: await deviceOf(ctx, body) };
  return { status: 200, body: onlyDecision(await decideIsAllowed(ctx, app, [question])) };
};
