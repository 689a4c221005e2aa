import { formatMicros, formatUsd, parseMicros } from '../../../../console/lib/billing/money';
import { budgetExceededBy } from '../../../db/billing/budgets';
import { fundsOf } from '../../../db/billing/funds';
import { lockLedger } from '../../../db/billing/ledger';
import { cover } from '../../../db/billing/orders/cover';
import { addOrderEvent } from '../../../db/billing/orders/orderEvents';
import {
  insertOrder,
  isInDebt,
  lockProduct,
  payTerm,
  pendingOrders,
  takenOf,
  unpaidOrders,
} from '../../../db/billing/orders/orders';
import type { OrderProductRow } from '../../../db/billing/orders/ordersTables';
import type { Tx } from '../../../db/core/client';
import { orderRefusal } from '../../../domain/billing/budget';
import { availableFunds, dueUsd, fundsRefusal, type Funds } from '../../../domain/billing/funds';
import {
  addPeriods,
  counted,
  MAX_AHEAD_MS,
  MAX_PENDING,
  MAX_UNPAID,
  mostHeld,
  HOLD_MS,
  paymentOf,
  UNPAID_MS,
} from '../../../domain/billing/orders/order';
import { utcMinute } from '../../../domain/core/dates';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
import { holdTeam, userOf } from '../../core/caller';
import type { Call, Context, Handler } from '../../types';
import { checkDriver, startPayment } from '../startPayment';
import { orderReply } from './orderReply';

/** Micro-dollars; the same limit as for any payment. */
const MAX_TOTAL = 1_000_000_000_000;

type Body = Call<'createOrder'>['body'];

/**
 * Locks the team first and the product second: two orders for the last item wait for each other, and the team's
 * funds are never spent twice.
 */
export const createOrder: Handler<'createOrder'> = async ({ body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const now = new Date();
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const product = await lockProduct(trx, body.product_id);
    if (!product) throw invalid('product_id', `There is no product ${body.product_id}.`);
    const { start, total } = agreed(product, body, now);
    if (!(await isOffered(trx, product)))
      throw new Problem('OFFER_UNAVAILABLE', { message: `${product.instance_type} is no longer offered.` });
    if ((await takenOf(trx, product.id)) >= product.stock)
      throw new Problem('OFFER_UNAVAILABLE', { message: `${product.name} is sold out.` });
    if (await isInDebt(trx, team.id)) throw paymentDue(ctx, team, await fundsOf(trx, team.id));
    const waiting = await pendingOrders(trx, team.id);
    await refuseBeyondBudgets(ctx, trx, { team, total, waiting: waiting.total, now });
    const funds = await fundsOf(trx, team.id);
    // The next posted hour would put the team in debt.
    if (funds.balance + funds.cap < 0) throw paymentDue(ctx, team, funds);
    const { pay_until, payment_id } = await payment(ctx, trx, {
      team,
      product,
      body,
      total,
      funds,
      pending: waiting,
      now,
    });
    const made = await insertOrder(trx, product, {
      team_id: team.id,
      periods: body.periods,
      starts_at: start > now ? start : null,
      renews: body.renews ?? false,
      // Placeholder until it is charged a few lines below.
      pay_until: pay_until ?? now,
      payment_id,
      created_by: userOf(ctx).id,
    });
    const order = pay_until === null ? await payTerm(trx, made, start, now) : made;
    if (order.state === 'active') await cover(trx, order, null);
    if (order.state !== 'pending')
      await addOrderEvent(trx, order, order.state === 'active' ? 'started' : 'paid');
    await audit({
      action: 'order.create',
      target_kind: 'order',
      target_id: order.public_id,
      after: {
        product: product.public_id,
        version: product.version,
        periods: order.periods,
        total: formatMicros(total),
        state: order.state,
        starts_at: order.starts_at?.toISOString() ?? null,
        ends_at: order.ends_at?.toISOString() ?? null,
        renews: order.renews,
      },
    });
    const { body: reply } = await orderReply(trx, team.id, order.public_id);
    return { status: 201, body: reply } as const;
  });

/** Nothing new can be deployed with a retired type. */
async function isOffered(trx: Tx, { instance_type }: OrderProductRow): Promise<boolean> {
  const type = await trx
    .selectFrom('instance_types')
    .select('state')
    .where('id', '=', instance_type)
    .executeTakeFirst();
  return type?.state === 'active';
}

/** Checks the order against the locked product. @returns the start time and the term's total */
function agreed(product: OrderProductRow, body: Body, now: Date): { start: Date; total: number } {
  const { periods } = body;
  const { period, price_micros, min_periods, max_periods } = product;
  if (product.state === 'retired' || (product.ends_at !== null && product.ends_at <= now))
    throw new Problem('OFFER_UNAVAILABLE', { message: `${product.name} is no longer offered.` });
  if (periods < min_periods || periods > max_periods)
    throw invalid(
      'periods',
      min_periods === max_periods
        ? `The term must be ${counted(min_periods, period)}.`
        : `The term must be from ${min_periods} to ${counted(max_periods, period)}.`,
    );
  const total = price_micros * periods;
  if (total > MAX_TOTAL) throw invalid('periods', 'The term must cost at most $1,000,000.');
  if (product.version !== body.version || parseMicros(body.total) !== total)
    throw new Problem('OFFER_CHANGED', {
      message: `${product.name} now costs ${formatUsd(price_micros)} per ${period}: ${formatUsd(total)} for ${counted(periods, period)}.`,
      details: [
        { field: 'version', value: product.version },
        { field: 'price', value: formatMicros(price_micros) },
        { field: 'total', value: formatMicros(total) },
      ],
    });
  const start = startOf(product, body.starts_at ?? null, now);
  if (product.ends_at !== null && addPeriods(start, period, periods) > product.ends_at)
    throw new Problem('OFFER_UNAVAILABLE', {
      message: `${product.name} is only available until ${utcMinute(product.ends_at)}.`,
      suggestions: ['Choose a shorter term.'],
    });
  return { start, total };
}

function startOf(product: OrderProductRow, wanted: string | null, now: Date): Date {
  const earliest = product.starts_at !== null && product.starts_at > now ? product.starts_at : now;
  if (wanted === null) return earliest;
  const start = new Date(wanted);
  if (start.getTime() > now.getTime() + MAX_AHEAD_MS)
    throw invalid('starts_at', 'The start can be at most 90 days ahead.');
  if (start < now && now.getTime() - start.getTime() > 60_000)
    throw invalid('starts_at', 'The start is in the past.');
  if (product.starts_at !== null && start < product.starts_at && product.starts_at > now)
    throw invalid('starts_at', `The earliest start is ${utcMinute(product.starts_at)}.`);
  return start > now ? start : now;
}

function paymentDue(ctx: Context, team: { slug: string }, { balance, cap }: Funds): Problem {
  const due = -(balance + cap);
  return new Problem('INSUFFICIENT_BALANCE', {
    message: 'A payment is due. Nothing can be ordered until it is settled.',
    // A debt that was paid stays open for a moment.
    ...(due > 0 ? { details: [{ field: 'missing', value: formatMicros(due) }] } : {}),
    suggestions: [`Settle the ${due > 0 ? dueUsd(due) : 'amount'} due first.`],
    links: [
      {
        label: 'Settle the debt',
        url: `${ctx.config.publicUrl}/debt-settlement?team=${encodeURIComponent(team.slug)}`,
      },
    ],
  });
}

/** A budget that stops or refuses CVMs also limits orders. */
async function refuseBeyondBudgets(
  ctx: Context,
  trx: Tx,
  { team, ...order }: { team: { id: number; slug: string }; total: number; waiting: number; now: Date },
): Promise<void> {
  // Prevents an hour from being posted between the statements that read usage.
  await lockLedger(trx, team.id);
  const exceeded = await budgetExceededBy(trx, team.id, order);
  if (!exceeded) return;
  throw orderRefusal(
    exceeded.budget,
    { total: order.total, left: exceeded.left },
    {
      slug: team.slug,
      publicUrl: ctx.config.publicUrl,
    },
  );
}

interface Paying {
  team: { id: number; slug: string };
  product: OrderProductRow;
  body: Body;
  total: number;
  funds: Funds & { hourly: number };
  /** The team's orders awaiting payment. */
  pending: { count: number; claimed: number };
  now: Date;
}

/**
 * Starts the payment for the part of the order that the funds don't cover; none if they cover everything.
 * @throws INSUFFICIENT_BALANCE
 */
async function payment(
  ctx: Context,
  trx: Tx,
  { team, product, body, total, funds, pending, now }: Paying,
): Promise<{ pay_until: Date | null; payment_id: number | null }> {
  const { pay_with = 'balance', save_card = false } = body;
  const available = availableFunds(funds);
  const missing = total - available;
  if (missing <= 0) return { pay_until: null, payment_id: null };
  if (pay_with === 'balance') {
    const links = { slug: team.slug, publicUrl: ctx.config.publicUrl };
    const refusal = fundsRefusal(funds, total, { ...links, costs: 'The term costs' });
    throw refusal ?? new Problem('INSUFFICIENT_BALANCE');
  }
  if (pending.count >= MAX_PENDING)
    throw new Problem('CONFLICT', {
      message: `The team has reached the limit of ${MAX_PENDING} unpaid orders.`,
      suggestions: ['Pay or cancel one of them first.'],
    });
  await refuseUnpaid(trx, product, team.id, now);
  // Orders that wait already count on the balance, too.
  const claimed = Math.min(pending.claimed, Math.max(0, available));
  const amount_micros = paymentOf({ missing: missing + claimed, hourly: funds.hourly }, pay_with);
  checkDriver(ctx, { driver: pay_with, amount_micros }, { driver: 'pay_with', amount: 'periods' });
  if (amount_micros > MAX_TOTAL) throw invalid('periods', 'The payment would be more than $1,000,000.');
  const { id } = await startPayment(ctx, trx, {
    team_id: team.id,
    driver: pay_with,
    amount_micros,
    save_card,
  });
  return { pay_until: new Date(now.getTime() + HOLD_MS[pay_with]), payment_id: id };
}

/** Unpaid orders must not block places for teams that pay. @throws CONFLICT */
async function refuseUnpaid(trx: Tx, product: OrderProductRow, team_id: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - UNPAID_MS);
  const { held, own, lately } = await unpaidOrders(trx, { product_id: product.id, team_id, since });
  if (own > 0)
    throw new Problem('CONFLICT', {
      message: `The team already has an unpaid order for ${product.name}.`,
      suggestions: ['Pay or cancel it first.'],
    });
  if (lately >= MAX_UNPAID)
    throw new Problem('CONFLICT', {
      message: `The team left ${lately} orders of ${product.name} unpaid within 30 days.`,
      suggestions: ['Add funds first, then pay from the balance.'],
    });
  if (held >= mostHeld(product.stock))
    throw new Problem('CONFLICT', {
      message: `Unpaid orders of ${product.name} have reached their limit.`,
      suggestions: ['Add funds first, then pay from the balance.'],
    });
}
