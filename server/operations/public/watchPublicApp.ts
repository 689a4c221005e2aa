import { askToWatch } from '../../db/public/appWatches';
import { WATCH_DAYS } from '../../domain/public/watch';
import { stoppedHashes, watchToken } from '../../domain/public/watchToken';
import type { Handler } from '../types';
import { publishedApp } from './publicApp';

/**
 * Gives the same answer whether the address is new, already watching, unsubscribed, or over its link limit.
 */
export const watchPublicApp: Handler<'watchPublicApp'> = async ({ path, body, ctx }) => {
  const { app } = await publishedApp(ctx, path.app_id);
  const { email } = body;
  const stopped_hashes = stoppedHashes(ctx.seal, { app_id: app.app_id, email });
  await ctx.write(async ({ trx, audit, unchanged }) => {
    const watch = await askToWatch(trx, { app_id: app.id, app_name: app.name, email, stopped_hashes });
    // Visitors could fill the audit log with such requests.
    if (!watch) return unchanged(undefined);
    await ctx.mail.enqueue(trx, {
      to: email,
      template: 'app_watch_confirm',
      data: {
        app_name: app.name,
        is_simulated: app.is_simulated,
        token: watchToken(ctx.seal, watch.public_id),
        expires_at: new Date(Date.now() + WATCH_DAYS * 86_400_000),
      },
    });
    await audit({ action: 'app_watch.ask', target_kind: 'app', target_id: app.app_id });
  });
  return { status: 204 };
};
