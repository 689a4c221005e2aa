/**
 * The bonus of a percentage code, and its part that is reversed with the payment. Amounts are micro-dollars.
 */

/** The whole micro-dollars of a share, computed exactly. */
const share = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(whole));

/** Returns the bonus of a payment; 0 for payments below a few micro-dollars. */
export const bonusOf = (
  paid: number,
  { percent, cap_micros }: { percent: number | null; cap_micros: number | null },
): number => Math.max(0, Math.min(share(paid, percent ?? 0, 100), cap_micros ?? 0));

export interface Bonus {
  /** As granted. */
  amount_micros: number;
  remaining_micros: number;
  /** Taken back so far because the payment was returned. */
  taken_micros: number;
  expires_at: Date | null;
}

/**
 * Returns the reversed part of a bonus once `returned` of the payment's `received` money has been returned: its
 * share, as far as it is unused. Negative: given back, because the payment itself came back, unless the bonus
 * would have expired by now.
 */
export function bonusTaken(
  { amount_micros, remaining_micros, taken_micros, expires_at }: Bonus,
  { returned, received }: { returned: number; received: number },
  now: Date,
): number {
  const due = received <= 0 ? 0 : share(amount_micros, Math.min(returned, received), received);
  const taken = Math.min(due - taken_micros, remaining_micros);
  const hasEnded = expires_at !== null && expires_at <= now;
  return taken < 0 && hasEnded ? 0 : taken;
}
