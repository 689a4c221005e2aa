import { sql } from 'kysely';
import { formatMicros } from '../../../console/lib/billing/money';
import { publicId } from '../../domain/core/publicId';
import { appendAudit, type AuditRow } from '../audit/auditLog';
import type { Db, Tx } from '../core/client';
import { heldFunds, lockFunds } from './holds';
import { currentBalance } from './accrued';
import { failFinanceAction } from './financeActions';
import { lockLedger } from './ledger';
import { lockPayment } from './payments';
import type { CardRefundRow, PaymentRow } from './paymentsTables';

/** Returns the team's prepaid money set aside for refunds that Stripe hasn't paid out yet, in micro-dollars. */
async function pendingRefunds(db: Db | Tx, team_id: number, payment_id?: number): Promise<number> {
  const { sum } = await db
    .selectFrom('card_refunds')
    .select(({ fn }) => fn.sum<number | null>('amount_micros').as('sum'))
    .where('team_id', '=', team_id)
    .where('state', '=', 'pending')
    .$if(payment_id !== undefined, (query) => query.where('payment_id', '=', payment_id!))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

export interface Refundable {
  payment: PaymentRow;
  /**
   * Remaining amount of the payment, and of the team's prepaid money after usage and amounts set aside;
   * micro-dollars.
   */
  left: number;
  prepaid: number;
}

/** Locks a payment and its team's money, and returns the refundable amount. */
export async function lockRefundable(trx: Tx, payment_id: number): Promise<Refundable | undefined> {
  const found = await trx
    .selectFrom('payments')
    .select('team_id')
    .where('id', '=', payment_id)
    .executeTakeFirst();
  if (!found) return undefined;
  await lockFunds(trx, found.team_id);
  const payment = await lockPayment(trx, { id: payment_id });
  if (!payment) return undefined;
  await lockLedger(trx, payment.team_id);
  const now = new Date();
  const { unused_prepaid, balance, held_ai } = await currentBalance(trx, payment.team_id, now);
  return {
    payment,
    left:
      payment.received_micros -
      payment.returned_micros -
      (await pendingRefunds(trx, payment.team_id, payment.id)),
    // Credits pay first, including for amounts set aside.
    prepaid: Math.min(
      unused_prepaid - (await pendingRefunds(trx, payment.team_id)),
      balance - held_ai - (await heldFunds(trx, payment.team_id, now)),
    ),
  };
}

export const refundOfRequest = (trx: Tx, request_key: string): Promise<CardRefundRow | undefined> =>
  trx.selectFrom('card_refunds').selectAll().where('request_key', '=', request_key).executeTakeFirst();

export const insertRefund = (
  trx: Tx,
  refund: Pick<
    CardRefundRow,
    'payment_id' | 'team_id' | 'request_key' | 'amount_micros' | 'reason' | 'created_by' | 'finance_action_id'
  >,
): Promise<CardRefundRow> =>
  trx
    .insertInto('card_refunds')
    .values({ ...refund, public_id: publicId('ref') })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Records a refund's Stripe ID, or when Stripe was asked about it. */
export const setRefund = (
  trx: Db | Tx,
  id: number,
  change: Partial<Pick<CardRefundRow, 'refund_id'>> & { updated_at?: Date },
) =>
  trx
    .updateTable('card_refunds')
    .set({ updated_at: new Date(), ...change })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();

/**
 * Ends a refund requested by this server. One that the bank returns was done before. A failed refund also fails
 * its finance action.
 * @param refund_id Stripe's ID
 * @param why shown to finance staff
 */
export async function endRefund(
  trx: Tx,
  refund: Pick<CardRefundRow, 'id'> | { refund_id: string },
  outcome: { state: 'done' } | { state: 'failed'; why: string },
): Promise<void> {
  const [column, value] =
    'id' in refund ? (['id', refund.id] as const) : (['refund_id', refund.refund_id] as const);
  const ended = await trx
    .updateTable('card_refunds')
    .set({ state: outcome.state, updated_at: new Date() })
    .where(column, '=', value)
    .where(
      'state',
      'in',
      outcome.state === 'failed' && column === 'refund_id' ? ['pending', 'done'] : ['pending'],
    )
    .returning('finance_action_id')
    .executeTakeFirst();
  const action = ended?.finance_action_id;
  if (outcome.state === 'failed' && action) await failFinanceAction(trx, action, outcome.why);
}

export type UnsettledRefund = CardRefundRow & { payment_intent: string };

/**
 * Returns refunds without an outcome: the process died, Stripe was down, or the bank is slow. Each is due after
 * a minute, then whenever its waiting time has doubled, after six hours at the latest.
 */
export const unsettledRefunds = (db: Db, now: Date, limit: number): Promise<UnsettledRefund[]> =>
  db
    .selectFrom('card_refunds as r')
    .innerJoin('payments as p', 'p.id', 'r.payment_id')
    .selectAll('r')
    .select('p.payment_intent')
    .where('r.state', '=', 'pending')
    .where('p.payment_intent', 'is not', null)
    .where(
      sql<boolean>`r.updated_at + greatest(interval '1 minute', least(r.updated_at - r.created_at, interval '6 hours')) <= ${now}`,
    )
    .orderBy('r.updated_at')
    .limit(limit)
    .$narrowType<{ payment_intent: string }>()
    .execute();

/** The actor for a refund: the job, or an administrator with the request's details. */
export type RefundActor =
  | Pick<AuditRow, 'actor_kind'>
  | Pick<AuditRow, 'actor_kind' | 'actor_user_id' | 'ip' | 'user_agent' | 'request_id'>;

/** Audits a refund request's effects in a separate transaction. */
export const auditAs =
  (trx: Tx, actor: RefundActor) =>
  (entry: Omit<Parameters<typeof appendAudit>[1][number], 'actor_kind'>): Promise<void> =>
    appendAudit(trx, [{ ...actor, ...entry }]);

/** Records in the team's audit log what happens to a refund of one of its payments. */
export async function auditRefund(
  trx: Tx,
  { payment_id, team_id, amount_micros, reason }: CardRefundRow,
  action: string,
  actor: RefundActor,
  /** Why Stripe refused it. */
  refusal?: string,
): Promise<void> {
  const { public_id } = await trx
    .selectFrom('payments')
    .select('public_id')
    .where('id', '=', payment_id)
    .executeTakeFirstOrThrow();
  const after = { amount: formatMicros(amount_micros), reason, ...(refusal !== undefined && { refusal }) };
  await appendAudit(trx, [
    { ...actor, team_id, action, target_kind: 'payment', target_id: public_id, after },
  ]);
}
