import { allows, paymentActions } from '../../../console/lib/billing/allowedActions';
import { resolveAutoTopUp } from '../../db/billing/paymentNotices';
import { hasUnknownOutcome, lockPayment, setPayment } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { paymentOut } from '../../domain/billing/billingResponse';
import { Problem } from '../../domain/core/problem';
import { holdTeam, teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { atProvider } from './cards';
import { inProgress } from './openCheckout';

export const cancelTopUp: Handler<'cancelTopUp'> = async ({ path, ctx }) => {
  const found = await ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('public_id', '=', path.payment_id)
    .where('team_id', '=', teamOf(ctx).id)
    .executeTakeFirst();
  if (!found) throw new Problem('NOT_FOUND', { message: `There is no payment ${path.payment_id}.` });
  if (found.state === 'pending') await closePage(ctx, found);
  return ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'billing.manage');
    const payment = await lockPayment(trx, { id: found.id });
    // Closing the page makes Stripe send an expiry event, which may have been recorded before this.
    const isClosed = found.state === 'pending' && payment?.state === 'cancelled';
    if (!payment || (!allows(paymentActions.cancel, payment.state) && !isClosed))
      throw new Problem('PAYMENT_SETTLED', {
        message: 'Only a payment that hasn’t received any money can be canceled.',
      });
    if (hasUnknownOutcome(payment)) throw inProgress();
    const row = await setPayment(trx, payment.id, { state: 'cancelled', checkout_url: null, reason: null });
    if (row.automatic) await resolveAutoTopUp(trx, row.team_id, new Date());
    await audit({ action: 'payment.cancel', target_kind: 'payment', target_id: payment.public_id });
    return { status: 200, body: paymentOut(row) } as const;
  });
};

/** Closes the page of a card payment, so that nobody pays after the cancellation. */
async function closePage(ctx: Context, { checkout_session }: PaymentRow): Promise<void> {
  if (checkout_session === null || !ctx.cards) return;
  const page = await atProvider(ctx.cards.expireCheckout(checkout_session));
  if (page.status === 'complete')
    throw new Problem('PAYMENT_SETTLED', { message: 'The payment was just made and will be credited.' });
}
