import { lockFunds } from '../../../db/billing/holds';
import { lockPayment } from '../../../db/billing/payments';
import { lockReceipt, reversedReceipt, reverseReceipt } from '../../../db/billing/reversal';
import { bankKey } from '../../../domain/billing/bankReference';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { approvalFor } from '../approvals/approval';
import { paymentReply } from './paymentReply';

export const reverseAdminPayment: Handler<'reverseAdminPayment'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkText(body.reason, 'reason');
    const found = await trx
      .selectFrom('payments')
      .select('team_id')
      .where('id', '=', path.id)
      .executeTakeFirst();
    if (!found) throw missing(payments, path.id);
    await lockFunds(trx, found.team_id);
    const payment = await lockPayment(trx, { id: path.id });
    if (!payment) throw missing(payments, path.id);
    if (payment.driver !== 'manual')
      throw new Problem('CONFLICT', {
        message:
          'Only bank transfers can be reversed. Refund a card payment, and send back USDC from your wallet.',
      });
    if (payment.returned_micros > 0)
      throw new Problem('PAYMENT_SETTLED', { message: 'Part of this payment was already refunded.' });
    const receipt = await lockReceipt(trx, payment.id, bankKey(body.bank_reference));
    if (!receipt) {
      if (payment.state === 'reversed')
        throw new Problem('PAYMENT_SETTLED', { message: 'This payment was already reversed.' });
      throw invalid('bank_reference', 'This payment has no confirmed transfer with this number.');
    }
    const { reason } = body;
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'reverse_payment',
        path,
        body,
        team_id: payment.team_id,
        target: payment.public_id,
        amount_micros: receipt.amount_micros,
        reason,
      },
    );
    if (waits) return waits;
    const reversed = await reverseReceipt(trx, payment, receipt, {
      reason,
      user_id: userOf(ctx).id,
      now: new Date(),
      what: `Bank transfer ${payment.reference} was confirmed by mistake`,
      title: 'A bank transfer was reversed',
    });
    await audit({
      action: 'payment.reverse',
      target_kind: 'payment',
      target_id: payment.public_id,
      team_id: payment.team_id,
      before: { state: payment.state, ...reversedReceipt(receipt) },
      after: { state: reversed.state, reason },
    });
    return paymentReply(trx, payment.id);
  });
