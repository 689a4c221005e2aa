import type { TokenPrices } from './models';

export interface TokenUsage {
  input_tokens: number;
  /** Part of `input_tokens`. */
  cached_tokens: number;
  output_tokens: number;
  /** Part of `output_tokens`. */
  reasoning_tokens: number;
}

export interface CountedUsage extends TokenUsage {
  /** Whether the model server didn't report it. */
  is_estimated: boolean;
}

export const NO_USAGE: TokenUsage = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
};

/**
 * Returns the exact cost in millionths of a micro-dollar. Prices are in micro-dollars per million tokens, so
 * this is always whole.
 * @throws {RangeError} beyond exact numbers
 */
export function costPicos(usage: TokenUsage, prices: TokenPrices): number {
  const uncached = usage.input_tokens - usage.cached_tokens;
  const cost =
    uncached * prices.input + usage.cached_tokens * prices.cached_input + usage.output_tokens * prices.output;
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost of a request is beyond exact numbers.');
  return cost;
}

/** Millionths in a micro-dollar. */
export const PICOS_PER_MICRO = 1_000_000;

/**
 * Rounds costs to micro-dollars so that they sum exactly: each is its addition to the running sum, rounded
 * down. The total charge doesn't depend on how costs are divided into postings.
 * @param carry remainder of earlier ones, in millionths of a micro-dollar
 * @returns amounts in micro-dollars, and the new remainder
 */
export function chargePicos(carry: number, costs: readonly bigint[]): { amounts: number[]; carry: number } {
  const unit = BigInt(PICOS_PER_MICRO);
  let left = BigInt(carry);
  const amounts = costs.map((cost) => {
    const amount = (left + cost) / unit;
    left += cost - amount * unit;
    return Number(amount);
  });
  return { amounts, carry: Number(left) };
}

/** Returns whole micro-dollars, rounded down. */
export const microsOfPicos = (picos: bigint): number => Number(picos / BigInt(PICOS_PER_MICRO));

const PICOS = 10n ** 12n;

/** 1500000000000 → "1.50", 150000 → "0.00000015": USD, exact, with at least two decimal places. */
export function formatPicos(picos: bigint): string {
  const fraction = String(picos % PICOS)
    .padStart(12, '0')
    .replace(/0{1,10}$/, '');
  return `${picos / PICOS}.${fraction}`;
}
