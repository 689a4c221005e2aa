import { formatUsd } from '../../../console/lib/billing/money';
import { utcMinute } from '../core/dates';
import { MIN_PAYMENT } from './funds';
import type { MoneyNotice } from './paymentNotice';

/** When payers are warned of a balance that runs out soon. */

/** Payers are warned once when the balance lasts fewer hours than this; the most urgent first. */
const THRESHOLDS = [
  { hours: 24, within: 'a day' },
  { hours: 72, within: 'three days' },
] as const;

/** Balances that last longer aren't watched, in hours. */
export const WARNED_HOURS = Math.max(...THRESHOLDS.map(({ hours }) => hours));

/** A balance that lasts longer only because less is running counts as recovered after this time. */
const REARM_MS = 86_400_000;

/** A team's last warning. */
export interface LowBalance {
  /** The threshold of the last warning. */
  hours: number;
  /** The lowest balance since. Above it, money has arrived. */
  balance_micros: number;
  /** Since when the balance lasts longer again without money having arrived. */
  above_since: Date | null;
}

interface Lasting {
  /** Micro-dollars, including the credit limit. */
  balance: number;
  /** How long it lasts according to `runway`; null without usage. */
  seconds: number | null;
}

/** Returns the threshold that a balance is below, in hours; null for none. */
const thresholdOf = (seconds: number | null): number | null =>
  THRESHOLDS.find(({ hours }) => seconds !== null && seconds < hours * 3600)?.hours ?? null;

/**
 * Decides whether payers are warned now, or a warning ends.
 *
 * Payers are warned once per threshold, and again after the balance recovered above it: because money arrived,
 * or because it has lasted longer for a day. Stopping a CVM for a night is no recovery. An exhausted balance
 * ends a warning: the payment-due notice covers it, and the next payment starts a new balance.
 *
 * @param told the team's last warning; null for none
 * @param lasting the current balance; null if the team needs no warning, because it pays automatically
 */
export function checkBalance(
  told: LowBalance | null,
  lasting: Lasting | null,
  now: Date,
): { next: LowBalance | null; notice: 'low' | 'over' | null } {
  if (lasting === null || lasting.seconds === 0) return { next: null, notice: told && 'over' };
  const { balance, seconds } = lasting;
  const hours = thresholdOf(seconds);
  const isWorse = hours !== null && (told === null || hours < told.hours);
  if (isWorse) return { next: { hours, balance_micros: balance, above_since: null }, notice: 'low' };
  if (told === null) return { next: null, notice: null };
  const balance_micros = Math.min(told.balance_micros, balance);
  if (hours === told.hours) {
    const isSame = told.above_since === null && told.balance_micros === balance_micros;
    return { next: isSame ? told : { ...told, balance_micros, above_since: null }, notice: null };
  }
  const above_since = told.above_since ?? now;
  // Usage corrections raise a balance by less than a payment does.
  const hasRecovered =
    balance - balance_micros >= MIN_PAYMENT || now.getTime() - above_since.getTime() >= REARM_MS;
  if (!hasRecovered) return { next: { ...told, balance_micros, above_since }, notice: null };
  // If the balance recovered only above the lower threshold, the higher one stays notified.
  const next = hours === null ? null : { hours, balance_micros: balance, above_since: null };
  return { next, notice: 'over' };
}

interface RunningOut {
  /** Micro-dollars, including the credit limit. */
  balance: number;
  /** Credit limit in micro-dollars. */
  cap: number;
  runs_out_at: Date;
}

/** Returns the warning of a threshold in hours. */
export function lowBalanceNotice(hours: number, { balance, cap, runs_out_at }: RunningOut): MoneyNotice {
  const within = THRESHOLDS.find((one) => one.hours === hours)?.within ?? `${hours} hours`;
  return {
    severity: 'warning',
    title: `The balance runs out within ${within}`,
    message: `${formatUsd(balance)} is left${cap > 0 ? `, including the ${formatUsd(cap)} that the team may owe` : ''}, which lasts until ${utcMinute(runs_out_at)} at current usage. Add funds before then: once the balance is used up, a payment is due, and CVMs stop unless you pay it.`,
  };
}
