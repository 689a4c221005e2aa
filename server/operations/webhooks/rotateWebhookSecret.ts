import { changeWebhook } from '../../db/webhooks/webhooks';
import { DEFAULT_OVERLAP_HOURS, newSecret, secretHint } from '../../domain/webhooks/webhook';
import { sealWebhookSecret } from '../../domain/webhooks/webhookSecret';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import { auditOf, checkWebhookVersion, holdWebhook, requireConfirmedFactor } from './webhook';

/** After two rotations within the overlap, only the current and the previous secret are valid. */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, body, ctx }) => {
  requireConfirmedFactor(ctx);
  const overlap_hours = body.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
  const secret = newSecret();
  return ctx.write(async ({ trx, audit }) => {
    const before = await holdWebhook(trx, ctx, path.webhook_id);
    await checkWebhookVersion(ctx, trx, before);
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
    const changed = webhookOut(row, { secret });
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
