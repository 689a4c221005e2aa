/**
 * The rings that samples are kept in, finest first. Each range of the charts reads one of them, so nothing is kept that
 * nobody is shown; the newest end of a coarse one is made from the finer ones when it is read.
 */
export interface MetricLevel {
  /** Seconds. */
  step: number;
  /** Rows of one CVM. */
  places: number;
}

export const SAMPLES: MetricLevel = { step: 30, places: 240 };
export const ROLLUPS: readonly MetricLevel[] = [
  { step: 300, places: 312 },
  { step: 1800, places: 384 },
  { step: 7200, places: 480 },
];

export type MetricRange = 'hour' | 'day' | 'week' | 'month';

/** Points of a chart and seconds between them: 120, 288, 336 and 360. */
export const RANGES: Readonly<Record<MetricRange, { step: number; points: number }>> = {
  hour: { step: 30, points: 120 },
  day: { step: 300, points: 288 },
  week: { step: 1800, points: 336 },
  month: { step: 7200, points: 360 },
};

/** Begin of the step a time is in, in seconds since 1970. */
export const stepOf = (seconds: number, step: number): number => Math.floor(seconds / step) * step;

export const slotOf = (seconds: number, { step, places }: MetricLevel): number =>
  Math.floor(seconds / step) % places;

/** Places of the steps that begin in [from, to); all of them when it is longer than the ring. */
export function slotsBetween(from: number, to: number, level: MetricLevel): number[] {
  const first = Math.ceil(from / level.step);
  const count = Math.min(level.places, Math.max(0, Math.ceil(to / level.step) - first));
  return Array.from({ length: count }, (_, i) => (first + i) % level.places);
}
