import { openSecrets } from '../../domain/webhooks/webhookSecret';
import type { Handler } from '../types';
import { auditOf, holdWebhook, requireConfirmedFactor } from './webhook';

export const revealWebhookSecret: Handler<'revealWebhookSecret'> = async ({ path, ctx }) => {
  requireConfirmedFactor(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const row = await holdWebhook(trx, ctx, path.webhook_id);
    const { secret, previous } = openSecrets(ctx.seal, row, new Date());
    await audit(auditOf(row, 'reveal_secret'));
    return {
      status: 200,
      body: {
        secret,
        previous_secret: previous,
        previous_secret_until: previous === null ? null : (row.previous_secret_until?.toISOString() ?? null),
      },
    } as const;
  });
};
