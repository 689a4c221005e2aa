import { sql } from 'kysely';
import { formatMicros, formatUsd } from '../../../console/lib/billing/money';
import { transfer } from '../../domain/billing/ledger';
import type { Tx } from '../core/client';
import { openNotices, recipientsOf } from '../notifications/notifications';
import { alignBonuses } from './bonuses';
import { lockLedger, post } from './ledger';
import { setPayment } from './payments';
import type { PaymentReceiptRow, PaymentRow } from './paymentsTables';

/** Locks a receipt of a payment that still counts. */
export const lockReceipt = (
  trx: Tx,
  payment_id: number,
  reference_key: string,
): Promise<PaymentReceiptRow | undefined> =>
  trx
    .selectFrom('payment_receipts')
    .selectAll()
    .where('payment_id', '=', payment_id)
    // Transfers counted twice before keys existed have their own key (migration 0195_receipt_keys).
    .where((eb) =>
      eb.or([
        eb('reference_key', '=', reference_key),
        eb(sql<string>`split_part(reference_key, ' again ', 1)`, '=', reference_key),
      ]),
    )
    .where('reversed_at', 'is', null)
    // The duplicate is reversed first.
    .orderBy('id', 'desc')
    .forUpdate()
    .executeTakeFirst();

/** Who reverses money, and the texts for payers and the ledger. */
interface Reversal {
  reason: string;
  /** Null: the server. */
  user_id: number | null;
  now: Date;
  /** What was reversed and why, before the reason: “Bank transfer TH-… was confirmed by mistake”. */
  what: string;
  title: string;
}

/**
 * Reverses money that was credited by mistake, or that a chain undid, with its share of the payment's bonuses,
 * by a posting that corrects the first. The balance may become negative.
 */
export async function reverseReceipt(
  trx: Tx,
  payment: PaymentRow,
  receipt: PaymentReceiptRow,
  { reason, user_id, now, what, title }: Reversal,
): Promise<PaymentRow> {
  const { id, team_id } = payment;
  await lockLedger(trx, team_id);
  const booked = await trx
    .selectFrom('ledger_transactions')
    .select('id')
    .where('source_type', '=', 'payment_receipt')
    .where('source_id', '=', String(receipt.id))
    .where('kind', '=', 'top_up')
    .executeTakeFirstOrThrow();
  await post(trx, {
    team_id,
    kind: 'adjustment',
    source_type: 'payment_receipt',
    source_id: String(receipt.id),
    description: `${what}: ${reason}`,
    effective_at: now,
    entries: transfer('prepaid', `cash:${payment.driver}`, receipt.amount_micros),
    corrects: booked.id,
  });
  await trx
    .updateTable('payment_receipts')
    .set({ reversed_at: now, reversed_by: user_id, reversed_reason: reason })
    .where('id', '=', receipt.id)
    .execute();
  const left = payment.received_micros - receipt.amount_micros;
  await alignReversed(trx, payment, receipt.id);
  await notify(trx, payment, { amount: receipt.amount_micros, reason, now, what, title });
  return setPayment(trx, id, {
    received_micros: left,
    state: left === 0 ? 'reversed' : left < payment.amount_micros ? 'part_paid' : 'paid',
    reason: left === 0 ? reason : payment.reason,
  });
}

async function alignReversed(trx: Tx, payment: PaymentRow, receipt_id: number): Promise<void> {
  const receipts = await trx
    .selectFrom('payment_receipts')
    .select(['amount_micros', 'reversed_at'])
    .where('payment_id', '=', payment.id)
    .execute();
  const sum = (rows: typeof receipts) => rows.reduce((total, { amount_micros }) => total + amount_micros, 0);
  await alignBonuses(trx, payment, {
    returned: sum(receipts.filter(({ reversed_at }) => reversed_at !== null)),
    received: sum(receipts),
    source_id: `receipt ${receipt_id}`,
  });
}

async function notify(
  trx: Tx,
  { team_id, public_id }: PaymentRow,
  { amount, reason, now, what, title }: Omit<Reversal, 'user_id'> & { amount: number },
): Promise<void> {
  await openNotices(
    trx,
    {
      state: 'open',
      kind: 'payment',
      subject: `reversed:${public_id}`,
      severity: 'error',
      title,
      message: `${what}. Your balance is ${formatUsd(amount)} lower. ${reason}`,
    },
    { team_id, cvm_id: null, at: now },
    await recipientsOf(trx, team_id, 'payment'),
  );
}

/** Describes the receipt for the audit log. */
export const reversedReceipt = ({ amount_micros, bank_reference }: PaymentReceiptRow) => ({
  amount: formatMicros(amount_micros),
  bank_reference,
});
