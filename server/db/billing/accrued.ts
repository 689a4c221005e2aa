import { microsOfPicos } from '../../domain/ai/usage';
import { charge } from '../../domain/billing/ledger';
import { amountWithin, meter, rateOf, type Basis, type UsageLine } from '../../domain/billing/metering';
import type { Db, Tx } from '../core/client';
import { ledgerLength, openGrants, postedBalance } from './ledger';
import { carryOf, changesSince, openMeters, type Meter, type MeterChange } from './usage';

export interface Accrued {
  /** Usage after the last posted hour. */
  lines: (UsageLine & { cvm_id: number })[];
  /** What each CVM is currently billed for. */
  current: { cvm_id: number; basis: Basis; change: MeterChange; hourly: number }[];
  /** Micro-dollars. */
  amount: number;
  /** Current hourly cost of the team, in micro-dollars. */
  hourly: number;
}

/** Meters a team's usage since its last posted hour, by the same rule as the hourly close. */
export const accruedUsage = async (db: Db | Tx, team_id: number, now: Date): Promise<Accrued> =>
  accruedOf(db, await openMeters(db, team_id), now);

/** Like `accruedUsage`, for these meters. */
export async function accruedOf(db: Db | Tx, meters: readonly Meter[], now: Date): Promise<Accrued> {
  const changes = await changesSince(db, meters, now);
  const accrued: Accrued = { lines: [], current: [], amount: 0, hourly: 0 };
  for (const { cvm_id, closed_until, basis, ...remainders } of meters) {
    const own = changes.get(cvm_id) ?? [];
    const metered = meter(own, { from: closed_until, to: now }, { basis, carry: carryOf(remainders) });
    for (const line of metered.lines) accrued.lines.push({ ...line, cvm_id });
    accrued.amount += metered.amount_micros;
    const change = own.at(-1);
    if (!change) continue;
    const hourly = rateOf(metered.basis, change, now);
    accrued.hourly += hourly;
    accrued.current.push({ cvm_id, basis: metered.basis, change, hourly });
  }
  return accrued;
}

export interface CurrentBalance {
  /** All in micro-dollars. `balance` = `prepaid` + `credits` - `accrued`. */
  balance: number;
  prepaid: number;
  /** Remainder of `prepaid` after accrued usage. */
  unused_prepaid: number;
  credits: number;
  /** Accrued by CVMs and unposted AI requests. */
  accrued: number;
  /** Hourly cost of CVMs. */
  hourly: number;
  /** What each CVM is currently billed for. */
  current: Accrued['current'];
  /** Held for AI requests in progress, read at the same moment as the cost of ended ones. */
  held_ai: number;
  /** Credit limit: how far the balance may go below zero. */
  cap: number;
  /** The next credits to expire, after accrued usage is paid. */
  expiring: { amount: number; expires_at: Date } | null;
}

/**
 * Returns the current balance. Reads it again if an hour was posted in between, because its usage could
 * otherwise be missing between two statements of a transaction.
 */
export async function steadyBalance(db: Db | Tx, team_id: number, now: Date): Promise<CurrentBalance> {
  for (let seq = await ledgerLength(db, team_id), tries = 0; ; tries += 1) {
    const balance = await currentBalance(db, team_id, now);
    const after = await ledgerLength(db, team_id);
    if (after === seq || tries === MAX_ATTEMPTS) return balance;
    seq = after;
  }
}

const MAX_ATTEMPTS = 5;

/** Returns what a team can still use: posted money minus accrued usage, credits first. */
export async function currentBalance(db: Db | Tx, team_id: number, now: Date): Promise<CurrentBalance> {
  const [{ ai, ...posted }, grants, { lines, amount: ofCvms, hourly, current }] = await Promise.all([
    postedBalance(db, team_id),
    openGrants(db, team_id),
    accruedUsage(db, team_id, now),
  ]);
  const amount = ofCvms + microsOfPicos(ai.picos);
  const usedBefore = (moment: Date) =>
    lines.reduce(
      (sum, line) => sum + amountWithin(line, { from: line.from, to: moment }),
      microsOfPicos(ai.expired.find(({ at }) => at.getTime() === moment.getTime())?.picos ?? ai.picos),
    );
  const entries = charge(amount, grants, usedBefore);
  const paidBy = (public_id: string) => -(entries.find(({ grant }) => grant === public_id)?.amount ?? 0);
  const usable = grants
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .map((grant) => ({ ...grant, left: grant.remaining - paidBy(grant.public_id) }));
  const byCredits = grants.reduce((sum, { public_id }) => sum + paidBy(public_id), 0);
  const left = usable.reduce((sum, grant) => sum + grant.left, 0);
  const unused_prepaid = posted.prepaid - (amount - byCredits);
  const next = usable.find((grant) => grant.left > 0 && grant.expires_at !== null);
  return {
    balance: unused_prepaid + left,
    prepaid: posted.prepaid,
    unused_prepaid,
    cap: posted.cap,
    credits: left + byCredits,
    accrued: amount,
    hourly,
    current,
    held_ai: ai.held,
    expiring: next?.expires_at ? { amount: next.left, expires_at: next.expires_at } : null,
  };
}
