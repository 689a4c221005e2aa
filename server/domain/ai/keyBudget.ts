import { formatUsd } from '../../../console/lib/billing/money';
import { periodOf, type BudgetPeriod } from '../billing/budget';
import { PICOS_PER_MICRO } from './usage';

interface KeyUse {
  /** Millionths of a micro-dollar, an integer. */
  used_picos: string;
  held_micros: number;
}

/** Returns what a key's requests have cost in the period, plus what those in progress may still cost. */
export const keyUsePicos = ({ used_picos, held_micros }: KeyUse): bigint =>
  BigInt(used_picos) + BigInt(held_micros) * BigInt(PICOS_PER_MICRO);

/** Returns the whole micro-dollars that a request may still cost. */
export function leftOfKeyBudget(budget_micros: number, use: KeyUse): number {
  const left = BigInt(budget_micros) * BigInt(PICOS_PER_MICRO) - keyUsePicos(use);
  return left <= 0n ? 0 : Number(left / BigInt(PICOS_PER_MICRO));
}

interface Refused {
  budget_micros: number;
  budget_period: BudgetPeriod;
  /** Maximum cost of the request, and the remaining budget, in micro-dollars. */
  required: number;
  left: number;
  /** Micro-dollars that other requests in progress hold. */
  held: number;
}

/** Explains why a request doesn't fit its key's budget, and when there is room again. */
export function keyBudgetText(
  { budget_micros, budget_period, required, left, held }: Refused,
  now: Date,
): string {
  const again = periodOf(budget_period, now).to.toISOString().slice(0, 16).replace('T', ' ');
  const inProgress = held > 0 ? `, ${formatUsd(held)} of the rest set aside for requests in progress` : '';
  return (
    `This request can cost up to ${formatUsd(required)}, but ${formatUsd(left)} is left of this key’s budget of ` +
    `${formatUsd(budget_micros)} per ${budget_period}${inProgress}. The budget resets on ${again} UTC.`
  );
}
