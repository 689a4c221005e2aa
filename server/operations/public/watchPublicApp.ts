import { askToWatch } from '../../db/public/appWatches';
import { WATCH_DAYS } from '../../domain/public/watch';
import { watchToken } from '../../domain/public/watchToken';
import type { Handler } from '../types';
import { publishedApp } from './publicApp';

/** Answers the same whether the address is new, watches the app already, or has been sent enough links. */
export const watchPublicApp: Handler<'watchPublicApp'> = async ({ path, body, ctx }) => {
  const { app } = await publishedApp(ctx, path.app_id);
  await ctx.write(async ({ trx, audit }) => {
    const watch = await askToWatch(trx, { app_id: app.id, app_name: app.name, email: body.email });
    if (watch)
      await ctx.mail.enqueue(trx, {
        to: body.email,
        template: 'app_watch_confirm',
        data: {
          app_name: app.name,
          token: watchToken(ctx.seal, watch.public_id),
          expires_at: new Date(Date.now() + WATCH_DAYS * 86_400_000),
        },
      });
    await audit({
      action: 'app_watch.ask',
      target_kind: 'app',
      target_id: app.app_id,
      after: { is_link_sent: watch !== null },
    });
  });
  return { status: 204 };
};
