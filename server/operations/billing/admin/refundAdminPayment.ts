import { createHash } from 'node:crypto';
import { formatMicros } from '../../../../console/lib/billing/money';
import { bookRefund, CENT_MICROS } from '../../../db/billing/cardPayments';
import { postedBalance } from '../../../db/billing/ledger';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';
import type { Context, Handler } from '../../types';
import { centsOf } from '../amount';
import { atProvider, cardsOf } from '../cards';
import { paymentReply } from './paymentReply';

/**
 * Stripe is asked first, under a key that a repeated request has again: a refund whose reply was lost is made once, and
 * booked by this, by the repetition or by the event, whichever comes first.
 */
export const refundAdminPayment: Handler<'refundAdminPayment'> = async ({ path, body, ctx }) => {
  const amount_micros = centsOf(body.amount, 'amount');
  const { intent_id, key } = await refundable(ctx, path.id, amount_micros);
  const cents = amount_micros / CENT_MICROS;
  const refund = await atProvider(cardsOf(ctx).refund({ intent_id, cents, key }));
  return ctx.write(async ({ trx, audit }) => {
    if (refund.status === 'succeeded')
      await bookRefund(trx, { intent_id, id: refund.id, cents: refund.cents, failed: false });
    const reply = await paymentReply(trx, path.id);
    await audit({
      action: 'payment.refund',
      target_kind: 'payment',
      target_id: reply.body.public_id,
      team_id: reply.body.team_id,
      after: { amount: formatMicros(amount_micros), refund: refund.id, reason: body.reason },
    });
    return reply;
  });
};

async function refundable(ctx: Context, id: number, amount_micros: number) {
  const payment = await ctx.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
  if (!payment) throw missing(payments, id);
  if (payment.driver !== 'stripe')
    throw new Problem('CONFLICT', {
      message: 'Only card payments are refunded here. Send a bank transfer back by hand.',
    });
  if (payment.payment_intent === null)
    throw new Problem('PAYMENT_SETTLED', { message: 'No money has arrived for this payment.' });
  const left = payment.received_micros - payment.returned_micros;
  const { prepaid } = await postedBalance(ctx.db, payment.team_id);
  const most = Math.max(0, Math.min(left, prepaid));
  if (amount_micros > most)
    throw invalid(
      'amount',
      left <= prepaid
        ? `At most ${formatMicros(left)} of the payment is left.`
        : `At most ${formatMicros(most)} can be refunded: the team has used the rest.`,
    );
  const key = createHash('sha256')
    .update(`${payment.public_id}/${ctx.headers['idempotency-key'] ?? ''}`)
    .digest('hex');
  return { intent_id: payment.payment_intent, key };
}
