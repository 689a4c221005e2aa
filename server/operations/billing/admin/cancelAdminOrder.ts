import { formatMicros, parseMicros } from '../../../../console/lib/billing/money';
import { addOrderEvent } from '../../../db/billing/orders/orderEvents';
import { lockOrder } from '../../../db/billing/orders/orders';
import type { OrderRow } from '../../../db/billing/orders/ordersTables';
import {
  closeOrder,
  refundByRules,
  refundOfAmount,
  refundTerms,
} from '../../../db/billing/orders/refundOrder';
import { cancelUnpaid } from '../../../db/billing/payments';
import type { Tx } from '../../../db/core/client';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { orders } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { approvalFor } from '../approvals/approval';
import { checkOpen } from '../orders/orderReply';
import { adminOrderReply } from './adminOrderReply';

export const cancelAdminOrder: Handler<'cancelAdminOrder'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkText(body.reason, 'reason');
    const found = await lockOrder(trx, { id: path.id });
    if (!found) throw missing(orders, path.id);
    const { order } = found;
    const now = new Date();
    checkOpen(order, now);
    const parts =
      body.refund === undefined || body.refund === null
        ? await refundByRules(trx, order, now)
        : await partsOf(trx, order, body.refund, 'refund');
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'cancel_order',
        path,
        body: { ...body },
        team_id: order.team_id,
        target: order.public_id,
        amount_micros: parts.reduce((sum, { amount }) => sum + amount, 0),
        reason: body.reason,
      },
    );
    if (waits) return waits;
    // Before the ledger is locked: the lock order of payment confirmations.
    const unpaid = order.payment_id === null ? null : await cancelUnpaid(trx, order.payment_id);
    const refund = await refundTerms(trx, order, parts, { reason: body.reason, user_id: userOf(ctx).id });
    const closed = await closeOrder(trx, order, {
      state: refund > 0 ? 'refunded' : 'cancelled',
      at: now,
      reason: body.reason,
    });
    await addOrderEvent(trx, closed, 'cancelled', { refund, reason: body.reason });
    await audit({
      action: 'order.cancel',
      target_kind: 'order',
      target_id: order.public_id,
      team_id: order.team_id,
      before: { state: order.state, ends_at: order.ends_at?.toISOString() ?? null },
      after: { state: closed.state, refund: formatMicros(refund), reason: body.reason },
    });
    if (unpaid)
      await audit({
        action: 'payment.cancel',
        target_kind: 'payment',
        target_id: unpaid.public_id,
        team_id: order.team_id,
      });
    return adminOrderReply(trx, order.id);
  });

/** Splits an amount among the order's terms. @throws VALIDATION_FAILED if it exceeds the charges not yet refunded */
export async function partsOf(trx: Tx, order: OrderRow, decimal: string, field: string) {
  const amount = parseMicros(decimal);
  const parts = amount === null ? null : await refundOfAmount(trx, order, amount);
  if (parts === null) throw invalid(field, 'The amount exceeds the charge that hasn’t been refunded yet.');
  return parts;
}
