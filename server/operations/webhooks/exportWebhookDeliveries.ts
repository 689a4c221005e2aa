import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { everyDelivery } from '../../db/webhooks/webhookDeliveries';
import { listWebhooks } from '../../db/webhooks/webhooks';
import { webhookDeliveryOut } from '../../domain/webhooks/webhookResponse';
import { teamOf } from '../core/caller';
import { dataFile, fieldColumns } from '../core/dataFile';
import type { Handler } from '../types';
import { webhookOf } from './webhook';

type Row = { webhook_id: string } & WebhookDelivery;

const COLUMNS = {
  ...fieldColumns('created_at', 'webhook_id', 'event_id', 'event', 'state', 'test'),
  attempts: ({ attempts }: Row) => attempts.length,
  last_attempt_at: ({ attempts }: Row) => attempts.at(-1)?.at ?? null,
  status: ({ attempts }: Row) => attempts.at(-1)?.status ?? null,
  error: ({ attempts }: Row) => attempts.at(-1)?.error ?? null,
  message: ({ attempts }: Row) => attempts.at(-1)?.message ?? null,
  duration_ms: ({ attempts }: Row) => attempts.at(-1)?.duration_ms ?? null,
  ...fieldColumns('next_attempt_at', 'finished_at'),
  payload: ({ payload }: Row) => JSON.stringify(payload),
};

export const exportWebhookDeliveries: Handler<'exportWebhookDeliveries'> = async ({ query, ctx }) => {
  const { format = 'csv', webhook_id } = query;
  const webhooks =
    webhook_id === undefined
      ? await listWebhooks(ctx.db, teamOf(ctx).id)
      : [await webhookOf(ctx, webhook_id)];
  async function* batches() {
    for (const { id, public_id } of webhooks)
      for await (const rows of everyDelivery(ctx.db, id))
        yield rows.map((row): Row => ({ webhook_id: public_id, ...webhookDeliveryOut(row) }));
  }
  return dataFile(ctx, { what: 'webhook-deliveries', format, columns: COLUMNS, batches: batches() });
};
