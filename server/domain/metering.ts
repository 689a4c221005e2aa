import type { CvmStatus } from './cvmStates';
import { stoppedHourlyRate } from './pricing';

/**
 * What a CVM costs, from the record of its states: whole seconds × whole micro-dollars per hour, added up exactly and
 * divided only at the end.
 *
 * Metering starts with the first second a CVM runs and ends with the last. While it is stopped, failed or on its way
 * up, only its disk is paid for. A change of a running CVM (restart, update, resize, stop) belongs to its running time
 * until it is over. What never ran costs nothing.
 */

/** A row of cvm_state_changes: from `at` on. */
export interface StateChange {
  status: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  hourly_rate_micros: number;
  at: Date;
}

/** What is paid for: the whole size, its disk alone, or nothing. */
export type Basis = 'size' | 'disk' | 'none';

export interface UsageLine {
  /** Half-open: the second `to` begins belongs to the next line. */
  from: Date;
  to: Date;
  status: string;
  basis: Basis;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  seconds: number;
  /** Micro-dollars per hour; 0 for `none`. */
  rate_micros: number;
  /** Whole micro-dollars. Fractions are carried to the next line, so that the lines add up to the total. */
  amount_micros: number;
}

export interface Metered {
  lines: UsageLine[];
  amount_micros: number;
  /** What is left below a micro-dollar, in 1/3600 of one: hand it to the next window and the windows add up exactly. */
  carry: number;
}

export interface Before {
  /** Whether the CVM ran at any time before the first of `changes`. */
  ran?: boolean;
  carry?: number;
}

const SECONDS_PER_HOUR = 3600n;
const wholeSecond = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * The lines of the window [from, to). `changes` in the order they were written, beginning with a settled state before
 * the window (or the CVM's first); what lies after `to` is not looked at.
 */
export function meter(
  changes: readonly StateChange[],
  window: { from: Date; to: Date },
  { ran = false, carry = 0 }: Before = {},
): Metered {
  const [start, end] = [wholeSecond(window.from), wholeSecond(window.to)];
  const lines: UsageLine[] = [];
  let basis: Basis = ran ? 'disk' : 'none';
  let rest = BigInt(carry);
  let total = 0n;
  // A transaction's time is that of its begin, so a change that waited for another one may carry an earlier time.
  let at = -Infinity;
  changes.forEach((change, index) => {
    at = Math.max(at, wholeSecond(change.at));
    basis = basisOf(change.status as CvmStatus, basis);
    const next = changes[index + 1];
    const until = next ? Math.max(at, wholeSecond(next.at)) : end;
    const [from, to] = [Math.max(at, start), Math.min(until, end)];
    if (to <= from) return;
    const rate = rateOf(basis, change);
    const exact = BigInt(to - from) * BigInt(rate) + rest;
    const amount = exact / SECONDS_PER_HOUR;
    rest = exact % SECONDS_PER_HOUR;
    total += amount;
    append(lines, {
      from: new Date(from * 1000),
      to: new Date(to * 1000),
      status: change.status,
      basis,
      vcpu: change.vcpu,
      memory_mb: change.memory_mb,
      disk_gb: change.disk_gb,
      seconds: to - from,
      rate_micros: rate,
      amount_micros: Number(amount),
    });
  });
  return { lines, amount_micros: Number(total), carry: Number(rest) };
}

function basisOf(status: CvmStatus, before: Basis): Basis {
  switch (status) {
    case 'running':
      return 'size';
    case 'stopped':
    case 'error':
    case 'starting':
      return before === 'none' ? 'none' : 'disk';
    case 'creating':
    case 'deleting':
    case 'deleted':
      return 'none';
    default:
      return before;
  }
}

function rateOf(basis: Basis, change: StateChange): number {
  if (basis === 'size') return change.hourly_rate_micros;
  return basis === 'disk' ? stoppedHourlyRate(change) : 0;
}

/** Joins a line with the one before it when nothing but the row's number differs. */
function append(lines: UsageLine[], line: UsageLine): void {
  const last = lines.at(-1);
  const same =
    last &&
    last.to.getTime() === line.from.getTime() &&
    last.status === line.status &&
    last.basis === line.basis &&
    last.rate_micros === line.rate_micros &&
    last.vcpu === line.vcpu &&
    last.memory_mb === line.memory_mb &&
    last.disk_gb === line.disk_gb;
  if (!same) return void lines.push(line);
  last.to = line.to;
  last.seconds += line.seconds;
  last.amount_micros += line.amount_micros;
}

/** Seconds and amount of each state and basis, the dearest first. */
export function usageByState(
  lines: readonly UsageLine[],
): { status: string; basis: Basis; seconds: number; amount_micros: number }[] {
  const groups = new Map<string, { status: string; basis: Basis; seconds: number; amount_micros: number }>();
  for (const { status, basis, seconds, amount_micros } of lines) {
    const key = `${status}/${basis}`;
    const group = groups.get(key) ?? { status, basis, seconds: 0, amount_micros: 0 };
    group.seconds += seconds;
    group.amount_micros += amount_micros;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.amount_micros - a.amount_micros || b.seconds - a.seconds);
}
