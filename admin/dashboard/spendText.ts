import { exactUsd, parseMicros } from '../../console/lib/billing/money';
import type { AdminSpend } from '../../generated/api/types.gen';

const MICROS_PER_CENT = 10_000;

/** Returns an amount in cents, so that sums in a column align. Each CVM's usage has exact amounts. */
export function centsText(amount: string): string {
  const cents = Math.round((parseMicros(amount) ?? 0) / MICROS_PER_CENT);
  const text = exactUsd((Math.abs(cents) / 100).toFixed(2));
  return cents < 0 ? `−${text}` : text;
}

/** Returns the parts of a month's spend, unless it is all CVMs. */
export function partsText({ cvms, ai, orders }: Pick<AdminSpend, 'cvms' | 'ai' | 'orders'>): string | null {
  const isNone = (amount: string) => (parseMicros(amount) ?? 0) === 0;
  if (isNone(ai) && isNone(orders)) return null;
  const part = (name: string, amount: string) => (isNone(amount) ? [] : [`${name} ${centsText(amount)}`]);
  return [...part('CVMs', cvms), ...part('AI requests', ai), ...part('Orders', orders)].join(' · ');
}
