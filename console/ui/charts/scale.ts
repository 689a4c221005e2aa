import { isBinary, type ChartUnit } from './units';

/** Pure chart geometry: ticks, positions of values, and paths. */

export interface ValueScale {
  /** Value at the top edge. */
  top: number;
  ticks: number[];
}

const NICE = [1, 2, 2.5, 5, 10];

/** Ranges from 0 to `full` if set, else to slightly above the largest value. */
export function valueScale(largest: number, unit: ChartUnit, full: number | null = null): ValueScale {
  const wanted = full === null ? largest * 1.1 : Math.max(full, largest);
  if (!(wanted > 0)) return { top: 1, ticks: [0, 1] };
  // Bytes use powers of 1024, so that a tick shows "512 MB" and not "488.3 MB".
  const unitSize = isBinary(unit) ? 1024 ** Math.floor(Math.log(wanted) / Math.log(1024)) : 1;
  const raw = wanted / unitSize / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const fewest = unit === 'containers' ? 1 : 0;
  const step = Math.max(fewest, (NICE.find((n) => n * power >= raw * 0.999) ?? 10) * power) * unitSize;
  const top = full === null ? Math.ceil(wanted / step - 1e-9) * step : wanted;
  const ticks: number[] = [];
  for (let i = 0; i * step <= top * 1.0001; i += 1) ticks.push(i * step);
  return { top, ticks };
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const TIME_STEPS = [
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  7 * DAY,
  10 * DAY,
  15 * DAY,
];

export interface TimeTick {
  /** Milliseconds since 1970. */
  at: number;
  label: string;
}

const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
// "Mon 23": American English has no short form with the weekday first.
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });
const date = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' });

/** Round times in the user's time zone between two times (milliseconds), at most `most` of them. */
export function timeTicks(from: number, to: number, most: number): TimeTick[] {
  const span = (to - from) / 1000;
  const step = TIME_STEPS.find((one) => span / one <= Math.max(1, most)) ?? 30 * DAY;
  const label = (at: number) =>
    step < DAY ? clock.format(at) : (span > 10 * DAY ? date : weekday).format(at);
  const ticks: TimeTick[] = [];
  // Calendar arithmetic, because days with clock changes don't have 24 hours.
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  if (step >= DAY) {
    for (let at = day.getTime(); at < to; day.setDate(day.getDate() + step / DAY), at = day.getTime())
      if (at >= from) ticks.push({ at, label: label(at) });
    return ticks;
  }
  const midnight = day.getTime();
  const first = midnight + Math.ceil((from - midnight) / (step * 1000)) * step * 1000;
  for (let at = first; at < to; at += step * 1000) ticks.push({ at, label: label(at) });
  return ticks;
}

const utcDate = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Ticks for charts with UTC days as steps, in the middle of each day, where its value is; at most `most`. */
export function dayTicks({ from, count }: { from: number; count: number }, most: number): TimeTick[] {
  const every = Math.ceil(count / Math.max(1, most));
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => {
    const start = from + i * every * DAY * 1000;
    return { at: start + (DAY * 1000) / 2, label: utcDate.format(start) };
  });
}

const r = (n: number) => Math.round(n * 10) / 10;

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns a time's x position, inside the box. */
export const xAt = (
  ms: number,
  { from, step_ms, count }: { from: number; step_ms: number; count: number },
  box: Box,
): number => {
  const length = Math.max(1, count * step_ms);
  return box.left + (Math.min(Math.max(ms - from, 0), length) / length) * box.width;
};

/** Middle of the step `index`. */
export const xOf = (index: number, count: number, box: Box): number =>
  r(box.left + ((index + 0.5) / Math.max(1, count)) * box.width);
export const yOf = (value: number, top: number, box: Box): number =>
  r(box.top + box.height - (Math.min(Math.max(0, value), top) / top) * box.height);

/** Returns the step at an x position. */
export const indexAt = (x: number, count: number, box: Box): number =>
  Math.min(count - 1, Math.max(0, Math.floor(((x - box.left) / Math.max(1, box.width)) * count)));

/** Returns runs of values without gaps, as [first, last] indices. */
export function runs(values: readonly (number | null)[]): [number, number][] {
  const found: [number, number][] = [];
  values.forEach((value, i) => {
    if (value === null) return;
    const last = found.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else found.push([i, i]);
  });
  return found;
}

/** Returns a line that breaks at gaps; an isolated value becomes a short stroke, so that it is visible. */
export function linePath(values: readonly (number | null)[], top: number, box: Box): string {
  const count = values.length;
  const half = Math.max(1.5, box.width / Math.max(1, count) / 2);
  return runs(values)
    .map(([first, last]) => {
      const at = (i: number) => `${xOf(i, count, box)} ${yOf(values[i] ?? 0, top, box)}`;
      if (first === last) {
        const x = xOf(first, count, box);
        const y = yOf(values[first] ?? 0, top, box);
        return `M${r(x - half)} ${y}L${r(x + half)} ${y}`;
      }
      let path = `M${at(first)}`;
      for (let i = first + 1; i <= last; i += 1) path += `L${at(i)}`;
      return path;
    })
    .join('');
}

/** Returns the area between two rows of values, or below one, with the same gaps. */
export function areaPath(
  upper: readonly (number | null)[],
  lower: readonly (number | null)[] | null,
  top: number,
  box: Box,
): string {
  const count = upper.length;
  return runs(upper)
    .filter(([first, last]) => last > first)
    .map(([first, last]) => {
      let path = '';
      for (let i = first; i <= last; i += 1)
        path += `${i === first ? 'M' : 'L'}${xOf(i, count, box)} ${yOf(upper[i] ?? 0, top, box)}`;
      for (let i = last; i >= first; i -= 1)
        path += `L${xOf(i, count, box)} ${yOf(lower?.[i] ?? 0, top, box)}`;
      return `${path}Z`;
    })
    .join('');
}
