import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { receiptKey } from '../../domain/billing/bankReference';
import { transfer } from '../../domain/billing/ledger';
import { receivedNotice } from '../../domain/billing/paymentNotice';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import { notifyLatePayment } from '../notifications/financeNotices';
import { grantBonuses } from './bonuses';
import { lockLedger, post } from './ledger';
import { redeemWelcome } from './promotionCodes';
import { notifyPayers } from './paymentNotices';
import type { PaymentRow } from './paymentsTables';

/** Excludes letters that look like digits, because payers type the reference into their bank's form. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** @returns a reference such as TH-7K2M9QXD: 40 random bits, unique by the table's constraint */
const newReference = () =>
  `TH-${Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;

export const insertPayment = (
  trx: Tx,
  given: Pick<PaymentRow, 'team_id' | 'amount_micros' | 'created_by' | 'driver'> &
    Partial<Pick<PaymentRow, 'saves_card' | 'card_consent' | 'automatic'>>,
): Promise<PaymentRow> =>
  trx
    .insertInto('payments')
    .values({
      ...given,
      public_id: publicId('pay'),
      reference: newReference(),
      reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns a team's payments, newest first, after `before` in that order. */
export const listPaymentRows = (
  db: Db,
  team_id: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('team_id', '=', team_id)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Counts pending payments. */
export async function openPayments(trx: Tx, team_id: number): Promise<number> {
  const { count } = await trx
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', team_id)
    .where('state', 'in', ['pending', 'part_paid'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const lockPayment = (
  trx: Tx,
  by: { id: number } | { public_id: string; team_id?: number },
): Promise<PaymentRow | undefined> =>
  trx
    .selectFrom('payments')
    .selectAll()
    .$if('id' in by, (query) => query.where('id', '=', (by as { id: number }).id))
    .$if('public_id' in by, (query) => {
      const { public_id, team_id } = by as { public_id: string; team_id?: number };
      const found = query.where('public_id', '=', public_id);
      return team_id === undefined ? found : found.where('team_id', '=', team_id);
    })
    .forUpdate()
    .executeTakeFirst();

/** Whether the saved card may have been charged for a pending payment, without a reply from Stripe so far. */
export const hasUnknownOutcome = ({ automatic, reason }: PaymentRow): boolean => automatic && reason === null;

/**
 * Cancels a payment that received no money, with its order. A Stripe page keeps its address until a job has
 * closed it. @returns the payment; null if it stays
 */
export async function cancelUnpaid(trx: Tx, payment_id: number): Promise<PaymentRow | null> {
  const payment = await lockPayment(trx, { id: payment_id });
  if (payment?.state !== 'pending' || hasUnknownOutcome(payment)) return null;
  return setPayment(trx, payment.id, { state: 'cancelled' });
}

/**
 * Cancels a deleted team's payments that received no money, except those being credited at this moment. As with
 * `cancelUnpaid`, a job closes their pages. @returns how many
 */
export async function cancelPaymentsOf(trx: Tx, team_id: number): Promise<number> {
  const open = await trx
    .selectFrom('payments')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('state', '=', 'pending')
    .forUpdate()
    .skipLocked()
    .execute();
  const canceled = open.filter((payment) => !hasUnknownOutcome(payment));
  for (const { id } of canceled)
    await setPayment(trx, id, { state: 'cancelled', reason: 'The team was deleted.' });
  return canceled.length;
}

export async function setPayment(
  trx: Tx,
  id: number,
  change: Partial<
    Pick<
      PaymentRow,
      | 'state'
      | 'reason'
      | 'received_micros'
      | 'returned_micros'
      | 'checkout_session'
      | 'checkout_url'
      | 'payment_intent'
      | 'card_fingerprint'
    >
  >,
): Promise<PaymentRow> {
  return trx
    .updateTable('payments')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const DESCRIPTIONS: Record<PaymentRow['driver'], string> = {
  manual: 'Bank transfer',
  stripe: 'Card payment',
  usdc: 'USDC deposit',
};

export interface Receipt {
  amount_micros: number;
  /** The bank's transfer number, Stripe's ID of a card payment, or the position of a deposit on its chain. */
  bank_reference: string;
  received_at: Date;
  confirmed_by: number | null;
}

/**
 * Serializes confirmations of the same transfer until the transaction ends.
 * @returns the receipt with this key (`receiptKey`), whichever payment it belongs to
 */
export async function findReceipt(trx: Tx, reference_key: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`receipt/${reference_key}`}, 0))`.execute(trx);
  return trx
    .selectFrom('payment_receipts')
    .select(['payment_id', 'amount_micros'])
    .where('reference_key', '=', reference_key)
    .where('reversed_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Credits money received for a locked payment, with bonuses from redeemed codes. Money for a canceled or
 * rejected payment is credited, too, because it belongs to the team. Payers are notified; for a deleted team,
 * finance is.
 */
export async function creditReceipt(trx: Tx, payment: PaymentRow, receipt: Receipt): Promise<PaymentRow> {
  await lockLedger(trx, payment.team_id);
  await notifyLatePayment(trx, payment, receipt.amount_micros);
  const { id } = await trx
    .insertInto('payment_receipts')
    .values({
      ...receipt,
      payment_id: payment.id,
      reference_key: receiptKey(payment.driver, receipt.bank_reference),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await post(trx, {
    team_id: payment.team_id,
    kind: 'top_up',
    source_type: 'payment_receipt',
    source_id: String(id),
    description: `${DESCRIPTIONS[payment.driver]} ${payment.reference}`,
    effective_at: receipt.received_at,
    entries: transfer(`cash:${payment.driver}`, 'prepaid', receipt.amount_micros),
  });
  await redeemWelcome(trx, payment, receipt.amount_micros);
  await grantBonuses(trx, payment, receipt.amount_micros);
  const received_micros = payment.received_micros + receipt.amount_micros;
  await notifyPayers(
    trx,
    payment.team_id,
    `received:${id}`,
    receivedNotice({ ...payment, received_micros }, receipt.amount_micros),
  );
  return setPayment(trx, payment.id, {
    received_micros,
    state: received_micros >= payment.amount_micros ? 'paid' : 'part_paid',
  });
}
