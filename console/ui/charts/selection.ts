import type { ChartFrame } from './chart';

/** A part of the time axis, in milliseconds since 1970. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A chart with fewer steps shows no trend. */
const MIN_STEPS = 4;

/** Returns the step that contains a time; null outside the chart. */
export function stepAt(at: number | null, { from, step_ms, count }: ChartFrame): number | null {
  if (at === null) return null;
  const index = Math.floor((at - from) / step_ms);
  return index < 0 || index >= count ? null : index;
}

/** Returns the range between two step starts, inclusive, in either order. */
export function selectedRange(anchor: number, at: number, frame: ChartFrame): TimeRange {
  const end = frame.from + frame.count * frame.step_ms;
  return {
    from: Math.max(frame.from, Math.min(anchor, at)),
    to: Math.min(end, Math.max(anchor, at) + frame.step_ms),
  };
}

/**
 * Returns the range to zoom to: at least four steps around the selection, inside the chart. Null if that is the
 * whole chart.
 */
export function zoomRange({ from, to }: TimeRange, frame: ChartFrame): TimeRange | null {
  const { step_ms, count } = frame;
  const end = frame.from + count * step_ms;
  const missing = Math.max(0, MIN_STEPS - Math.round((to - from) / step_ms));
  const length = to - from + missing * step_ms;
  const wanted = from - Math.floor(missing / 2) * step_ms;
  const start = Math.max(frame.from, Math.min(wanted, end - length));
  return length >= count * step_ms ? null : { from: start, to: start + length };
}
