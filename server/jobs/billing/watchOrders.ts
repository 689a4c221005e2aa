import { sql } from 'kysely';
import type { Logger } from 'pino';
import { formatMicros } from '../../../console/lib/billing/money';
import { appendAudit } from '../../db/audit/auditLog';
import { budgetExceededBy } from '../../db/billing/budgets';
import { fundsOf } from '../../db/billing/funds';
import { lockLedger } from '../../db/billing/ledger';
import { cover, coversToMove, extendCover, moveCover, uncover } from '../../db/billing/orders/cover';
import { addOrderEvent } from '../../db/billing/orders/orderEvents';
import {
  isInDebt,
  lockOrder,
  nextEnd,
  payTerm,
  pendingOrders,
  priceOf,
  setOrder,
} from '../../db/billing/orders/orders';
import type { OrderProductRow, OrderRow } from '../../db/billing/orders/ordersTables';
import { closeOrder } from '../../db/billing/orders/refundOrder';
import { cancelUnpaid } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { renewalRefusal } from '../../domain/billing/budget';
import { availableFunds } from '../../domain/billing/funds';
import type { RenewalRefusal } from '../../domain/billing/orders/order';

/** Orders handled per query. */
const BATCH_SIZE = 200;
/** Retry interval of a renewal that could not be paid. */
const RENEW_AGAIN_MS = 5 * 60_000;

interface Parts {
  db: Db;
  log: Logger;
  now: Date;
}

/**
 * Advances orders: charges those whose payment has arrived, starts and ends them, reminds payers, handles
 * renewals, and assigns each to a CVM. Each order is its own transaction and is read again under its locks.
 */
export async function watchOrders(parts: Parts): Promise<void> {
  const { db, log, now } = parts;
  const retry = (id: number) => (err: unknown) =>
    log.error({ err, order: id }, 'failed to process an order; retrying in the next run');
  // Each once: some stay due, for example while their team owes money, and must not delay later ones.
  for (
    let after = 0, ids = await dueOrders(db, now, after);
    ids.length > 0;
    ids = await dueOrders(db, now, after)
  )
    for (const id of ids) {
      await withTransaction(db, (trx) => advance(trx, id, now)).catch(retry(id));
      after = id;
    }
  for (const { id, isClosed, isStale } of await coversToMove(db, now, BATCH_SIZE))
    await withTransaction(db, async (trx) => {
      const found = await lockOrder(trx, { id });
      if (!found) return;
      if (isClosed) await uncover(trx, found.order);
      else if (isStale) await extendCover(trx, found.order);
      else await moveCover(trx, found.order);
    }).catch(retry(id));
}

async function dueOrders(db: Db, now: Date, after: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where o.state in ('pending', 'paid', 'active') and o.id > ${after} and (
      (o.state = 'pending' and (o.pay_until <= ${now} or exists (select from teams t where t.id = o.team_id and t.deleted_at is not null)
        or (select coalesce(sum(b.amount_micros), 0) from ledger_balances b
          where b.team_id = o.team_id and b.account in ('prepaid', 'credits'))
          + (select post_paid_cap_micros from teams t where t.id = o.team_id) >= o.price_micros * o.periods
        or exists (select from payments p where p.id = o.payment_id and p.state in ('cancelled', 'rejected', 'reversed'))))
      or (o.state = 'paid' and o.starts_at <= ${now})
      or (o.state = 'active' and (o.ends_at <= ${now} or o.notice_at <= ${now} or o.renew_at <= ${now})))
    order by o.id limit ${BATCH_SIZE}`.execute(db);
  return rows.map(({ id }) => id);
}

async function advance(trx: Tx, id: number, now: Date): Promise<void> {
  const found = await lockOrder(trx, { id });
  if (!found) return;
  const { order, product } = found;
  if (order.state === 'pending') await settlePending(trx, order, product, now);
  else if (order.state === 'paid') await begin(trx, order, now);
  else if (order.state === 'active') await keep(trx, order, product, now);
}

/**
 * Handles an order that waits for payment: charges it once the balance covers it, and releases its place in
 * time.
 */
async function settlePending(trx: Tx, order: OrderRow, product: OrderProductRow, now: Date): Promise<void> {
  const { over, is_paid, paid_in_time } = await pendingState(trx, order);
  const isLate = order.pay_until !== null && order.pay_until <= now;
  // A payment just before the deadline counts, although this run comes after it.
  const late =
    !isLate || paid_in_time ? null : is_paid ? 'Its payment arrived too late.' : 'It was not paid in time.';
  const lacking = late ?? (over === null ? await whyUnpaid(trx, order) : null);
  const reason = over ?? (isLate ? lacking : null);
  if (reason !== null) {
    await cancelPayment(trx, order);
    const closed = await closeOrder(trx, order, { state: 'cancelled', at: now, reason });
    await addOrderEvent(trx, closed, 'expired', { reason });
    return audit(trx, closed, 'order.cancel', { reason });
  }
  if (lacking !== null) return;
  const start = order.starts_at !== null && order.starts_at > now ? order.starts_at : now;
  const { ends_at } = await nextEnd(trx, order, start);
  if (product.ends_at !== null && ends_at > product.ends_at) {
    const reason = 'The capacity is no longer available for the whole term.';
    await cancelPayment(trx, order);
    const closed = await closeOrder(trx, order, { state: 'cancelled', at: now, reason });
    await addOrderEvent(trx, closed, 'cancelled', { reason });
    return audit(trx, closed, 'order.cancel', { reason });
  }
  // Other money covers the order: its payment, if it is still open, would pay for nothing. Locked before the
  // ledger, like payments being credited.
  const unpaid = order.payment_id === null ? null : await cancelUnpaid(trx, order.payment_id);
  const paid = await payTerm(trx, order, start, now);
  if (paid.state === 'active') await cover(trx, paid, null);
  await addOrderEvent(trx, paid, paid.state === 'active' ? 'started' : 'paid');
  await auditCanceled(trx, unpaid);
  await audit(trx, paid, 'order.pay', { amount: formatMicros(priceOf(paid)), ends_at: iso(paid.ends_at) });
}

/** Returns why the balance can't pay a pending order, or null if it can. */
async function whyUnpaid(trx: Tx, order: OrderRow): Promise<string | null> {
  if (await isInDebt(trx, order.team_id)) return 'The team owed money.';
  const covers = availableFunds(await fundsOf(trx, order.team_id)) >= priceOf(order);
  return covers ? null : 'The balance did not cover it in time.';
}

/**
 * Cancels a payment that is no longer needed. Another run closes its page; money that still arrives belongs to
 * the team.
 */
const cancelPayment = async (trx: Tx, { payment_id }: OrderRow): Promise<void> =>
  auditCanceled(trx, payment_id === null ? null : await cancelUnpaid(trx, payment_id));

async function auditCanceled(trx: Tx, payment: PaymentRow | null): Promise<void> {
  if (!payment) return;
  const { team_id, public_id: target_id } = payment;
  const canceled = { action: 'payment.cancel', target_kind: 'payment', target_id } as const;
  await appendAudit(trx, [{ actor_kind: 'system', team_id, ...canceled }]);
}

interface PendingState {
  /** Why the order can't be paid anymore, apart from its deadline; null if it can. */
  over: string | null;
  /** Whether its payment has arrived in full, and whether it had by the deadline. */
  is_paid: boolean;
  paid_in_time: boolean;
}

async function pendingState(trx: Tx, { team_id, payment_id, pay_until }: OrderRow): Promise<PendingState> {
  const { rows } = await sql<{
    deleted: boolean;
    payment: string | null;
    paid_in_time: boolean;
  }>`
    select t.deleted_at is not null as deleted, p.state as payment, coalesce(p.amount_micros <= (
        select sum(r.amount_micros) from payment_receipts r where r.payment_id = p.id and r.reversed_at is null
          and r.created_at <= ${pay_until}), false) as paid_in_time
    from teams t left join payments p on p.id = ${payment_id} where t.id = ${team_id}`.execute(trx);
  const payment = rows[0]?.payment ?? null;
  const isCanceled = payment === 'cancelled' || payment === 'rejected' || payment === 'reversed';
  return {
    over: rows[0]?.deleted ? 'The team was deleted.' : isCanceled ? 'Its payment was canceled.' : null,
    is_paid: payment === 'paid',
    paid_in_time: rows[0]?.paid_in_time ?? false,
  };
}

async function begin(trx: Tx, order: OrderRow, now: Date): Promise<void> {
  if (order.starts_at === null || order.starts_at > now) return;
  const active = await setOrder(trx, order.id, { state: 'active' });
  await cover(trx, active, active.starts_at);
  await addOrderEvent(trx, active, 'started');
  await audit(trx, active, 'order.begin', { ends_at: iso(active.ends_at) });
}

/** Handles an active order: its end, its renewal, and the reminder for either. */
async function keep(trx: Tx, order: OrderRow, product: OrderProductRow, now: Date): Promise<void> {
  if (order.ends_at === null) return;
  if (order.ends_at <= now) {
    const ended = await closeOrder(trx, order, { state: 'ended', at: now, reason: null });
    await addOrderEvent(trx, ended, 'ended');
    return audit(trx, ended, 'order.end', { ends_at: iso(ended.ends_at) });
  }
  let current = order;
  if (current.renews && current.renew_at !== null && current.renew_at <= now)
    current = await renew(trx, current, product, { now, ends_at: order.ends_at });
  if (current.notice_at !== null && current.notice_at <= now) {
    await addOrderEvent(trx, current, 'ending');
    await setOrder(trx, current.id, { notice_at: null });
    await audit(trx, current, 'order.remind', { ends_at: iso(current.ends_at) });
  }
}

async function renew(
  trx: Tx,
  order: OrderRow,
  product: OrderProductRow,
  { now, ends_at }: { now: Date; ends_at: Date },
): Promise<OrderRow> {
  const next = await nextEnd(trx, order, ends_at);
  const refused =
    product.state === 'retired'
      ? 'It is no longer offered.'
      : product.version !== order.product_version
        ? 'Its price or rules have changed: order it again if you agree.'
        : product.ends_at !== null && next.ends_at > product.ends_at
          ? 'The capacity is not available for another term.'
          : null;
  if (refused !== null) {
    const left = await setOrder(trx, order.id, { renews: false, renew_at: null, notice_at: null });
    await addOrderEvent(trx, left, 'renewal_failed', { reason: refused });
    await audit(trx, left, 'order.renewal_end', { reason: refused });
    return left;
  }
  const missing = await whyNotNow(trx, order);
  if (missing !== null) {
    const again = new Date(now.getTime() + RENEW_AGAIN_MS);
    const told = order.renewal_told;
    const isTold = told.includes(missing.kind);
    const waits = await setOrder(trx, order.id, {
      renew_at: again,
      renewal_told: isTold ? told : [...told, missing.kind],
    });
    if (isTold) return waits;
    const { kind: why, reason } = missing;
    await addOrderEvent(trx, waits, 'renewal_failed', { reason, why });
    await audit(trx, waits, 'order.renewal_wait', { amount: formatMicros(priceOf(order)), reason });
    return waits;
  }
  const renewed = await payTerm(trx, order, ends_at, now);
  await extendCover(trx, renewed);
  await addOrderEvent(trx, renewed, 'renewed');
  await audit(trx, renewed, 'order.renew', {
    amount: formatMicros(priceOf(renewed)),
    ends_at: iso(renewed.ends_at),
  });
  return renewed;
}

/** Returns why the next term can't be charged now. The reason may change before the current term ends. */
async function whyNotNow(trx: Tx, order: OrderRow): Promise<{ kind: RenewalRefusal; reason: string } | null> {
  const total = priceOf(order);
  // Locked before budgets are read, so that no hour is posted in between.
  await lockLedger(trx, order.team_id);
  if ((await isInDebt(trx, order.team_id)) || availableFunds(await fundsOf(trx, order.team_id)) < total)
    return {
      kind: 'funds',
      reason: 'The balance doesn’t cover the next term. Renewal is retried until the term ends: add funds.',
    };
  const { total: waiting } = await pendingOrders(trx, order.team_id);
  const exceeded = await budgetExceededBy(trx, order.team_id, {
    total,
    waiting,
    // The date `payTerm` uses for the charge.
    now: new Date(),
  });
  return (
    exceeded && {
      kind: 'budget',
      reason: renewalRefusal(exceeded.budget, { total, left: exceeded.left }),
    }
  );
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

const audit = (trx: Tx, order: OrderRow, action: string, after: Record<string, string | null>) =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: order.team_id,
      action,
      target_kind: 'order',
      target_id: order.public_id,
      after: { state: order.state, ...after },
    },
  ]);
