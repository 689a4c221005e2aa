/**
 * The rings that hold samples, finest first. Each chart range reads one of them, so nothing is kept that is
 * never shown; a coarse ring's newest end is computed from the finer ones on read.
 */
export interface MetricLevel {
  /** Seconds. */
  step: number;
  /** Rows per CVM. */
  places: number;
}

export const SAMPLES: MetricLevel = { step: 30, places: 240 };
export const ROLLUPS: readonly MetricLevel[] = [
  { step: 300, places: 312 },
  { step: 1800, places: 384 },
  { step: 7200, places: 480 },
];

export type MetricRange = 'hour' | 'day' | 'week' | 'month';

/** Points per chart and seconds between them: 120, 288, 336 and 360. */
export const RANGES: Readonly<Record<MetricRange, { step: number; points: number }>> = {
  hour: { step: 30, points: 120 },
  day: { step: 300, points: 288 },
  week: { step: 1800, points: 336 },
  month: { step: 7200, points: 360 },
};

/** Returns the start of a time's step, in seconds since 1970. */
export const stepOf = (seconds: number, step: number): number => Math.floor(seconds / step) * step;

export const slotOf = (seconds: number, { step, places }: MetricLevel): number =>
  Math.floor(seconds / step) % places;

/** Returns the slots of the steps that start in [from, to); all of them when the span exceeds the ring. */
export function slotsBetween(from: number, to: number, level: MetricLevel): number[] {
  const first = Math.ceil(from / level.step);
  const count = Math.min(level.places, Math.max(0, Math.ceil(to / level.step) - first));
  return Array.from({ length: count }, (_, i) => (first + i) % level.places);
}

/** Steps of a window; the ranges have about as many. */
const MAX_STEPS = 360;

/** How far back data is kept, in seconds: 40 days. */
export const KEPT_SECONDS = Math.max(...ROLLUPS.map(({ step, places }) => step * places));

/**
 * Returns the steps for a window, in seconds since 1970: of the finest level that still holds its start and needs no
 * more than MAX_STEPS, otherwise as wide as necessary. `level` is the step of the ring to read.
 */
export function stepsOf(from: number, to: number, now: number): { level: number; step: number } {
  const fits = ({ step, places }: MetricLevel) =>
    // The oldest steps are overwritten while a page compares the last hour with the one before.
    from >= now - step * (places + SPARE_STEPS) && (to - from) / step <= MAX_STEPS;
  const { step } = [SAMPLES, ...ROLLUPS].find(fits) ?? ROLLUPS.at(-1)!;
  return { level: step, step: step * Math.max(1, Math.ceil((to - from) / step / MAX_STEPS)) };
}

/** A window may start this many steps before the oldest one of its ring. */
const SPARE_STEPS = 4;
