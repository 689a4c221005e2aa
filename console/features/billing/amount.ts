import type { Payment, TopUpDriver } from '../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../lib/billing/money';

const DOLLAR = 1_000_000;
const MAX_MICROS = 1_000_000 * DOLLAR;
const MAX_BY_CARD = 10_000 * DOLLAR;
const CENT = 10_000;

/** Strips formatting from a typed amount: "$1,250.00" → "1250.00". */
export const decimalOf = (text: string): string =>
  text
    .trim()
    .replace(/^\$/, '')
    .replaceAll(/[,\s](?=\d{3})/g, '');

/** Whether the typed number exceeds exact amounts, and so every limit. */
export const isBeyond = (text: string): boolean => /^\d{8,}(\.\d*)?$/.test(decimalOf(text));

/** Returns why an amount can't be paid, or undefined. */
export function amountFault(text: string, driver: TopUpDriver = 'manual'): string | undefined {
  if (text.trim() === '') return 'Enter an amount.';
  const most =
    driver === 'stripe' ? 'The largest amount by card is $10,000.' : 'The largest amount is $1,000,000.';
  const micros = parseMicros(decimalOf(text));
  if (micros === null) return isBeyond(text) ? most : 'Enter an amount such as 100 or 49.50.';
  if (micros < DOLLAR) return 'The smallest amount is $1.';
  if (micros > (driver === 'stripe' ? MAX_BY_CARD : MAX_MICROS)) return most;
  return micros % CENT === 0 ? undefined : 'Enter whole cents.';
}

/** Returns the smallest payment that covers an amount: whole cents, at least a dollar. */
export const paymentFor = (decimal: string): string =>
  formatMicros(Math.max(DOLLAR, parseMicros(roundedUp(decimal)) ?? 0));

/** Returns the part of a payment that hasn't arrived yet. */
export const leftOf = ({ amount, received }: Pick<Payment, 'amount' | 'received'>): string =>
  formatMicros(Math.max(0, (parseMicros(amount) ?? 0) - (parseMicros(received) ?? 0)));

/** Rounds up to cents, so that no payment looks smaller than the amount that settles it. */
export const roundedUp = (decimal: string): string =>
  formatMicros(Math.ceil((parseMicros(decimal) ?? 0) / CENT) * CENT);
