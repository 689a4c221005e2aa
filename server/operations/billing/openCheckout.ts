import { CENT_MICROS } from '../../db/billing/cardPayments';
import { hasUnknownOutcome, lockPayment, setPayment } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { Problem } from '../../domain/core/problem';
import { holdTeam, teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { atProvider, cardsOf, customerFor } from './cards';

/**
 * Calls Stripe before the transaction, so that a slow response holds no locks. Requests about one payment share an
 * idempotency key, so two that overlap get the same page.
 */
export const openCheckout: Handler<'openCheckout'> = async ({ path, ctx }) => {
  const payment = await waitingCardPayment(ctx, path.payment_id);
  if (payment.checkout_url !== null) return { status: 200, body: { url: payment.checkout_url } };
  const page = await pageFor(ctx, payment);
  const isOpen = await ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'billing.manage');
    const locked = await lockPayment(trx, { id: payment.id });
    // Canceled while Stripe opened the page: store the page so that a job closes it.
    const isCanceled = locked?.state === 'cancelled' && locked.checkout_session === null;
    if (locked?.state !== 'pending' && !isCanceled) throw settled();
    await setPayment(trx, payment.id, { checkout_session: page.id, checkout_url: page.url });
    await audit({ action: 'payment.checkout', target_kind: 'payment', target_id: payment.public_id });
    return !isCanceled;
  });
  if (!isOpen) throw settled();
  return { status: 200, body: { url: page.url } };
};

const settled = () =>
  new Problem('PAYMENT_SETTLED', { message: 'This payment is no longer pending. Start another one.' });

/** Paying on the page too would pay twice; canceling would let the card be charged again. */
export const inProgress = () =>
  new Problem('PAYMENT_IN_PROGRESS', {
    message: 'The saved card may have been charged for this payment: the outcome isn’t known yet.',
  });

async function waitingCardPayment(ctx: Context, public_id: string): Promise<PaymentRow> {
  const payment = await ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('public_id', '=', public_id)
    .where('team_id', '=', teamOf(ctx).id)
    .executeTakeFirst();
  if (!payment) throw new Problem('NOT_FOUND', { message: `There is no payment ${public_id}.` });
  if (payment.driver !== 'stripe')
    throw new Problem('CONFLICT', { message: 'This payment is a bank transfer, not a card payment.' });
  if (payment.state !== 'pending') throw settled();
  if (hasUnknownOutcome(payment)) throw inProgress();
  return payment;
}

/** The billing page's message to returning payers depends on the payment and on how they left. */
function returnTo(back: string, how: Record<'payment' | 'checkout', string>): string {
  const url = new URL(back);
  for (const [key, value] of Object.entries(how)) url.searchParams.set(key, value);
  return url.href;
}

async function pageFor(ctx: Context, payment: PaymentRow) {
  const { customer_id, back } = await customerFor(ctx);
  return atProvider(
    cardsOf(ctx).openCheckout({
      payment_id: payment.public_id,
      customer_id,
      cents: payment.amount_micros / CENT_MICROS,
      description: `Prepaid funds, ${payment.reference}`,
      saves_card: payment.saves_card,
      success_url: returnTo(back, { payment: payment.public_id, checkout: 'done' }),
      cancel_url: returnTo(back, { payment: payment.public_id, checkout: 'left' }),
    }),
  );
}
