import { OPEN_ORDER } from '../../../../console/lib/billing/allowedActions';
import type { OrderState } from '../../../../generated/api/types.gen';
import { giveBack } from '../../../domain/billing/ledger';
import { refundOf } from '../../../domain/billing/orders/order';
import { publicId } from '../../../domain/core/publicId';
import type { Tx } from '../../core/client';
import { reopenGrants } from '../grants';
import { lockLedger, post } from '../ledger';
import { chargesOf } from '../usage';
import { uncover } from './cover';
import { setOrder, termsOf, type OpenTerm } from './orders';
import type { OrderRow } from './ordersTables';

/** Refunds parts of a locked order's terms to the funds that paid for them. @returns their sum */
export async function refundTerms(
  trx: Tx,
  order: Pick<OrderRow, 'id' | 'public_id' | 'team_id' | 'name'>,
  parts: readonly { term: OpenTerm; amount: number }[],
  { reason, user_id }: { reason: string; user_id: number | null },
): Promise<number> {
  await lockLedger(trx, order.team_id);
  let sum = 0;
  for (const { term, amount } of parts) {
    if (amount <= 0) continue;
    const public_id = publicId('ref');
    // Remainder of the charge after earlier refunds.
    const [charged] = await chargesOf(trx, [term.transaction_id]);
    if (!charged) throw new Error(`the charge of term ${term.number} of ${order.public_id} is missing`);
    const entries = giveBack(amount, charged.entries);
    const posted = await post(trx, {
      team_id: order.team_id,
      kind: 'order_refund',
      source_type: 'order_refund',
      source_id: public_id,
      description: `Refund of ${order.name}: ${reason}`,
      effective_at: new Date(),
      corrects: term.transaction_id,
      entries,
    });
    if (!posted) throw new Error(`refund ${public_id} is booked already`);
    await reopenGrants(trx, entries);
    await trx
      .insertInto('order_refunds')
      .values({
        public_id,
        order_id: order.id,
        number: term.number,
        amount_micros: amount,
        reason,
        transaction_id: posted.id,
        created_by: user_id,
      })
      .execute();
    sum += amount;
  }
  return sum;
}

/** Returns the refund per term for canceling a locked order by its rules. */
export const refundByRules = async (
  trx: Tx,
  order: OrderRow,
  at: Date,
): Promise<{ term: OpenTerm; amount: number }[]> =>
  (await termsOf(trx, order.id, at)).map((term) => ({ term, amount: refundOf(term, order, at) }));

/**
 * Distributes an amount over the paid and unrefunded terms of a locked order, latest first. @returns null if
 * they don't cover the amount
 */
export async function refundOfAmount(
  trx: Tx,
  order: OrderRow,
  amount: number,
): Promise<{ term: OpenTerm; amount: number }[] | null> {
  let left = amount;
  const parts: { term: OpenTerm; amount: number }[] = [];
  for (const term of (await termsOf(trx, order.id, new Date(0))).toReversed()) {
    const part = Math.min(left, term.amount_micros - term.refunded_micros);
    left -= part;
    parts.push({ term, amount: part });
  }
  return left > 0 ? null : parts;
}

/** Ends a locked order. Covered usage is charged as usual from `at`, and its place in the stock is free. */
export async function closeOrder(
  trx: Tx,
  order: OrderRow,
  {
    state,
    at,
    reason,
  }: { state: Extract<OrderState, 'ended' | 'cancelled' | 'refunded'>; at: Date; reason: string | null },
): Promise<OrderRow> {
  const hasBegun = order.starts_at !== null && order.starts_at < at;
  const closed = await setOrder(trx, order.id, {
    state,
    closed_at: at,
    reason,
    renews: false,
    pay_until: null,
    notice_at: null,
    renew_at: null,
    // An order that never started keeps its dates, which document the canceled term.
    ...(state !== 'ended' && hasBegun && order.ends_at !== null && order.ends_at > at ? { ends_at: at } : {}),
  });
  await uncover(trx, closed);
  return closed;
}

/**
 * Ends a deleted team's orders without a refund, because it has no balance anymore. @returns how many orders
 */
export async function endOrdersOf(trx: Tx, team_id: number): Promise<number> {
  const now = new Date();
  const ended = await trx
    .updateTable('orders')
    .set({
      state: 'cancelled',
      closed_at: now,
      reason: 'The team was deleted.',
      renews: false,
      pay_until: null,
      notice_at: null,
      renew_at: null,
      updated_at: now,
    })
    .where('team_id', '=', team_id)
    .where('state', 'in', [...OPEN_ORDER])
    .returning('id')
    .execute();
  return ended.length;
}
