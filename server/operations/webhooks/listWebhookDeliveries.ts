import { countDeliveries, listDeliveries } from '../../db/webhooks/webhookDeliveries';
import { webhookDeliveryOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import { webhookOf } from './webhook';

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ path, query, ctx }) => {
  const { id } = await webhookOf(ctx, path.webhook_id);
  const { limit = 20, offset = 0 } = query;
  const [rows, total] = await Promise.all([
    listDeliveries(ctx.db, id, { limit, offset }),
    countDeliveries(ctx.db, id),
  ]);
  return { status: 200, body: { items: rows.map(webhookDeliveryOut), total, limit, offset } };
};
