import { DAY_MS } from './usageDays';

/** What a month will cost if nothing changes, and how far it may be off. */

/** Days from which the interval is computed: 28 differences. */
export const BAND_DAYS = 29;
/** With fewer there is no interval. */
const LEAST_DAYS = 7;
/** Half the width of the interval that holds 80 % of a normal distribution, in standard deviations. */
const Z_80 = 1.2816;

export interface Forecast {
  /** All in micro-dollars. */
  expected: number;
  band: { low: number; high: number } | null;
}

/**
 * `expected` = spent + current rate × rest of the month. The interval treats daily cost as a random walk: its steps have
 * the spread of the differences between days, so that the uncertainty of n days grows with √(n(n+1)(2n+1)/6).
 *
 * @param spent this month, in micro-dollars
 * @param hourly micro-dollars per hour now
 * @param daily micro-dollars of the latest complete days, oldest first
 */
export function forecast(
  { spent, hourly, daily }: { spent: number; hourly: number; daily: readonly number[] },
  { now, end }: { now: Date; end: Date },
): Forecast {
  const rest = Math.max(0, end.getTime() - now.getTime());
  const expected = spent + Math.round((hourly * rest) / 3_600_000);
  if (daily.length < LEAST_DAYS) return { expected, band: null };
  const steps = daily.slice(1).map((amount, i) => amount - daily[i]!);
  const spread = Math.sqrt(steps.reduce((sum, step) => sum + step * step, 0) / steps.length);
  const days = rest / DAY_MS;
  const margin = Math.round(Z_80 * spread * Math.sqrt((days * (days + 1) * (2 * days + 1)) / 6));
  return {
    expected,
    band: { low: Math.max(spent, expected - margin), high: expected + margin },
  };
}

/** Returns the start of the month (UTC) and of the next. */
export const monthOf = (now: Date): { from: Date; to: Date } => ({
  from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  to: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
});
