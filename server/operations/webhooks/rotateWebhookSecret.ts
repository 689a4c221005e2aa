import { changeWebhook } from '../../db/webhooks';
import { DEFAULT_OVERLAP_HOURS, newSecret, secretHint } from '../../domain/webhook';
import { sealWebhookSecret } from '../../domain/webhookSecret';
import { webhookOut } from '../../domain/wire/webhook';
import type { Handler } from '../types';
import { auditOf, holdWebhook, requireConfirmedFactor } from './webhook';

/** Of a secret that is replaced twice within the overlap, only the one before the last still counts. */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, body, ctx }) => {
  requireConfirmedFactor(ctx);
  const overlap_hours = body.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
  const secret = newSecret();
  return ctx.write(async ({ trx, audit }) => {
    const before = await holdWebhook(trx, ctx, path.webhook_id);
    const row = await changeWebhook(trx, before.id, {
      sealed_secret: sealWebhookSecret(ctx.seal, secret),
      secret_hint: secretHint(secret),
      ...(overlap_hours === 0
        ? { sealed_previous_secret: null, previous_secret_until: null }
        : {
            sealed_previous_secret: before.sealed_secret,
            previous_secret_until: new Date(Date.now() + overlap_hours * 3_600_000),
          }),
    });
    await audit({ ...auditOf(row, 'rotate_secret'), after: { overlap_hours } });
    return { status: 200, body: webhookOut(row, secret) } as const;
  });
};
