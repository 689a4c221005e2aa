import { orderNotice, type OrderEventKind } from '../../../domain/billing/orders/orderNotice';
import type { RenewalRefusal } from '../../../domain/billing/orders/order';
import { addTeamEvents } from '../../activity/eventFeed';
import type { Tx } from '../../core/client';
import type { OrderRow } from './ordersTables';

/**
 * Adds an event of an order, which notifies payers and webhooks. `why`: each reason for a failed renewal is a
 * separate notice.
 */
export async function addOrderEvent(
  trx: Tx,
  order: OrderRow,
  kind: OrderEventKind,
  { why, ...more }: Parameters<typeof orderNotice>[2] & { why?: RenewalRefusal } = {},
): Promise<void> {
  const { title, message, severity } = orderNotice(kind, order, more);
  await addTeamEvents(trx, [
    {
      team_id: order.team_id,
      kind: `order.${kind}`,
      severity,
      message,
      data: {
        order_id: order.public_id,
        title,
        term: order.ends_at?.toISOString() ?? '',
        ...(why !== undefined && { why }),
      },
    },
  ]);
}
