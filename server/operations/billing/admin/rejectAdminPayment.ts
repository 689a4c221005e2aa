import { allows, paymentActions } from '../../../../console/lib/billing/allowedActions';
import { notifyPayers } from '../../../db/billing/paymentNotices';
import { lockPayment, setPayment } from '../../../db/billing/payments';
import { rejectedNotice } from '../../../domain/billing/paymentNotice';
import { Problem } from '../../../domain/core/problem';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { paidByCard } from './confirmAdminPayment';
import { paymentReply } from './paymentReply';

export const rejectAdminPayment: Handler<'rejectAdminPayment'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkText(body.reason, 'reason');
    const payment = await lockPayment(trx, { id: path.id });
    if (!payment) throw missing(payments, path.id);
    if (payment.driver !== 'manual') throw paidByCard();
    if (!allows(paymentActions.reject, payment.state))
      throw new Problem('PAYMENT_SETTLED', {
        message: 'Only a payment that hasn’t received any money can be rejected.',
      });
    await setPayment(trx, payment.id, { state: 'rejected', reason: body.reason });
    await notifyPayers(
      trx,
      payment.team_id,
      `rejected:${payment.public_id}`,
      rejectedNotice(payment.reference, payment.amount_micros, body.reason),
    );
    await audit({
      action: 'payment.reject',
      target_kind: 'payment',
      target_id: payment.public_id,
      team_id: payment.team_id,
      before: { state: payment.state },
      after: { state: 'rejected', reason: body.reason },
    });
    return paymentReply(trx, payment.id);
  });
