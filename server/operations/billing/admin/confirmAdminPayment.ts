import { formatMicros } from '../../../../console/lib/billing/money';
import { creditReceipt, findReceipt, lockPayment } from '../../../db/billing/payments';
import { bankKey } from '../../../domain/billing/bankReference';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { approvalFor } from '../approvals/approval';
import { paymentReply } from './paymentReply';

const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 366 * DAY_MS;

/** Returns when the money arrived, at most now. Tomorrow's date is accepted: it may come from another time zone. */
function receivedAt(given: string | null, now: Date): Date {
  if (given === null) return now;
  const at = new Date(given);
  if (at.getTime() > now.getTime() + DAY_MS) throw invalid('received_at', 'The time is in the future.');
  if (at.getTime() < now.getTime() - YEAR_MS)
    throw invalid('received_at', 'The time must be within the last year.');
  return at < now ? at : now;
}

/** Card payments are only confirmed by Stripe. */
export const paidByCard = () =>
  new Problem('CONFLICT', { message: 'This is a card payment. Stripe reports when it arrives.' });

/** The bank's transfer number identifies a transfer: confirming it again changes nothing. */
export const confirmAdminPayment: Handler<'confirmAdminPayment'> = async ({ path, body, ctx }) => {
  const amount_micros = centsOf(body.amount, 'amount');
  // Copied numbers may contain invisible characters, including ones that reverse the text after them.
  const bank_reference = body.bank_reference.replaceAll(/\p{Cf}/gu, '').trim();
  const key = bankKey(bank_reference);
  if (key === '') throw invalid('bank_reference', "Enter the bank's transfer number.");
  // Payers can choose some numbers. With this prefix, a card payment would look credited already.
  if (key.startsWith('PI_'))
    throw invalid('bank_reference', "This is a Stripe payment number, not a bank's transfer number.");
  const received_at = receivedAt(body.received_at ?? null, new Date());
  return ctx.write(async ({ trx, audit }) => {
    const payment = await lockPayment(trx, { id: path.id });
    if (!payment) throw missing(payments, path.id);
    if (payment.driver !== 'manual') throw paidByCard();
    const known = await findReceipt(trx, key);
    if (known && (known.payment_id !== payment.id || known.amount_micros !== amount_micros))
      throw new Problem('PAYMENT_SETTLED', {
        message: `The transfer ${bank_reference} was already confirmed, with ${known.payment_id === payment.id ? 'another amount' : 'another payment'}.`,
        details: [{ field: 'bank_reference', message: 'This transfer was already confirmed.' }],
      });
    const waits =
      !known &&
      (await approvalFor(
        ctx,
        { trx, audit },
        {
          action: 'confirm_payment',
          path,
          body: { ...body },
          team_id: payment.team_id,
          target: payment.public_id,
          amount_micros,
          reason: `Transfer ${bank_reference}`,
        },
      ));
    if (waits) return waits;
    if (!known)
      await creditReceipt(trx, payment, {
        amount_micros,
        bank_reference,
        received_at,
        confirmed_by: userOf(ctx).id,
      });
    await audit({
      action: known ? 'payment.confirm_again' : 'payment.confirm',
      target_kind: 'payment',
      target_id: payment.public_id,
      team_id: payment.team_id,
      after: { amount: formatMicros(amount_micros), bank_reference },
    });
    const reply = await paymentReply(trx, payment.id);
    return known ? { ...reply, body: { ...reply.body, already_confirmed: true } } : reply;
  });
};
