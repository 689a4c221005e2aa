import type { CvmStatus } from '../cvms/cvmStates';
import { stoppedHourlyRate } from './pricing';

/**
 * A CVM's cost, from the record of its states: whole seconds × whole micro-dollars per hour, summed exactly and
 * divided only at the end.
 *
 * Metering starts with the first second a CVM runs and ends with the last. While it is stopped, failed or
 * starting, only its disk is billed. A change to a running CVM (restart, update, resize, stop) counts as
 * running until it completes. A CVM that never ran costs nothing, and neither does one while it is lost or
 * being deleted; in the recycle bin it counts as stopped. The disk and the GPUs of a running CVM have separate
 * lines beside its size, which together have its rate; disk has the same price as while stopped. Reserved usage
 * has a rate of zero, or that of disk above what the size includes, until the order ends, to the second.
 */

/**
 * What an order covers: a CVM without disk above what its size includes, or only its GPUs. `all`: also that
 * disk, as in orders from before it had a price (migration 0202_orders_of_disks).
 */
export type Coverage = 'cvm' | 'gpus' | 'all';
/** Coverage that can be ordered. */
export type OfferedCoverage = Exclude<Coverage, 'all'>;

/** A row of cvm_state_changes: in effect from `at`. */
export interface StateChange {
  status: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** Includes `gpu_rate_micros` and `disk_rate_micros`. */
  hourly_rate_micros: number;
  gpu_rate_micros: number;
  /** The part of `hourly_rate_micros` for disk above what the size includes, which no order covers. */
  disk_rate_micros: number;
  at: Date;
  /** The order that covers the CVM, its coverage and its end; null if none does. */
  order_id: number | null;
  covers: Coverage | null;
  covered_until: Date | null;
}

/**
 * A CVM's billing basis at a moment: its whole size, its disk alone, or nothing. `paused` is also nothing, but
 * for a CVM that has run: it pays for its disk again once it is found, or in the recycle bin.
 */
export type Basis = 'size' | 'disk' | 'none' | 'paused';

export interface UsageLine {
  /** Half-open: the second starting at `to` belongs to the next line. */
  from: Date;
  to: Date;
  status: string;
  basis: Exclude<Basis, 'paused'> | 'gpu';
  vcpu: number;
  memory_mb: number;
  /** 0 in a size line, whose disk has a separate line. Lines from before that include their disk. */
  disk_gb: number;
  seconds: number;
  /** Micro-dollars per hour; 0 for `none`. */
  rate_micros: number;
  /** Whole micro-dollars. Fractions are carried to the next line, so that the lines add up to the total. */
  amount_micros: number;
  /** The fraction carried from the previous line, in units of 1/3600 micro-dollar. */
  carry: number;
  /** The order that covers it, so that it costs nothing, or only disk above what the size includes; null if none does. */
  order_id: number | null;
}

/** Separately priced tracks: lines of one track never overlap, and each carries its remainder to the next. */
export const TRACKS = ['size', 'disk', 'gpu'] as const;
export type Track = (typeof TRACKS)[number];
export const trackOf = (basis: UsageLine['basis']): Track => (basis === 'none' ? 'size' : basis);

/** Whether it is a line of a size and its disk, as posted before they had separate lines. */
export const includesDisk = ({ basis, disk_gb }: Pick<UsageLine, 'basis' | 'disk_gb'>): boolean =>
  basis === 'size' && disk_gb > 0;

/** Remainders below a micro-dollar, in units of 1/3600. */
export type Carry = Record<Track, number>;

export interface Metered {
  /** Ordered by time, then size, disk and GPUs. */
  lines: UsageLine[];
  amount_micros: number;
  /** Pass it to the next window, and the windows add up exactly. */
  carry: Carry;
  /** At the end of the window; also to pass on. */
  basis: Basis;
}

export interface Before {
  /** The CVM's billing basis before the first of `changes`, or with it. */
  basis?: Basis;
  carry?: Carry;
}

export const NO_CARRY: Carry = { size: 0, disk: 0, gpu: 0 };

const SECONDS_PER_HOUR = 3600n;
export const wholeSecond = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Returns the lines of the window [from, to). `changes` in the order they were written, starting with a
 * settled state before the window (or the CVM's first); those after `to` are ignored.
 */
export function meter(
  changes: readonly StateChange[],
  window: { from: Date; to: Date },
  before: Before = {},
): Metered {
  const [start, end] = [wholeSecond(window.from), wholeSecond(window.to)];
  const lines: UsageLine[] = [];
  let basis = before.basis ?? 'none';
  const carry = { ...(before.carry ?? NO_CARRY) };
  // A transaction's time is its start, so a change that waited for another may carry an earlier time.
  let at = -Infinity;
  for (const [index, change] of changes.entries()) {
    at = Math.max(at, wholeSecond(change.at));
    if (at >= end) break;
    basis = basisOf(change.status as CvmStatus, basis);
    const next = changes[index + 1];
    const until = next ? Math.max(at, wholeSecond(next.at)) : end;
    for (const { from, to, covers } of byCoverage(change, Math.max(at, start), Math.min(until, end)))
      for (const part of partsOf(basis, change, covers)) {
        const track = trackOf(part.basis);
        carry[track] = append(lines, { ...part, from, to, change, carry: carry[track] });
      }
  }
  return { lines, amount_micros: lines.reduce((sum, line) => sum + line.amount_micros, 0), carry, basis };
}

/** Micro-dollars per hour at a basis and a moment, GPUs included. */
export function rateOf(basis: Basis, change: StateChange, at: Date): number {
  const parts = partsOf(basis, change, coverageAt(change, wholeSecond(at)));
  return parts.reduce((sum, { rate }) => sum + rate, 0);
}

const coverageAt = ({ covers, covered_until }: StateChange, second: number): Coverage | null =>
  covered_until !== null && second < wholeSecond(covered_until) ? covers : null;

/** Splits a stretch of seconds where its coverage ends. */
function byCoverage(
  change: StateChange,
  from: number,
  to: number,
): { from: number; to: number; covers: Coverage | null }[] {
  const covers = coverageAt(change, from);
  const ends = covers === null || change.covered_until === null ? to : wholeSecond(change.covered_until);
  return [
    { from, to: Math.min(ends, to), covers },
    { from: Math.min(ends, to), to, covers: null },
  ].filter((part) => part.to > part.from);
}

interface Part {
  basis: UsageLine['basis'];
  rate: number;
  order_id: number | null;
}

/** The separately billed parts of a CVM at a basis. */
function partsOf(basis: Basis, change: StateChange, covers: Coverage | null): Part[] {
  if (basis === 'none' || basis === 'paused') return [{ basis: 'none', rate: 0, order_id: null }];
  const isRunning = basis === 'size';
  const whole = isRunning ? change.hourly_rate_micros - change.gpu_rate_micros : stoppedHourlyRate(change);
  const isCovered = whole > 0 && (covers === 'cvm' || covers === 'all');
  const rest = covers === 'all' ? 0 : change.disk_rate_micros;
  const toPay = isCovered ? Math.min(whole, rest) : whole;
  // The included disk may cost more than the rate, for a CVM deployed before larger disks had a price.
  const rate = Math.min(stoppedHourlyRate(change), toPay);
  const order_id = isCovered ? change.order_id : null;
  const disk: Part = { basis: 'disk', rate, order_id };
  if (!isRunning) return [disk];
  const parts: Part[] = [{ basis: 'size', rate: toPay - rate, order_id }];
  if (change.disk_gb > 0) parts.push(disk);
  if (change.gpu_rate_micros > 0)
    parts.push({
      basis: 'gpu',
      rate: covers === null ? change.gpu_rate_micros : 0,
      order_id: covers === null ? null : change.order_id,
    });
  return parts;
}

/**
 * Returns the cost of part of a line, in micro-dollars. Adjoining parts add up to their union. Times are
 * seconds since 1970; parts outside the line are cut off.
 */
export function amountWithin(
  line: Pick<UsageLine, 'from' | 'to' | 'rate_micros' | 'carry'>,
  window: { from: Date; to: Date },
): number {
  const start = wholeSecond(line.from);
  const until = (at: Date) => Math.min(Math.max(wholeSecond(at), start), wholeSecond(line.to)) - start;
  const cost = (seconds: number) => priced(seconds, line.rate_micros, line.carry).amount_micros;
  return cost(until(window.to)) - cost(until(window.from));
}

function basisOf(status: CvmStatus, before: Basis): Basis {
  switch (status) {
    case 'running':
      return 'size';
    case 'stopped':
    case 'error':
    case 'starting':
      return before === 'none' ? 'none' : 'disk';
    case 'lost':
    // A CVM that only moves to the recycle bin is stopped afterward, and pays for its disk until it is
    // restored or destroyed.
    case 'deleting':
      return before === 'none' ? 'none' : 'paused';
    case 'creating':
    case 'deleted':
      return 'none';
    default:
      return before;
  }
}

/**
 * Returns whole micro-dollars for seconds at a rate, which is negative for reversals, and the remainder to
 * carry: 0 to 3599.
 */
export function priced(
  seconds: number,
  rate_micros: number,
  carry: number,
): { amount_micros: number; carry: number } {
  const exact = BigInt(seconds) * BigInt(rate_micros) + BigInt(carry);
  const rest = ((exact % SECONDS_PER_HOUR) + SECONDS_PER_HOUR) % SECONDS_PER_HOUR;
  return { amount_micros: Number((exact - rest) / SECONDS_PER_HOUR), carry: Number(rest) };
}

interface Stretch extends Part {
  /** Seconds since 1970. */
  from: number;
  to: number;
  change: StateChange;
  carry: number;
}

/**
 * Adds a line, or extends the last of its kind if only the row's number differs. @returns the remainder to
 * carry
 */
function append(lines: UsageLine[], { from, to, change, basis, rate, order_id, carry }: Stretch): number {
  const { amount_micros, carry: rest } = priced(to - from, rate, carry);
  const line: UsageLine = {
    from: new Date(from * 1000),
    to: new Date(to * 1000),
    status: change.status,
    basis,
    vcpu: change.vcpu,
    memory_mb: change.memory_mb,
    disk_gb: basis === 'size' ? 0 : change.disk_gb,
    seconds: to - from,
    rate_micros: rate,
    amount_micros,
    carry,
    order_id,
  };
  const last = lines.findLast((one) => trackOf(one.basis) === trackOf(basis));
  if (last && continues(last, line)) {
    last.to = line.to;
    last.seconds += line.seconds;
    last.amount_micros += line.amount_micros;
  } else lines.push(line);
  return rest;
}

/** Whether `line` is the same as `last`, at a later time. */
const continues = (last: UsageLine, line: UsageLine): boolean =>
  last.to.getTime() === line.from.getTime() &&
  last.status === line.status &&
  last.basis === line.basis &&
  last.rate_micros === line.rate_micros &&
  last.order_id === line.order_id &&
  last.vcpu === line.vcpu &&
  last.memory_mb === line.memory_mb &&
  last.disk_gb === line.disk_gb;

type UsageGroup = Pick<UsageLine, 'status' | 'basis' | 'seconds' | 'amount_micros'>;

/** Sums seconds and amount by state and basis, most expensive first. */
export function usageByState(lines: readonly UsageLine[]): UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const { status, basis, seconds, amount_micros } of lines) {
    const key = `${status}/${basis}`;
    const group = groups.get(key) ?? { status, basis, seconds: 0, amount_micros: 0 };
    group.seconds += seconds;
    group.amount_micros += amount_micros;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.amount_micros - a.amount_micros || b.seconds - a.seconds);
}
