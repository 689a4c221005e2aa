import { exactTime, toMs } from '../data/time';
import type { Tone } from '../feedback/status';
import { formatValue, type ChartUnit } from './units';
import { ownValue } from '../../lib/ownValue';

/** One line of a chart: an average for each step, null where nothing was measured. */
export interface ChartLine {
  id: string;
  name: string;
  values: readonly (number | null)[];
  /** The highest within each step. */
  peaks?: readonly (number | null)[];
  /** Why there is nothing, where the lines of a chart each have reasons of their own. */
  gaps?: readonly ChartSpan[];
  /** The same in the period before, where the chart compares with it. */
  previous?: readonly (number | null)[];
}

/** A part of the time axis. */
export interface ChartSpan {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** What to call it: "Stopped", "Host not reached". */
  label: string;
  tone: Tone;
}

export interface ChartFrame {
  /** Milliseconds since 1970: begin of the first step. */
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

/** Whether the steps are UTC days. Their values are totals of a day. */
export const isDaily = ({ step_ms }: Pick<ChartFrame, 'step_ms'>): boolean => step_ms === DAY_MS;

/** A time as one reads it: with seconds where steps are shorter than a minute, else with the day. */
export const timeWords = (at: number, frame: ChartFrame): string =>
  (isDaily(frame) ? utcDay : frame.step_ms < 60_000 ? seconds : minutes).format(at);

/** Begin of the step. */
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

/** "Nov 23, 14:05–14:35", with seconds where minutes would not tell its ends. */
export function rangeWords({ from, to }: { from: number; to: number }): string {
  const whole = from % 60_000 === 0 && to % 60_000 === 0;
  return (whole ? fromTo : fromToSeconds).formatRange(from, to);
}

export function stepExactly(index: number, frame: ChartFrame): string {
  const at = frame.from + index * frame.step_ms;
  return isDaily(frame) ? `${utcDayExactly.format(at)} (UTC)` : exactTime(at);
}

/** What is there in the middle of the step. */
export const spanAt = (
  spans: readonly ChartSpan[],
  index: number,
  { from, step_ms }: ChartFrame,
): ChartSpan | undefined => {
  const at = from + (index + 0.5) * step_ms;
  return spans.find((span) => span.from <= at && at < span.to);
};

/** The value of a line at a step, or why it has none. */
export function valueWords(line: ChartLine, index: number, frame: ChartFrame, unit: ChartUnit): string {
  const value = line.values[index] ?? null;
  const gap = value === null && line.gaps ? spanAt(line.gaps, index, frame) : undefined;
  return gap ? lower(gap.label) : formatValue(value, unit);
}

/** Everything at one step in a sentence: for a screen reader, and above the chart. */
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
    return `${stepTime(index, frame)}: nothing measured${gap ? `, ${lower(gap.label)}` : ''}${past ? `, ${past}` : ''}`;
  }
  const parts = lines.map((line) => {
    const { name, values, peaks } = line;
    const value = values[index] ?? null;
    const peak = peaks?.[index] ?? null;
    const more = [
      peak !== null && value !== null && peak > value * 1.005 ? `at most ${formatValue(peak, unit)}` : '',
      before(line),
    ].filter(Boolean);
    return `${lines.length > 1 ? `${name} ` : ''}${valueWords(line, index, frame, unit)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
  });
  const aside = state && state.tone !== 'ok' ? `, ${lower(state.label)}` : '';
  return `${stepTime(index, frame)}: ${parts.join(', ')}${aside}`;
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Where a key moves the reading hand to; null for keys that are not the chart's. */
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

/** The newest step that has a value. */
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
