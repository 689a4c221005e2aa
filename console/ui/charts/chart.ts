import { exactTime, toMs } from '../data/time';
import type { Tone } from '../feedback/status';
import { formatValue, type ChartUnit } from './units';
import { ownValue } from '../../lib/ownValue';

/** One line of a chart: an average for each step, null where nothing was measured. */
export interface ChartLine {
  id: string;
  name: string;
  values: readonly (number | null)[];
  /** The maximum within each step. */
  peaks?: readonly (number | null)[];
  /** Reasons for gaps, if each line has its own. */
  gaps?: readonly ChartSpan[];
  /** The same values in the previous period, if the chart compares with it. */
  previous?: readonly (number | null)[];
}

/** A part of the time axis. */
export interface ChartSpan {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Label: "Stopped", "Host not reached". */
  label: string;
  tone: Tone;
}

export interface ChartFrame {
  /** Start of the first step, in milliseconds since 1970. */
  from: number;
  step_ms: number;
  count: number;
}

const minutes = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const seconds = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hourCycle: 'h23' });

const DAY_MS = 86_400_000;
const utcDay = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcDayExactly = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** Whether the steps are UTC days. Values are daily totals then. */
export const isDaily = ({ step_ms }: Pick<ChartFrame, 'step_ms'>): boolean => step_ms === DAY_MS;

/** Formats a time: with seconds if steps are shorter than a minute, else with the day. */
export const timeWords = (at: number, frame: ChartFrame): string =>
  (isDaily(frame) ? utcDay : frame.step_ms < 60_000 ? seconds : minutes).format(at);

/** Formats the start of a step. */
export const stepTime = (index: number, frame: ChartFrame): string =>
  timeWords(frame.from + index * frame.step_ms, frame);

const fromTo = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const fromToSeconds = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** "Nov 23, 14:05–14:35", with seconds if minutes can't distinguish the ends. */
export function rangeWords({ from, to }: { from: number; to: number }): string {
  const whole = from % 60_000 === 0 && to % 60_000 === 0;
  return (whole ? fromTo : fromToSeconds).formatRange(from, to);
}

export function stepExactly(index: number, frame: ChartFrame): string {
  const at = frame.from + index * frame.step_ms;
  return isDaily(frame) ? `${utcDayExactly.format(at)} (UTC)` : exactTime(at);
}

/** Returns the span at the middle of a step. */
export const spanAt = (
  spans: readonly ChartSpan[],
  index: number,
  { from, step_ms }: ChartFrame,
): ChartSpan | undefined => {
  const at = from + (index + 0.5) * step_ms;
  return spans.find((span) => span.from <= at && at < span.to);
};

/** Returns a line's value at a step, or why there is none. */
export function valueWords(line: ChartLine, index: number, frame: ChartFrame, unit: ChartUnit): string {
  const value = line.values[index] ?? null;
  const gap = value === null && line.gaps ? spanAt(line.gaps, index, frame) : undefined;
  return gap ? lower(gap.label) : formatValue(value, unit);
}

/** Describes a step in a sentence: for screen readers, and above the chart. */
export function readStep(
  index: number,
  frame: ChartFrame,
  lines: readonly ChartLine[],
  unit: ChartUnit,
  { gaps, states }: { gaps: readonly ChartSpan[]; states: readonly ChartSpan[] },
): string {
  const state = spanAt(states, index, frame);
  const before = (line: ChartLine) =>
    line.previous ? `previous period ${formatValue(line.previous[index] ?? null, unit)}` : '';
  if (lines.every(({ values }) => (values[index] ?? null) === null)) {
    const gap = spanAt(gaps, index, frame);
    const [only] = lines.length === 1 ? lines : [];
    const past = only && before(only);
    return `${stepTime(index, frame)}: no data${gap ? `, ${lower(gap.label)}` : ''}${past ? `, ${past}` : ''}`;
  }
  const parts = lines.map((line) => {
    const { name, values, peaks } = line;
    const value = values[index] ?? null;
    const peak = peaks?.[index] ?? null;
    const more = [
      peak !== null && value !== null && peak > value * 1.005 ? `peak ${formatValue(peak, unit)}` : '',
      before(line),
    ].filter(Boolean);
    return `${lines.length > 1 ? `${name} ` : ''}${valueWords(line, index, frame, unit)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
  });
  const aside = state && state.tone !== 'ok' ? `, ${lower(state.label)}` : '';
  return `${stepTime(index, frame)}: ${parts.join(', ')}${aside}`;
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the cursor's new index for a key; null for keys the chart doesn't use. */
export function moveIndex(key: string, index: number, count: number): number | null {
  const page = Math.max(1, Math.round(count / 10));
  const to: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - page,
    PageUp: index + page,
    Home: 0,
    End: count - 1,
  };
  const wanted = ownValue(to, key);
  return wanted === undefined ? null : Math.min(count - 1, Math.max(0, wanted));
}

/** Returns the newest step with a value. */
export function newest(lines: readonly ChartLine[], count: number): number {
  for (let i = count - 1; i >= 0; i -= 1)
    if (lines.some(({ values }) => (values[i] ?? null) !== null)) return i;
  return count - 1;
}

export const spanOf = (from: string, to: string, label: string, tone: Tone): ChartSpan => ({
  from: toMs(from),
  to: toMs(to),
  label,
  tone,
});
