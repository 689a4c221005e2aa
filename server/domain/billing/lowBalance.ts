import { formatUsd } from '../../../console/lib/billing/money';
import { utcMinute } from '../core/dates';
import { LEAST_PAYMENT } from './funds';
import type { MoneyNotice } from './paymentNotice';

/** When payers are warned that a balance runs out soon. */

/** Payers are warned once when the balance lasts less than so many hours; the most urgent first. */
const THRESHOLDS = [
  { hours: 24, within: 'a day' },
  { hours: 72, within: 'three days' },
] as const;

/** Balances that last longer are no concern, in hours. */
export const WARNED_HOURS = Math.max(...THRESHOLDS.map(({ hours }) => hours));

/** A balance that lasts longer only because less is running counts as recovered after this time. */
const REARM_MS = 86_400_000;

/** What a team was warned of. */
export interface LowBalance {
  /** The threshold of the last warning. */
  hours: number;
  /** The lowest balance since: above it, money has arrived. */
  balance_micros: number;
  /** Since when the balance lasts longer again, though no money has arrived. */
  above_since: Date | null;
}

interface Lasting {
  /** Micro-dollars, with what the team may owe. */
  balance: number;
  /** How long it lasts, as `runway` says; null if nothing is being used. */
  seconds: number | null;
}

/** Returns the threshold that a balance is below, in hours; null for none. */
const thresholdOf = (seconds: number | null): number | null =>
  THRESHOLDS.find(({ hours }) => seconds !== null && seconds < hours * 3600)?.hours ?? null;

/**
 * Decides whether payers are warned now, or a warning is over.
 *
 * Payers are warned once per threshold, and again after the balance recovered above it: because money arrived, or because it has
 * lasted longer for a day. A CVM that is stopped for a night and started again is no recovery. A balance that is used up ends
 * a warning: the notice of the payment that is due says so, and what is paid then is a new balance.
 *
 * @param told what the team was warned of; null for nothing
 * @param lasting the balance now; null if the team needs no warning, because it pays automatically
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
  // Corrections of usage raise a balance by less than a payment does.
  const hasRecovered =
    balance - balance_micros >= LEAST_PAYMENT || now.getTime() - above_since.getTime() >= REARM_MS;
  if (!hasRecovered) return { next: { ...told, balance_micros, above_since }, notice: null };
  // Above the lower threshold only, the higher one stays told.
  const next = hours === null ? null : { hours, balance_micros: balance, above_since: null };
  return { next, notice: 'over' };
}

interface RunningOut {
  /** Micro-dollars, with what the team may owe. */
  balance: number;
  /** Micro-dollars that the team may owe. */
  cap: number;
  runs_out_at: Date;
}

/** Returns the warning of a threshold in hours. */
export function lowBalanceNotice(hours: number, { balance, cap, runs_out_at }: RunningOut): MoneyNotice {
  const within = THRESHOLDS.find((one) => one.hours === hours)?.within ?? `${hours} hours`;
  return {
    severity: 'warning',
    title: `The balance runs out within ${within}`,
    message: `${formatUsd(balance)} is left${cap > 0 ? `, including the ${formatUsd(cap)} that the team may owe` : ''}, which lasts until ${utcMinute(runs_out_at)} if nothing changes. Add funds before then: once the balance is used up, a payment is due, and CVMs stop unless it is settled.`,
  };
}
