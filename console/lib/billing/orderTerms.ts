import type { OrderPeriod, OrderProduct } from '../../../generated/api/types.gen';
import { formatMicros, parseMicros } from './money';

/* Prices of reservations, compared with running by the hour. */

/** @returns text such as "1 month" */
export const termText = (count: number, period: OrderPeriod): string =>
  count === 1 ? `1 ${period}` : `${count} ${period}s`;

/** Returns the terms that can be ordered, such as "1 to 12 months". */
export const termsText = ({
  min_periods,
  max_periods,
  period,
}: Pick<OrderProduct, 'min_periods' | 'max_periods' | 'period'>): string =>
  min_periods === max_periods
    ? termText(min_periods, period)
    : `${min_periods} to ${termText(max_periods, period)}`;

/** Returns a term's price, to the cent; null if unknown. */
export function totalOf(price: string, periods: number): string | null {
  const micros = parseMicros(price);
  return micros === null || !Number.isSafeInteger(micros * periods) ? null : formatMicros(micros * periods);
}

/** Returns a term's saving over the usual price, in percent, rounded down; null if there is none. */
export function saving({ price, hourly_rate, period }: OrderProduct): number | null {
  const [paid, hourly] = [parseMicros(price), parseMicros(hourly_rate)];
  const usual = (hourly ?? 0) * HOURS[period].least;
  if (paid === null || usual <= 0 || paid >= usual) return null;
  const percent = Math.floor(((usual - paid) * 100) / usual);
  return percent > 0 ? percent : null;
}

/** Returns a term's surcharge over the usual price, in percent, rounded up; null if there is none. */
export function surcharge({ price, hourly_rate, period }: OrderProduct): number | null {
  const [paid, hourly] = [parseMicros(price), parseMicros(hourly_rate)];
  const usual = (hourly ?? 0) * HOURS[period].most;
  if (paid === null || usual <= 0 || paid <= usual) return null;
  return Math.ceil(((paid - usual) * 100) / usual);
}

/** Returns a term's usual price for a CVM that always runs, in micro-dollars; null if unknown. */
export function usualPrice({ hourly_rate, period }: OrderProduct, periods: number): number | null {
  const micros = (parseMicros(hourly_rate) ?? 0) * HOURS[period].usual * periods;
  return micros > 0 && Number.isSafeInteger(micros) ? micros : null;
}

/**
 * Hours in the shortest and longest month, so that a stated saving or surcharge holds for any month; monthly prices
 * assume 730.
 */
const HOURS: Readonly<Record<OrderPeriod, { least: number; most: number; usual: number }>> = {
  day: { least: 24, most: 24, usual: 24 },
  month: { least: 28 * 24, most: 31 * 24, usual: 730 },
};

/** Returns text such as "20% less" than running by the hour; "—" for about the same. */
export function comparedText(product: OrderProduct): string {
  const [less, more] = [saving(product), surcharge(product)];
  if (less !== null) return `${less}% less`;
  return more === null ? '—' : `${more}% more`;
}
