import type { Logger } from 'pino';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { formatMicros } from '../../../console/lib/billing/money';
import { appendAudit } from '../../db/audit/auditLog';
import {
  bookDispute,
  bookRefund,
  creditCardPayment,
  delayStripeEvent,
  dueStripeEvents,
  endStripeEvent,
  openPages,
  waitingCardPayments,
} from '../../db/billing/cardPayments';
import { changeAutoTopUp, forgetCard, keepCard, teamOfCustomer } from '../../db/billing/autoTopUps';
import { resolveAutoTopUp, notifyPayers } from '../../db/billing/paymentNotices';
import { lockPayment, setPayment } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { rejectedNotice } from '../../domain/billing/paymentNotice';
import { CardError, type CardPayment, type CardPayments, type Checkout } from '../../drivers/payments';

/** Events and payments handled per run; the rest is due in the next. */
const BATCH_SIZE = 50;
/** Seconds until an event that couldn't be handled is retried; doubles up to the maximum. */
const FIRST_DELAY = 2;
const MAX_DELAY = 3_600;
/** Stripe gives up on an event after three days, and so does this job. */
const GIVE_UP_MS = 3 * 86_400_000;
/** A payment whose event was lost is looked up after this interval, and again after each further one. */
const LOOK_UP_MS = 15 * 60_000;

export interface CardParts {
  db: Db;
  cards: CardPayments;
  log: Logger;
}

/**
 * Handles events from Stripe. An event only says which object to read again: its current state counts, so the
 * order and number of events don't matter.
 * @returns whether more may be due
 */
export async function handleCardEvents(parts: CardParts): Promise<boolean> {
  const { db, log } = parts;
  const due = await dueStripeEvents(db, BATCH_SIZE);
  for (const event of due) {
    try {
      const handled = await handle(parts, event);
      await endStripeEvent(db, event.id, { state: handled ? 'done' : 'ignored' });
    } catch (err) {
      const error = cutWhole(err instanceof Error ? err.message : String(err), 500);
      const isLost = Date.now() - event.received_at.getTime() > GIVE_UP_MS;
      if (isLost || (err instanceof CardError && err.failure === 'refused')) {
        log.error({ err, event: event.id, type: event.type }, 'failed to process a Stripe event');
        await endStripeEvent(db, event.id, { state: 'failed', error });
      } else await delayStripeEvent(db, event.id, Math.min(MAX_DELAY, FIRST_DELAY * 2 ** event.tries), error);
    }
  }
  return due.length === BATCH_SIZE;
}

/**
 * Looks up payments that have been pending for a while, in case their events were lost.
 * @returns whether more may be due
 */
export async function checkWaitingPayments(parts: CardParts): Promise<boolean> {
  const { db, cards, log } = parts;
  const due = await waitingCardPayments(db, new Date(Date.now() - LOOK_UP_MS), BATCH_SIZE);
  for (const payment of due) {
    try {
      if (payment.checkout_session !== null)
        await settleCheckout(parts, await cards.checkout(payment.checkout_session));
    } catch (err) {
      log.warn({ err, payment: payment.public_id }, "couldn't look up a card payment");
    }
    await db
      .updateTable('payments')
      .set({ updated_at: new Date() })
      .where('id', '=', payment.id)
      .where('state', '=', 'pending')
      .execute();
  }
  return due.length === BATCH_SIZE;
}

/**
 * Closes the checkout pages of payments that were canceled with their order or team, so that nobody pays for
 * them.
 */
export async function closePages(parts: CardParts): Promise<void> {
  const { db, cards, log } = parts;
  for (const { id, public_id, checkout_session } of await openPages(db, BATCH_SIZE)) {
    let isClosed = checkout_session === null;
    try {
      if (checkout_session !== null) {
        // If it was paid in the meantime, the team is credited: it is the team's money.
        await settleCheckout(parts, await cards.expireCheckout(checkout_session));
        isClosed = true;
      }
    } catch (err) {
      // Stripe no longer has it, so nobody can pay there.
      isClosed = err instanceof CardError && err.failure === 'gone';
      if (!isClosed)
        log.warn({ err, payment: public_id }, "couldn't expire the Checkout page of a canceled payment");
    }
    await db
      .updateTable('payments')
      .set({ updated_at: new Date(), ...(isClosed && { checkout_url: null }) })
      .where('id', '=', id)
      .where('state', '=', 'cancelled')
      .execute();
  }
}

/** @returns whether the event concerns an object of this server */
async function handle(
  parts: CardParts,
  { type, object_id }: { type: string; object_id: string },
): Promise<boolean> {
  const { cards } = parts;
  if (type.startsWith('checkout.session.')) return settleCheckout(parts, await cards.checkout(object_id));
  if (type.startsWith('payment_intent.')) return settlePayment(parts, await cards.payment(object_id));
  if (type === 'payment_method.detached') return loseCard(parts, object_id);
  if (type.startsWith('charge.dispute.')) return settleDispute(parts, object_id);
  if (type === 'charge.refunded' || type.startsWith('charge.refund.') || type.startsWith('refund.'))
    return settleRefunds(parts, await cards.paymentOf(object_id));
  return false;
}

/** Books every refund of a payment that isn't booked yet, because an event may concern any of them. */
async function settleRefunds({ db, cards }: CardParts, intent_id: string | null): Promise<boolean> {
  if (intent_id === null || (await isOfOthers(cards, intent_id))) return false;
  for (const { id, cents, status } of await cards.refunds(intent_id)) {
    if (status === 'pending') continue;
    await withTransaction(db, async (trx) => {
      const payment = await bookRefund(trx, { intent_id, id, cents, failed: status === 'failed' });
      if (payment === undefined) throw new Error(`The payment ${intent_id} is not credited yet.`);
      if (payment)
        await audit(trx, status === 'failed' ? 'payment.refund_failed' : 'payment.refund', payment);
    });
  }
  return true;
}

async function settleDispute({ db, cards }: CardParts, dispute_id: string): Promise<boolean> {
  const { id, intent_id, cents, withdrawn, reinstated } = await cards.dispute(dispute_id);
  if (intent_id === null || (await isOfOthers(cards, intent_id))) return false;
  if (!withdrawn) return true;
  await withTransaction(db, async (trx) => {
    const payment = await bookDispute(trx, { intent_id, id, cents, reinstated });
    if (payment === undefined) throw new Error(`The payment ${intent_id} is not credited yet.`);
    if (payment) await audit(trx, reinstated ? 'payment.dispute_won' : 'payment.dispute', payment);
  });
  return true;
}

/** Whether a payment belongs to another system that shares the Stripe account. */
const isOfOthers = async (cards: CardPayments, intent_id: string) =>
  (await cards.payment(intent_id)).payment_id === null;

async function settleCheckout(parts: CardParts, page: Checkout): Promise<boolean> {
  const { db, cards } = parts;
  const { payment_id } = page;
  if (page.mode === 'setup') return saveCardOfPage(parts, page);
  if (payment_id === null) return false;
  if (page.intent_id !== null) {
    const intent = await cards.payment(page.intent_id);
    const { status, failure } = intent;
    // A bank debit that failed days after the payer agreed to it. The completed page can't be paid again.
    if (page.status === 'complete' && status === 'open' && failure) {
      await withTransaction(db, (trx) => reject(trx, payment_id, failure.message));
      return true;
    }
    await settlePayment(parts, intent);
  }
  if (page.status === 'expired') await withTransaction(db, (trx) => end(trx, payment_id));
  return true;
}

async function settlePayment(parts: CardParts, intent: CardPayment): Promise<boolean> {
  const { db } = parts;
  const { id: intent_id, payment_id, received_cents: cents, status, failure } = intent;
  if (payment_id === null) return false;
  if (status === 'canceled') await withTransaction(db, (trx) => end(trx, payment_id));
  if (status === 'open' && failure)
    await withTransaction(db, (trx) => decline(trx, payment_id, failure.message));
  if (status !== 'succeeded') return true;
  const card_fingerprint = await fingerprintOf(parts.cards, intent);
  const payment = await withTransaction(db, async (trx) => {
    const credited = await creditCardPayment(trx, { payment_id, intent_id, cents, card_fingerprint });
    if (credited === undefined) throw new Error(`There is no card payment ${payment_id}.`);
    if (credited) await audit(trx, 'payment.receive', credited);
    if (credited?.automatic) {
      await changeAutoTopUp(trx, credited.team_id, { declines: 0 });
      await resolveAutoTopUp(trx, credited.team_id, new Date());
    }
    return lockPayment(trx, { public_id: payment_id });
  });
  if (intent.card_id !== null && intent.customer_id !== null)
    await saveCard(parts, intent.customer_id, intent.card_id, payment);
  return true;
}

/**
 * Returns the card's fingerprint, which all payments with the same card share; null if it wasn't a card, or
 * Stripe has forgotten it.
 */
async function fingerprintOf(cards: CardPayments, { paid_with }: CardPayment): Promise<string | null> {
  if (paid_with === null) return null;
  try {
    return (await cards.card(paid_with)).fingerprint;
  } catch (error) {
    if (error instanceof CardError && error.failure !== 'down') return null;
    throw error;
  }
}

async function saveCardOfPage(
  parts: CardParts,
  { status, customer_id, setup_id }: Checkout,
): Promise<boolean> {
  if (customer_id === null || setup_id === null) return false;
  const card_id = status === 'complete' ? await parts.cards.savedCard(setup_id) : null;
  return card_id === null ? true : saveCard(parts, customer_id, card_id);
}

/** Saves a team's card, and removes the previous one at Stripe, since no screen would show it anymore. */
async function saveCard(
  { db, cards, log }: CardParts,
  customer_id: string,
  card_id: string,
  /** The payment that saved it. */
  payment?: PaymentRow,
): Promise<boolean> {
  const team_id = await teamOfCustomer(db, customer_id);
  if (team_id === null) return false;
  const { id: _, customer_id: holder, ...details } = await cards.card(card_id);
  // Removed in the meantime: a late event about saving the card doesn't bring it back.
  if (holder === null) return true;
  const before = await withTransaction(db, async (trx) => {
    const agreed =
      payment === undefined || payment.card_consent === null
        ? null
        : {
            consent: payment.card_consent,
            consented_by: payment.created_by,
            consented_at: payment.created_at,
          };
    const replaced = await keepCard(trx, { team_id, card_id, ...details }, agreed);
    // Reported again, or used again.
    if (replaced === card_id) return null;
    const { brand, last4 } = details;
    const entry = {
      actor_kind: 'system',
      team_id,
      action: 'card.save',
      target_kind: 'card',
      target_id: card_id,
    } as const;
    await appendAudit(trx, [
      { ...entry, after: { brand, last4, ...(agreed && { consent: agreed.consent }) } },
    ]);
    return replaced;
  });
  if (before !== null)
    await cards
      .detachCard(before)
      .catch((err: unknown) => log.warn({ err }, "couldn't remove a replaced card"));
  return true;
}

async function loseCard({ db }: CardParts, card_id: string): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const team_id = await forgetCard(trx, card_id, 'The saved card was removed.');
    if (team_id === null) return false;
    const entry = {
      actor_kind: 'system',
      team_id,
      action: 'card.remove',
      target_kind: 'card',
      target_id: card_id,
    } as const;
    await appendAudit(trx, [entry]);
    return true;
  });
}

/** Ends a payment that received no money; any other stays as it is. */
async function end(trx: Tx, public_id: string): Promise<void> {
  const payment = await lockPayment(trx, { public_id });
  if (payment?.state !== 'pending') return;
  if (payment.automatic) await resolveAutoTopUp(trx, payment.team_id, new Date());
  const reason = payment.reason ?? 'The payment page closed before anything was paid.';
  await audit(
    trx,
    'payment.cancel',
    await setPayment(trx, payment.id, { state: 'cancelled', reason, checkout_url: null }),
  );
}

/** Like `end`, for a payment that failed after its payer left the page: payers are notified. */
async function reject(trx: Tx, public_id: string, message: string): Promise<void> {
  const payment = await lockPayment(trx, { public_id });
  if (payment?.state !== 'pending') return;
  const { id, team_id, reference, amount_micros, automatic } = payment;
  if (automatic) await resolveAutoTopUp(trx, team_id, new Date());
  const reason = cutWhole(message, MAX_REASON);
  await notifyPayers(trx, team_id, `rejected:${public_id}`, rejectedNotice(reference, amount_micros, reason));
  const rejected = await setPayment(trx, id, { state: 'rejected', reason, checkout_url: null });
  await audit(trx, 'payment.reject', rejected);
}

/**
 * Records why the last attempt to pay on the page failed. The payment stays open, because another card may be
 * tried there. Failures of automatic payments are recorded where they are charged.
 */
async function decline(trx: Tx, public_id: string, message: string): Promise<void> {
  const payment = await lockPayment(trx, { public_id });
  const reason = cutWhole(message, MAX_REASON);
  if (payment?.state !== 'pending' || payment.automatic || payment.reason === reason) return;
  await audit(trx, 'payment.decline', await setPayment(trx, payment.id, { reason }));
}

/** Characters stored of a decline reason. */
const MAX_REASON = 500;

const audit = (trx: Tx, action: string, payment: PaymentRow) =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: payment.team_id,
      action,
      target_kind: 'payment',
      target_id: payment.public_id,
      after: {
        state: payment.state,
        received: formatMicros(payment.received_micros),
        returned: formatMicros(payment.returned_micros),
        // The amount received differs from the amount requested.
        ...(action === 'payment.receive' &&
          payment.received_micros !== payment.amount_micros && {
            differs_from: formatMicros(payment.amount_micros),
          }),
      },
    },
  ]);
