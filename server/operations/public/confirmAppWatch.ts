import { confirmWatch, findWatch } from '../../db/public/appWatches';
import { Problem } from '../../domain/core/problem';
import { readWatchToken } from '../../domain/public/watchToken';
import type { Handler } from '../types';

export const confirmAppWatch: Handler<'confirmAppWatch'> = async ({ query, ctx }) => {
  const public_id = readWatchToken(ctx.seal, query.token);
  if (public_id === null) throw new Problem('LINK_INVALID');
  const watch = await findWatch(ctx.db, public_id);
  if (!watch) throw new Problem('LINK_INVALID');
  if (watch.confirmed_at !== null) return { status: 204 };
  await ctx.write(async ({ trx, audit }) => {
    await confirmWatch(trx, watch.id);
    await audit({ action: 'app_watch.confirm', target_kind: 'app', target_id: watch.app_id });
  });
  return { status: 204 };
};
