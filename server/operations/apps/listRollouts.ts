import { listRollouts as rolloutPage } from '../../db/apps/rollouts';
import { toRollout } from '../../domain/apps/rolloutResponse';
import { idOfCursor, keysetPage } from '../activity/cursor';
import type { Handler } from '../types';
import { appOf } from './appId';

export const listRollouts: Handler<'listRollouts'> = async ({ path, query, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const { limit = 50, cursor } = query;
  const rows = await rolloutPage(ctx.db, app.id, idOfCursor(cursor), limit);
  return {
    status: 200,
    body: keysetPage(rows, limit, {
      id: (row) => row.rollout.id,
      to: (row) => toRollout(row, app.app_id),
    }),
  };
};
