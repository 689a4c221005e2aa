import { countTestsSince, insertDelivery } from '../../db/webhooks/webhookDeliveries';
import { Problem } from '../../domain/core/problem';
import { newEventId, type WebhookEventKind, type WebhookPayload } from '../../domain/webhooks/webhook';
import { deliveryBody, sampleMessage } from '../../domain/webhooks/chatMessage';
import { webhookDeliveryOut } from '../../domain/webhooks/webhookResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { auditOf, holdWebhook } from './webhook';

/** Prevents flooding another server with requests. */
const MAX_PER_MINUTE = 10;

const STATUS: Readonly<Record<WebhookEventKind, string>> = {
  'cvm.created': 'running',
  'cvm.create_failed': 'error',
  'cvm.started': 'running',
  'cvm.restarted': 'running',
  'cvm.updated': 'running',
  'cvm.stopped': 'stopped',
  'cvm.deleted': 'deleted',
  'cvm.update.pending_approval': 'running',
  'cvm.schedule_warning': 'running',
  'domain.verified': 'running',
  'domain.broken': 'error',
  'budget.alert': 'alert',
  'budget.used_up': 'used_up',
  'debt.alert': 'grace',
  'debt.settled': 'settled',
  'order.started': 'active',
  'order.ending': 'active',
  'order.ended': 'ended',
};

export const testWebhook: Handler<'testWebhook'> = ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await holdWebhook(trx, ctx, path.webhook_id);
    const at = new Date();
    if ((await countTestsSince(trx, row.id, new Date(at.getTime() - 60_000))) >= MAX_PER_MINUTE)
      throw new Problem('RATE_LIMITED', {
        message: `Test a webhook at most ${MAX_PER_MINUTE} times a minute.`,
        retryAfter: 60,
      });
    const event = body.event ?? row.events[0] ?? 'cvm.created';
    const event_id = newEventId();
    const { slug, name } = teamOf(ctx);
    const payload = { event_id, event, at, team: { slug, name }, data: madeUp(event) };
    const delivery = await insertDelivery(trx, {
      webhook_id: row.id,
      event_id,
      event,
      test: true,
      body: deliveryBody(row.format, payload, ctx.config.publicUrl),
      next_attempt_at: at,
    });
    await audit({ ...auditOf(row, 'test'), after: { event, event_id } });
    return { status: 202, body: webhookDeliveryOut(delivery) } as const;
  });

/** Shaped like a real event, for a CVM that can't exist. */
function madeUp(event: WebhookEventKind): WebhookPayload['data'] {
  const subject = /^(budget|debt|order)\./.test(event)
    ? { cvm_id: null, cvm_name: null, app_id: null }
    : { cvm_id: '00000000-0000-0000-0000-000000000000', cvm_name: 'example', app_id: '0'.repeat(40) };
  const message = sampleMessage(event, subject.cvm_name);
  return {
    ...subject,
    status: STATUS[event],
    ...(STATUS[event] === 'error' ? { error: 'This is a test.' } : {}),
    ...(event.startsWith('domain.') ? { domain: 'app.example.com' } : {}),
    ...(message === null ? {} : { message }),
    test: true,
  };
}
