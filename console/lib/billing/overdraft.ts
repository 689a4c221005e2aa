import type { Billing } from '../../../generated/api/types.gen';
import { exactUsd, formatMicros, parseMicros, roundedUsd } from './money';

/**
 * Explains why prepaid funds are negative although nothing is due; null if that isn't the case. A correction or
 * returned payment can take more than the remaining prepaid funds, and credits granted during a debt settle it.
 */
export function overdraftText({ prepaid, balance }: Pick<Billing, 'prepaid' | 'balance'>): string | null {
  const micros = parseMicros(prepaid) ?? 0;
  if (micros >= 0 || (parseMicros(balance) ?? 0) < 0) return null;
  const by = exactUsd(roundedUsd(formatMicros(-micros)));
  return `Usage and reversals exceeded prepaid funds. Credits offset the missing ${by}, and your next payment covers it first.`;
}
