import type { Order, OrderPeriod, OrderProduct, OrderState } from '../../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../../lib/billing/money';
import type { StatusInfo } from '../../../ui/feedback/status';

export const orderStates: Readonly<Record<OrderState, StatusInfo>> = {
  pending: { tone: 'attention', glyph: 'dot', word: 'Waiting for payment' },
  paid: { tone: 'progress', glyph: 'dot', word: 'Starts later' },
  active: { tone: 'ok', glyph: 'check', word: 'Active' },
  ended: { tone: 'neutral', glyph: 'archived', word: 'Ended' },
  cancelled: { tone: 'neutral', glyph: 'cross', word: 'Canceled' },
  refunded: { tone: 'neutral', glyph: 'cross', word: 'Canceled, refunded' },
};

/** @returns such as "1 month" */
export const termText = (count: number, period: OrderPeriod): string =>
  count === 1 ? `1 ${period}` : `${count} ${period}s`;

/** Returns the number of periods that were typed; null if the product has no such term. */
export function periodsOf(text: string, { min_periods, max_periods }: OrderProduct): number | null {
  if (!/^\d{1,4}$/.test(text.trim())) return null;
  const count = Number(text.trim());
  return count >= min_periods && count <= max_periods ? count : null;
}

export const termFault = (text: string, product: OrderProduct): string | undefined =>
  periodsOf(text, product) !== null
    ? undefined
    : product.min_periods === product.max_periods
      ? `The term is ${termText(product.min_periods, product.period)}.`
      : `Enter a number from ${product.min_periods} to ${product.max_periods}.`;

/** Returns what a term costs, to the cent; null if that is not known. */
export function totalOf(price: string, periods: number): string | null {
  const micros = parseMicros(price);
  return micros === null || !Number.isSafeInteger(micros * periods) ? null : formatMicros(micros * periods);
}

/** Returns how much less than the usual price a term costs, in percent; null if it costs as much or more. */
export function saving({ price, hourly_rate, period }: OrderProduct): number | null {
  const [paid, hourly] = [parseMicros(price), parseMicros(hourly_rate)];
  const usual = (hourly ?? 0) * HOURS[period];
  if (paid === null || usual <= 0 || paid >= usual) return null;
  const percent = Math.floor((1 - paid / usual) * 100);
  return percent > 0 ? percent : null;
}

/** Of a month, the shortest: the saving is at least that. */
const HOURS: Readonly<Record<OrderPeriod, number>> = { day: 24, month: 28 * 24 };

export const isOpen = ({ state }: Order): boolean =>
  state === 'pending' || state === 'paid' || state === 'active';
