import { allows, orderActions } from '../../../../console/lib/billing/allowedActions';
import { formatMicros } from '../../../../console/lib/billing/money';
import { lockOrder } from '../../../db/billing/orders/orders';
import { refundTerms } from '../../../db/billing/orders/refundOrder';
import { Problem } from '../../../domain/core/problem';
import { missing } from '../../core/admin/resource';
import { orders } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { amountOf } from '../amount';
import { approvalFor } from '../approvals/approval';
import { adminOrderReply } from './adminOrderReply';
import { partsOf } from './cancelAdminOrder';

export const refundAdminOrder: Handler<'refundAdminOrder'> = async ({ path, body, ctx }) => {
  checkText(body.reason, 'reason');
  amountOf(body.amount, 'amount');
  return ctx.write(async ({ trx, audit }) => {
    const found = await lockOrder(trx, { id: path.id });
    if (!found) throw missing(orders, path.id);
    const { order } = found;
    if (!allows(orderActions.refund, order.state))
      throw new Problem('ORDER_STATE', { message: 'This order hasn’t been charged yet.' });
    const parts = await partsOf(trx, order, body.amount, 'amount');
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'refund_order',
        path,
        body,
        team_id: order.team_id,
        target: order.public_id,
        amount_micros: parts.reduce((sum, { amount }) => sum + amount, 0),
        reason: body.reason,
      },
    );
    if (waits) return waits;
    const refund = await refundTerms(trx, order, parts, {
      reason: body.reason,
      user_id: userOf(ctx).id,
    });
    await audit({
      action: 'order.refund',
      target_kind: 'order',
      target_id: order.public_id,
      team_id: order.team_id,
      after: { refund: formatMicros(refund), reason: body.reason },
    });
    return adminOrderReply(trx, order.id);
  });
};
