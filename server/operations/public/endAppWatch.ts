import { findWatch, stopWatch } from '../../db/public/appWatches';
import { Problem } from '../../domain/core/problem';
import { readWatchToken, stoppedHash } from '../../domain/public/watchToken';
import type { Handler } from '../types';

/** An already ended watch is fine: mail programs may call this twice. */
export const endAppWatch: Handler<'endAppWatch'> = async ({ query, ctx }) => {
  const public_id = readWatchToken(ctx.seal, query.token);
  if (public_id === null) throw new Problem('LINK_INVALID');
  const watch = await findWatch(ctx.db, public_id);
  if (!watch) return { status: 204 };
  await ctx.write(async ({ trx, audit }) => {
    const { id, app_id, email } = watch;
    await stopWatch(trx, id, email === null ? null : stoppedHash(ctx.seal, { app_id, email }));
    await audit({ action: 'app_watch.end', target_kind: 'app', target_id: watch.app_id });
  });
  return { status: 204 };
};
