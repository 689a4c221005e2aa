import type { MetricGap, MetricSeries, StateSpan } from '../../../generated/api/types.gen';
import type { Missing, MetricSource } from './metrics';

/** From stored samples to chart series: one value per step of a range, and why values are missing. */

type Figure = 'cpu' | 'load' | 'memory' | 'swap' | 'disk' | 'network_in' | 'network_out' | 'network_errors';

export type SeriesPoint = {
  at: Date;
  /** Number of samples it aggregates. */
  samples: number;
  missing: Missing | null;
  containers: number | null;
} & Record<Figure | `${Figure}_min` | `${Figure}_max`, number | null>;

/** Seconds since 1970, both on a step. */
export interface Window {
  from: number;
  step: number;
  points: number;
}

/** Seconds since 1970; the last of the `points` steps is in progress. */
export function windowOf(now: number, { step, points }: { step: number; points: number }): Window {
  return { from: (Math.floor(now / step) - points + 1) * step, step, points };
}

/** Returns the window of whole steps around [from, to), in seconds since 1970. */
export function windowAround(from: number, to: number, step: number): Window {
  const begin = Math.floor(from / step) * step;
  return { from: begin, step, points: Math.max(1, Math.ceil((to - begin) / step)) };
}

export const endOf = ({ from, step, points }: Window): number => from + step * points;

export interface Capacities {
  source: MetricSource | null;
  /** Of the CVM. */
  vcpu: number;
  /** Of the machine or guest whose load is measured. */
  num_cpus: number;
  memory_total: number;
  swap_total: number;
  disk_total: number;
  containers_total: number | null;
}

const UNITS: Record<MetricSeries['name'], MetricSeries['unit']> = {
  cpu: 'percent',
  load: 'load',
  memory: 'bytes',
  swap: 'bytes',
  disk: 'bytes',
  network_in: 'bytes_per_second',
  network_out: 'bytes_per_second',
  network_errors: 'errors_per_second',
  containers: 'containers',
};

export function seriesOf(
  points: readonly SeriesPoint[],
  window: Window,
  capacities: Capacities | null,
): MetricSeries[] {
  const buckets = bucketsOf(points, window);
  const known = (name: Figure) => points.some((point) => point[name] !== null);
  const full: Record<Figure, number | null> = {
    cpu: 100,
    load: capacities?.num_cpus || null,
    memory: capacities?.memory_total || null,
    swap: capacities?.swap_total || null,
    disk: capacities?.disk_total || null,
    network_in: null,
    network_out: null,
    network_errors: null,
  };
  // A guest reports its load, the local teepod the CPU time; a CVM that moved has some of both.
  const names: Figure[] = [
    ...(known('cpu') || (capacities && capacities.source !== 'guest') ? (['cpu'] as const) : []),
    ...(known('load') || !capacities || capacities.source === 'guest' ? (['load'] as const) : []),
    'memory',
    ...(known('swap') || full.swap !== null ? (['swap'] as const) : []),
    'disk',
    'network_in',
    'network_out',
    'network_errors',
  ];
  return [
    ...names.map((name) => figure(name, buckets, full[name])),
    containers(buckets, capacities?.containers_total ?? null),
  ];
}

/** Groups points by step. */
function bucketsOf(points: readonly SeriesPoint[], { from, step, points: count }: Window): SeriesPoint[][] {
  const buckets: SeriesPoint[][] = Array.from({ length: count }, () => []);
  for (const point of points) buckets[Math.floor((point.at.getTime() / 1000 - from) / step)]?.push(point);
  return buckets;
}

function figure(name: Figure, buckets: SeriesPoint[][], capacity: number | null): MetricSeries {
  // Values are stored with seven digits, so a full disk may read slightly above full.
  const clean = (value: number) =>
    tidy(capacity === null || name === 'load' ? value : Math.min(value, capacity));
  let [sum, weight] = [0, 0];
  let [least, most, last]: (number | null)[] = [null, null, null];
  const values: (number | null)[] = [];
  const peaks: (number | null)[] = [];
  for (const bucket of buckets) {
    let [total, samples] = [0, 0];
    let peak: number | null = null;
    for (const point of bucket) {
      const value = point[name];
      if (value === null || point.samples === 0) continue;
      total += value * point.samples;
      samples += point.samples;
      peak = Math.max(peak ?? 0, point[`${name}_max`] ?? value);
      least = Math.min(least ?? Infinity, point[`${name}_min`] ?? value);
      last = value;
    }
    sum += total;
    weight += samples;
    values.push(samples === 0 ? null : clean(total / samples));
    peaks.push(peak === null ? null : clean(peak));
    if (peak !== null) most = Math.max(most ?? 0, peak);
  }
  const orNull = (value: number | null | undefined) => (value == null ? null : clean(value));
  return {
    name,
    unit: UNITS[name],
    capacity,
    values,
    peaks,
    min: orNull(least),
    avg: weight === 0 ? null : clean(sum / weight),
    max: orNull(most),
    last: orNull(last),
  };
}

/** The minimum number running in each step. */
function containers(buckets: SeriesPoint[][], capacity: number | null): MetricSeries {
  const values = buckets.map((bucket) => {
    const counts = bucket.flatMap((point) => point.containers ?? []);
    return counts.length === 0 ? null : Math.min(...counts);
  });
  const known = values.filter((value) => value !== null);
  return {
    name: 'containers',
    unit: 'containers',
    capacity,
    values,
    peaks: values,
    min: known.length === 0 ? null : Math.min(...known),
    avg: known.length === 0 ? null : tidy(known.reduce((a, b) => a + b, 0) / known.length),
    max: known.length === 0 ? null : Math.max(...known),
    last: known.at(-1) ?? null,
  };
}

/** Bytes as integers, the rest with four decimals: more digits would not be measured values. */
const tidy = (value: number) => (value >= 1000 ? Math.round(value) : Math.round(value * 10_000) / 10_000);

export interface StatusChange {
  status: string;
  at: Date;
}

/**
 * Returns the window's states, merged where only another column changed. `changes` start before the window if
 * any exist there.
 */
export function stateSpans(changes: readonly StatusChange[], window: Window): StateSpan[] {
  const [from, to] = [window.from * 1000, endOf(window) * 1000];
  const spans: { from: number; to: number; status: string }[] = [];
  let at = -Infinity;
  changes.forEach((change, index) => {
    at = Math.max(at, change.at.getTime());
    const next = changes[index + 1];
    const span = {
      from: Math.max(at, from),
      to: Math.min(next ? Math.max(at, next.at.getTime()) : to, to),
      status: change.status,
    };
    if (span.to <= span.from) return;
    const last = spans.at(-1);
    if (last?.status === span.status && last.to === span.from) last.to = span.to;
    else spans.push(span);
  });
  return spans.map((span) => ({
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    status: span.status as StateSpan['status'],
  }));
}

/** Returns the spans without data, and why. A step that may still be measured isn't one. */
export function gapsOf(
  points: readonly SeriesPoint[],
  states: readonly StateSpan[],
  window: Window,
  { now, every }: { now: number; every: number },
): MetricGap[] {
  const { from, step } = window;
  const gaps: (MetricGap & { end: number })[] = [];
  bucketsOf(points, window).forEach((bucket, i) => {
    if (bucket.some(({ samples }) => samples > 0)) return;
    const [begin, end] = [from + i * step, from + (i + 1) * step];
    const reason = reasonOf(bucket, states, (begin + end) / 2);
    if (reason === 'not_collected' && end > now - 2 * Math.max(every, 30)) return;
    const last = gaps.at(-1);
    if (last && last.reason === reason && last.end === begin) {
      last.end = end;
      last.to = iso(end);
    } else gaps.push({ from: iso(begin), to: iso(end), reason, end });
  });
  return gaps.map(({ end: _, ...gap }) => gap);
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

function reasonOf(
  bucket: readonly SeriesPoint[],
  states: readonly StateSpan[],
  middle: number,
): MetricGap['reason'] {
  const missing = bucket.find((point) => point.missing !== null)?.missing;
  if (missing) return missing === 'host' ? 'host_unreachable' : 'guest_silent';
  const at = iso(middle);
  switch (states.find((span) => span.from <= at && at < span.to)?.status) {
    case undefined:
      return 'not_created';
    case 'running':
      return 'not_collected';
    case 'stopped':
    case 'deleted':
      return 'stopped';
    case 'error':
    case 'lost':
      return 'failed';
    default:
      return 'changing';
  }
}
