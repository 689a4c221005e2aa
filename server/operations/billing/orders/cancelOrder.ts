import { formatMicros, formatUsd, parseMicros } from '../../../../console/lib/billing/money';
import { addOrderEvent } from '../../../db/billing/orders/orderEvents';
import { closeOrder, refundByRules, refundTerms } from '../../../db/billing/orders/refundOrder';
import { cancelUnpaid } from '../../../db/billing/payments';
import { Problem } from '../../../domain/core/problem';
import { holdTeam, userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { checkOpen, heldOrder, orderReply } from './orderReply';

export const cancelOrder: Handler<'cancelOrder'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const { order } = await heldOrder(trx, team.id, path.order_id);
    const now = new Date();
    checkOpen(order, now);
    const parts = await refundByRules(trx, order, now);
    const due = parts.reduce((sum, { amount }) => sum + amount, 0);
    if (parseMicros(body.refund) !== due)
      throw new Problem('OFFER_CHANGED', {
        message: `Canceling now refunds ${formatUsd(due)}.`,
        details: [{ field: 'refund', value: formatMicros(due) }],
        suggestions: ['Check the amount, and cancel again if you agree.'],
      });
    // Before the ledger is locked: the lock order of payment confirmations.
    const canceled = order.payment_id === null ? null : await cancelUnpaid(trx, order.payment_id);
    const refund = await refundTerms(trx, order, parts, { reason: 'canceled', user_id: userOf(ctx).id });
    const closed = await closeOrder(trx, order, {
      state: refund > 0 ? 'refunded' : 'cancelled',
      at: now,
      reason: null,
    });
    await addOrderEvent(trx, closed, 'cancelled', { refund });
    await audit({
      action: 'order.cancel',
      target_kind: 'order',
      target_id: order.public_id,
      before: { state: order.state, ends_at: order.ends_at?.toISOString() ?? null },
      after: { state: closed.state, refund: formatMicros(refund) },
    });
    if (canceled)
      await audit({ action: 'payment.cancel', target_kind: 'payment', target_id: canceled.public_id });
    return orderReply(trx, team.id, order.public_id);
  });
