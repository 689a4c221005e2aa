import type { Billing } from '../../../generated/api/types.gen';
import { exactUsd, formatMicros, parseMicros, roundedUsd } from './money';

/**
 * Why prepaid money is below zero although nothing is due; null if it isn't. A correction or a returned payment can take more
 * than was left of it, and credits granted during a debt end it.
 */
export function overdraftText({ prepaid, balance }: Pick<Billing, 'prepaid' | 'balance'>): string | null {
  const micros = parseMicros(prepaid) ?? 0;
  if (micros >= 0 || (parseMicros(balance) ?? 0) < 0) return null;
  const by = exactUsd(roundedUsd(formatMicros(-micros)));
  return `More was used or taken back than was prepaid. Credits offset the missing ${by}, and your next payment covers it first.`;
}
