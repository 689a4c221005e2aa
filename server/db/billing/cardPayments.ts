import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { PaymentRow, StripeEventsTable } from './paymentsTables';
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

/** Returns card payments that wait for money since before `before`, the least recently checked first. */
export const waitingCardPayments = (db: Db, before: Date, limit: number): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('driver', '=', 'stripe')
    .where('state', '=', 'pending')
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute();

interface Received {
  payment_id: string;
  intent_id: string;
  cents: number;
}

/**
 * Credits a card payment that succeeded, once, with the amount that arrived. @returns the payment; null if it was credited
 * already; undefined if there is no such payment
 */
export async function creditCardPayment(
  trx: Tx,
  { payment_id, intent_id, cents }: Received,
): Promise<PaymentRow | null | undefined> {
  const payment = await lockPayment(trx, { public_id: payment_id });
  if (payment?.driver !== 'stripe') return undefined;
  if (await findReceipt(trx, intent_id)) return null;
  const credited = await creditReceipt(trx, payment, {
    amount_micros: cents * CENT_MICROS,
    bank_reference: intent_id,
    received_at: new Date(),
    confirmed_by: null,
  });
  return setPayment(trx, credited.id, { payment_intent: intent_id, checkout_url: null });
}
