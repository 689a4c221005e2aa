import type { Handler } from '../types';
import { appOf } from './appId';
import { rolloutReply } from './rollout';

export const getRollout: Handler<'getRollout'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  return { status: 200, body: await rolloutReply(ctx, app, path.rollout_id) };
};
