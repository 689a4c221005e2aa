import { allows, orderActions } from '../../../../console/lib/billing/allowedActions';
import { findOrder } from '../../../db/billing/orders/orderLists';
import { lockOrder } from '../../../db/billing/orders/orders';
import type { OrderProductRow, OrderRow } from '../../../db/billing/orders/ordersTables';
import type { Db, Tx } from '../../../db/core/client';
import { orderOut } from '../../../domain/billing/orders/orderResponse';
import { Problem } from '../../../domain/core/problem';

const missing = (order_id: string) => new Problem('NOT_FOUND', { message: `There is no order ${order_id}.` });

/** Returns an order as the API shows it. @throws NOT_FOUND also for other teams' orders */
export async function orderReply(db: Db | Tx, team_id: number, order_id: string) {
  const row = await findOrder(db, team_id, order_id);
  if (!row) throw missing(order_id);
  return { status: 200, body: orderOut(row, new Date()) } as const;
}

/** Locks a team's order. @throws NOT_FOUND also for other teams' orders */
export async function heldOrder(
  trx: Tx,
  team_id: number,
  order_id: string,
): Promise<{ order: OrderRow; product: OrderProductRow }> {
  const found = await lockOrder(trx, { public_id: order_id, team_id });
  if (!found) throw missing(order_id);
  return found;
}

/** Refuses ended orders, including those the job hasn't processed yet. @throws ORDER_STATE */
export function checkOpen({ state, ends_at }: OrderRow, now: Date): void {
  const isOver = state === 'active' && ends_at !== null && ends_at <= now;
  if (!isOver && allows(orderActions.cancel, state)) return;
  throw new Problem('ORDER_STATE', {
    message: isOver || state === 'ended' ? 'The order has ended.' : 'The order was already canceled.',
  });
}
