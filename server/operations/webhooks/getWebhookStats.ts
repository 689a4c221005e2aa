import { RETENTION } from '../../../console/lib/activity/retention';
import { deliveryStats } from '../../db/webhooks/webhookDeliveries';
import type { Handler } from '../types';
import { webhookOf } from './webhook';

export const getWebhookStats: Handler<'getWebhookStats'> = async ({ path, ctx }) => {
  const { id } = await webhookOf(ctx, path.webhook_id);
  const month = new Date(Date.now() - RETENTION.webhook_deliveries.days * 86_400_000);
  const { since, last_success_at, last_failure_at, ...stats } = await deliveryStats(ctx.db, id, month);
  const ended = stats.delivered + stats.failed;
  return {
    status: 200,
    body: {
      since: since.toISOString(),
      ...stats,
      success_rate: ended === 0 ? null : stats.delivered / ended,
      last_success_at: last_success_at?.toISOString() ?? null,
      last_failure_at: last_failure_at?.toISOString() ?? null,
    },
  };
};
