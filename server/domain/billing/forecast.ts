import type { RateChange } from '../../../console/lib/billing/money';
import { meter, rateOf, type Basis, type StateChange } from './metering';
import { addPeriods, renewAt, type OrderPeriod } from './orders/order';
import { DAY_MS } from './usageDays';

/** A month's cost if nothing changes, and its uncertainty. */

/** AI requests are extrapolated from this many days. */
export const AI_DAYS = 7;

/** Days used for the interval: 28 differences. */
export const BAND_DAYS = 29;
/** With fewer there is no interval. */
const MIN_DAYS = 7;
/** Half the width of the interval that holds 80% of a normal distribution, in standard deviations. */
const Z_80 = 1.2816;

export interface Forecast {
  /** All in micro-dollars. */
  expected: number;
  band: { low: number; high: number } | null;
}

/**
 * `expected` = spent + expected cost of the rest of the month. The interval treats daily cost as a random walk:
 * its steps have the spread of the differences between days, so the uncertainty of n days grows with
 * √(n(n+1)(2n+1)/6).
 *
 * @param spent this month, in micro-dollars
 * @param ahead expected cost of the rest of the month, in micro-dollars
 * @param daily micro-dollars of the latest complete days, oldest first
 */
export function forecast(
  { spent, ahead, daily }: { spent: number; ahead: number; daily: readonly number[] },
  { now, end }: { now: Date; end: Date },
): Forecast {
  const rest = Math.max(0, end.getTime() - now.getTime());
  const expected = spent + ahead;
  if (daily.length < MIN_DAYS) return { expected, band: null };
  const steps = daily.slice(1).map((amount, i) => amount - daily[i]!);
  const spread = Math.sqrt(steps.reduce((sum, step) => sum + step * step, 0) / steps.length);
  const days = rest / DAY_MS;
  const margin = Math.round(Z_80 * spread * Math.sqrt((days * (days + 1) * (2 * days + 1)) / 6));
  return {
    expected,
    band: { low: Math.max(spent, expected - margin), high: expected + margin },
  };
}

/**
 * Returns the cost of AI requests until `end` if they continue as before.
 *
 * @param used micro-dollars of the last `AI_DAYS` days
 * @param first time of the very first request; null for none
 */
export function aiAhead(
  { used, first }: { used: number; first: Date | null },
  { now, end }: { now: Date; end: Date },
): number {
  if (first === null) return 0;
  // The first hour says little about a month, so less than a day counts as a day.
  const over = Math.min(AI_DAYS * DAY_MS, Math.max(DAY_MS, now.getTime() - first.getTime()));
  return Math.round((used * Math.max(0, end.getTime() - now.getTime())) / over);
}

interface Renewing {
  period: OrderPeriod;
  periods: number;
  price_micros: number;
  /** Start of its first term. */
  starts_at: Date | null;
  /** Number of paid terms. */
  terms: number;
}

/** Returns the cost of an order's renewals until `end`: each is charged shortly before its term starts. */
export function renewalsUntil(order: Renewing, end: Date): number {
  const { starts_at: first, period, periods, price_micros, terms } = order;
  if (first === null) return 0;
  const startOf = (term: number) => addPeriods(first, period, periods * term);
  let count = 0;
  while (
    count < MAX_RENEWALS &&
    renewAt({ starts_at: startOf(terms + count - 1), ends_at: startOf(terms + count) }) < end
  )
    count += 1;
  return count * periods * price_micros;
}

/**
 * Returns the hourly cost of an order's renewals from the end of the paid terms: its price, spread over the
 * next term. Null if the first term has no start yet.
 */
export function renewalRate({
  starts_at,
  period,
  periods,
  price_micros,
  terms,
}: Renewing): RateChange | null {
  if (starts_at === null) return null;
  const at = addPeriods(starts_at, period, periods * terms);
  const hours = (addPeriods(starts_at, period, periods * (terms + 1)).getTime() - at.getTime()) / 3_600_000;
  return { at, more: Math.round((periods * price_micros) / hours) };
}

/**
 * Returns the changes of a CVM's hourly cost if it stays as it is: covered usage is billed once the order ends,
 * and nothing once its disk is destroyed.
 *
 * @param renews whether the covering order is renewed
 * @param purge_at when the recycle bin destroys its disk; an overdue disk is billed for as long as it exists
 */
export function cvmRateChanges(
  { basis, change, hourly }: { basis: Basis; change: StateChange; hourly: number },
  { now, renews, purge_at }: { now: Date; renews: boolean; purge_at: Date | undefined },
): RateChange[] {
  const end = purge_at !== undefined && purge_at > now ? purge_at : null;
  const { covered_until: at } = change;
  const isUncovered = at !== null && at > now && !renews && (end === null || at < end);
  const more = isUncovered ? Math.max(0, rateOf(basis, change, at) - hourly) : 0;
  return [
    ...(isUncovered ? [{ at, more }] : []),
    ...(end === null ? [] : [{ at: end, more: -(hourly + more) }]),
  ].filter((one) => one.more !== 0);
}

/**
 * Returns the changes in order, one per moment. Beyond `most`, rises count with the first change and falls with
 * the last: none is lost, and the balance never appears to last longer than it does.
 *
 * @param most at least 2
 */
export function inOrder(changes: readonly RateChange[], most: number): RateChange[] {
  const ordered: RateChange[] = [];
  for (const { at, more } of [...changes].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const last = ordered.at(-1);
    if (last?.at.getTime() === at.getTime()) last.more += more;
    else ordered.push({ at, more });
  }
  if (ordered.length <= most) return ordered;
  const rest = ordered.splice(most - 2);
  const sum = (part: (more: number) => number) => rest.reduce((all, { more }) => all + part(more), 0);
  const rise = { at: rest[0]!.at, more: sum((more) => Math.max(0, more)) };
  const fall = { at: rest.at(-1)!.at, more: sum((more) => Math.min(0, more)) };
  return [...ordered, ...[rise, fall].filter(({ more }) => more !== 0)];
}

/** Maximum number of one-day terms in a month. */
const MAX_RENEWALS = 32;

/**
 * Returns the cost of a CVM from `now` until `end` if it stays as it is. Covered usage is free until the order
 * ends.
 */
export function cvmAhead(
  change: StateChange,
  basis: Basis,
  { now, end, renews }: { now: Date; end: Date; renews: boolean },
): number {
  const covered_until = renews && change.covered_until !== null ? end : change.covered_until;
  return meter([{ ...change, covered_until }], { from: now, to: end }, { basis }).amount_micros;
}

/** Returns the start of the month (UTC) and of the next. */
export const monthOf = (now: Date): { from: Date; to: Date } => ({
  from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  to: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
});
