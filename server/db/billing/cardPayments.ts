import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { PaymentRow, StripeEventsTable } from './paymentsTables';
import { transfer } from '../../domain/billing/ledger';
import { returnedNotice } from '../../domain/billing/paymentNotice';
import { alignBonuses } from './bonuses';
import { endRefund } from './cardRefunds';
import { lockLedger, post } from './ledger';
import { notifyPayers } from './paymentNotices';
import { creditReceipt, findReceipt, lockPayment, setPayment } from './payments';

/** Micro-dollars of a cent. */
export const CENT_MICROS = 10_000;

export async function customerOf(db: Db | Tx, team_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('stripe_customers')
    .select('customer_id')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

export const keepCustomer = (db: Db | Tx, team_id: number, customer_id: string) =>
  db
    .insertInto('stripe_customers')
    .values({ team_id, customer_id })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .execute();

/** Stores an event once. @returns whether it is new */
export async function storeStripeEvent(
  db: Db | Tx,
  event: { id: string; type: string; object_id: string },
): Promise<boolean> {
  const added = await db
    .insertInto('stripe_events')
    .values({ ...event, error: null, handled_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export const dueStripeEvents = (db: Db, limit: number) =>
  db
    .selectFrom('stripe_events')
    .select(['id', 'type', 'object_id', 'tries', 'received_at'])
    .where('state', '=', 'pending')
    .where('due_at', '<=', sql<Date>`now()`)
    .orderBy('due_at')
    .limit(limit)
    .execute();

export async function endStripeEvent(
  db: Db,
  id: string,
  {
    state,
    error = null,
  }: { state: Exclude<StripeEventsTable['state']['__select__'], 'pending'>; error?: string | null },
): Promise<void> {
  await db
    .updateTable('stripe_events')
    .set({ state, error, handled_at: new Date() })
    .where('id', '=', id)
    .execute();
}

export async function delayStripeEvent(db: Db, id: string, seconds: number, error: string): Promise<void> {
  await db
    .updateTable('stripe_events')
    .set((eb) => ({ tries: eb('tries', '+', 1), error, due_at: new Date(Date.now() + seconds * 1000) }))
    .where('id', '=', id)
    .execute();
}

/**
 * Returns card payments with a checkout page that have been pending since before `before`, least recently
 * checked first.
 */
export const waitingCardPayments = (db: Db, before: Date, limit: number): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('driver', '=', 'stripe')
    .where('state', '=', 'pending')
    .where('checkout_session', 'is not', null)
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute();

/** Returns canceled payments whose page may still be open, least recently tried first. */
export const openPages = (db: Db, limit: number): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('state', '=', 'cancelled')
    .where('checkout_url', 'is not', null)
    .orderBy('updated_at')
    .limit(limit)
    .execute();

interface Received {
  payment_id: string;
  intent_id: string;
  cents: number;
  /** Fingerprint of the card; null for the saved card, or no card. */
  card_fingerprint: string | null;
}

/**
 * Credits a successful card payment once, with the amount received. @returns the payment; null if it was
 * credited already; undefined if there is no such payment
 */
export async function creditCardPayment(
  trx: Tx,
  { payment_id, intent_id, cents, card_fingerprint }: Received,
): Promise<PaymentRow | null | undefined> {
  const payment = await lockPayment(trx, { public_id: payment_id });
  if (payment?.driver !== 'stripe') return undefined;
  if (await findReceipt(trx, intent_id)) return null;
  const receipt = {
    amount_micros: cents * CENT_MICROS,
    bank_reference: intent_id,
    received_at: new Date(),
    confirmed_by: null,
  };
  const credited = await creditReceipt(trx, { ...payment, card_fingerprint }, receipt);
  return setPayment(trx, credited.id, {
    payment_intent: intent_id,
    checkout_url: null,
    card_fingerprint,
    // Clears the reason of an earlier failed attempt.
    ...(payment.state === 'pending' && { reason: null }),
  });
}

/** Locks the payment credited under this Stripe ID. */
const lockByIntent = (trx: Tx, intent_id: string): Promise<PaymentRow | undefined> =>
  trx
    .selectFrom('payments')
    .selectAll()
    .where('driver', '=', 'stripe')
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('payment_receipts')
        .select('payment_id')
        .where('reference_key', '=', intent_id)
        .where('reversed_at', 'is', null),
    )
    .forUpdate()
    .executeTakeFirst();

interface Return {
  intent_id: string;
  id: string;
  cents: number;
}

/**
 * Books a refund that was paid out, or that the bank returned, each once. @returns the payment if something was
 * booked, null if it was booked already, undefined if there is no such payment
 */
export async function bookRefund(
  trx: Tx,
  { intent_id, id, cents, failed }: Return & { failed: boolean },
): Promise<PaymentRow | null | undefined> {
  const payment = await lockByIntent(trx, intent_id);
  if (!payment) return undefined;
  await lockLedger(trx, payment.team_id);
  await endRefund(
    trx,
    { refund_id: id },
    failed ? { state: 'failed', why: 'The bank sent the refund back.' } : { state: 'done' },
  );
  const amount = cents * CENT_MICROS;
  const posting = {
    team_id: payment.team_id,
    kind: 'refund',
    source_id: id,
    effective_at: new Date(),
  } as const;
  // A refund that failed before it was booked took nothing.
  if (failed && !(await isBooked(trx, 'card_refund', id))) return null;
  const posted = await post(trx, {
    ...posting,
    source_type: failed ? 'card_refund_failed' : 'card_refund',
    description: failed
      ? `Refund of ${payment.reference} was sent back`
      : `Refund of card payment ${payment.reference}`,
    entries: failed ? transfer('cash:stripe', 'prepaid', amount) : transfer('prepaid', 'cash:stripe', amount),
  });
  if (!posted) return null;
  return setReturned(trx, payment, {
    change: failed ? -amount : amount,
    why: failed ? 'refund_failed' : 'refund',
    source_id: `${id}${failed ? '/failed' : ''}`,
  });
}

/** Books amounts taken and returned by a dispute, each once. @returns as `bookRefund` */
export async function bookDispute(
  trx: Tx,
  { intent_id, id, cents, reinstated }: Return & { reinstated: boolean },
): Promise<PaymentRow | null | undefined> {
  const payment = await lockByIntent(trx, intent_id);
  if (!payment) return undefined;
  await lockLedger(trx, payment.team_id);
  const amount = cents * CENT_MICROS;
  const posting = {
    team_id: payment.team_id,
    source_type: 'card_dispute',
    source_id: id,
    effective_at: new Date(),
  };
  const taken = await post(trx, {
    ...posting,
    kind: 'dispute',
    description: `Card payment ${payment.reference} is disputed`,
    entries: transfer('prepaid', 'dispute:stripe', amount),
  });
  const given =
    reinstated &&
    (await post(trx, {
      ...posting,
      kind: 'dispute_reversal',
      description: `Dispute of card payment ${payment.reference} was won`,
      entries: transfer('dispute:stripe', 'prepaid', amount),
    }));
  if (!taken && !given) return null;
  const change = (taken ? amount : 0) - (given ? amount : 0);
  return setReturned(trx, payment, {
    change,
    why: given ? 'dispute_won' : 'dispute',
    source_id: `${id}${given ? '/won' : ''}`,
  });
}

/**
 * Records the returned amount of a payment, reverses its share of the payment's bonuses, and notifies payers.
 */
async function setReturned(
  trx: Tx,
  payment: PaymentRow,
  {
    change,
    why,
    source_id,
  }: { change: number; why: Parameters<typeof returnedNotice>[2]; source_id: string },
): Promise<PaymentRow> {
  if (change !== 0)
    await notifyPayers(
      trx,
      payment.team_id,
      `returned:${source_id}`,
      returnedNotice(payment.reference, Math.abs(change), why),
    );
  const returned_micros = payment.returned_micros + change;
  await alignBonuses(trx, payment, {
    returned: returned_micros,
    received: payment.received_micros,
    source_id,
  });
  return setPayment(trx, payment.id, { returned_micros });
}

async function isBooked(trx: Tx, source_type: string, source_id: string): Promise<boolean> {
  const found = await trx
    .selectFrom('ledger_transactions')
    .select('id')
    .where('source_type', '=', source_type)
    .where('source_id', '=', source_id)
    .executeTakeFirst();
  return found !== undefined;
}
