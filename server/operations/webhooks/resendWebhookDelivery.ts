import { formatOf } from '../../../console/lib/webhookFormat';
import { findDelivery, requeueDelivery } from '../../db/webhooks/webhookDeliveries';
import { Problem } from '../../domain/core/problem';
import { webhookDeliveryOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import { auditOf, holdWebhook } from './webhook';

/** Keeps the same id, so that a receiver that already has it recognizes it. */
export const resendWebhookDelivery: Handler<'resendWebhookDelivery'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await holdWebhook(trx, ctx, path.webhook_id);
    const found = await findDelivery(trx, row.id, path.event_id);
    if (!found) throw new Problem('NOT_FOUND', { message: 'No such event was sent to this webhook.' });
    if (!row.enabled && !found.test)
      throw new Problem('CONFLICT', {
        message: 'The webhook is off. Turn it on, then send again.',
      });
    if (formatOf(JSON.parse(found.body) as object) !== row.format)
      throw new Problem('CONFLICT', {
        message:
          'The format of the webhook has changed since, and its receiver would not understand this event.',
        suggestions: ['Send a test instead.'],
      });
    const delivery = await requeueDelivery(trx, found.id);
    if (!delivery) throw new Problem('CONFLICT', { message: 'This event is already being delivered.' });
    await audit({ ...auditOf(row, 'resend'), after: { event_id: delivery.event_id } });
    return { status: 202, body: webhookDeliveryOut(delivery) } as const;
  });
