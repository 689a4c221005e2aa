import { formatUsd } from '../../../../console/lib/billing/money';
import { payable } from '../funds';
import type { Coverage } from '../metering';

/** Rules of orders: terms, refunds, and their description for buyers. Amounts are micro-dollars. */

export type OrderPeriod = 'day' | 'month';

/** Why an order's next term can't be charged for now. */
export type RenewalRefusal = 'funds' | 'budget';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long an order keeps its place until its payment arrives. */
export const HOLD_MS = { stripe: 2 * HOUR_MS, manual: 5 * DAY_MS } as const;

/**
 * Returns the payment for an order: what the balance doesn't cover, and what CVMs will have used of the balance
 * by the time the payment arrives at the latest. Otherwise, an order paid in full could stay unpaid.
 *
 * @param hourly current cost of the team's CVMs
 */
export const paymentOf = (
  { missing, hourly }: { missing: number; hourly: number },
  pay_with: keyof typeof HOLD_MS,
): number => payable(missing + Math.ceil((hourly * HOLD_MS[pay_with]) / HOUR_MS));

/** Pending orders per team, each of which takes from the stock. */
export const MAX_PENDING = 3;
/**
 * A team's unpaid orders per product within `UNPAID_MS`, so that a team that doesn't pay can't hold a place
 * again and again.
 */
export const MAX_UNPAID = 3;
export const UNPAID_MS = 30 * DAY_MS;
/** Places of a product that unpaid orders of all teams may hold. The rest is for paying teams. */
export const mostHeld = (stock: number): number => Math.max(1, Math.floor(stock / 3));
/** How far ahead a start may be. */
export const MAX_AHEAD_MS = 90 * DAY_MS;
/** Maximum terms per period. */
export const MAX_PERIODS: Readonly<Record<OrderPeriod, number>> = { day: 366, month: 36 };

interface Agreement {
  period: OrderPeriod;
  min_periods: number;
  refund_percent: number;
}

/**
 * Returns the same time of day this many days or months later, in UTC; a month that is too short ends on its
 * last day.
 */
export function addPeriods(start: Date, period: OrderPeriod, count: number): Date {
  if (period === 'day') return new Date(start.getTime() + count * DAY_MS);
  const at = new Date(start);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + count);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at;
}

export interface Term {
  starts_at: Date;
  ends_at: Date;
  amount_micros: number;
  refunded_micros: number;
}

/**
 * Returns the refund for canceling a term at `at`: all of it before it starts; later the agreed share of the
 * whole hours left after the minimum term, without fractions of a micro-dollar.
 */
export function refundOf(term: Term, agreed: Agreement, at: Date): number {
  const left = term.amount_micros - term.refunded_micros;
  if (at < term.starts_at) return left;
  const kept = addPeriods(term.starts_at, agreed.period, agreed.min_periods);
  const hours = (from: Date) => Math.max(0, Math.floor((term.ends_at.getTime() - from.getTime()) / HOUR_MS));
  const rest = hours(kept > at ? kept : at);
  const share = BigInt(term.amount_micros) * BigInt(rest) * BigInt(agreed.refund_percent);
  return Math.min(left, Number(share / (BigInt(hours(term.starts_at)) * 100n)));
}

/** When payers are reminded of a term's end: a week before, or halfway through a shorter one. */
export const noticeAt = ({ starts_at, ends_at }: Pick<Term, 'starts_at' | 'ends_at'>): Date =>
  new Date(ends_at.getTime() - Math.min(7 * DAY_MS, (ends_at.getTime() - starts_at.getTime()) / 2));

/** When a renewal is charged: a day before the end, or in the last quarter of a shorter term. */
export const renewAt = ({ starts_at, ends_at }: Pick<Term, 'starts_at' | 'ends_at'>): Date =>
  new Date(ends_at.getTime() - Math.min(DAY_MS, (ends_at.getTime() - starts_at.getTime()) / 4));

export const counted = (count: number, period: OrderPeriod): string =>
  count === 1 ? `1 ${period}` : `${count} ${period}s`;

const coverText = (covers: Coverage, instance_type: string): string =>
  covers === 'gpus'
    ? `Covers the GPUs of one CVM of type ${instance_type}. Its vCPUs, memory and disk are charged as usual.`
    : `Covers one CVM of type ${instance_type}: until it ends, that CVM costs nothing more, running or stopped${covers === 'all' ? '' : ', except for disk above what the type includes'}.`;

/** Returns the buyers' terms, in sentences. */
export function rulesOf({
  instance_type,
  covers,
  period,
  price_micros,
  min_periods,
  refund_percent,
}: Agreement & { instance_type: string; covers: Coverage; price_micros: number }): string[] {
  const kept = min_periods === 1 ? period : counted(min_periods, period);
  return [
    `${coverText(covers, instance_type)} If there are several, a running one is covered.`,
    `${formatUsd(price_micros)} per ${period}, paid for the whole term in advance. Invoices add tax.`,
    'Canceling before the start refunds everything.',
    refund_percent === 0
      ? 'Canceling after the start refunds nothing.'
      : `Canceling after the start ends it immediately. The first ${kept} of a term ${min_periods === 1 ? 'is' : 'are'} not refunded. For each whole hour left after that, ${refund_percent}% of its price is refunded, to the prepaid balance and credits that paid for it.`,
    'It ends when its term ends. If renewal is turned on, the next term is charged a day before that, provided price and rules are unchanged.',
    'While a payment is due, a covered CVM is stopped like any other.',
  ];
}
