import type { ChartFrame } from './chart';

/**
 * Lays values of the period before a chart over its steps, each where it was measured in that period. Older data has
 * longer steps, so one value may cover several of the chart's.
 */
export function previousValues(
  frame: ChartFrame,
  before: Pick<ChartFrame, 'from' | 'step_ms'>,
  values: readonly (number | null)[],
): (number | null)[] {
  const length = frame.count * frame.step_ms;
  return Array.from({ length: frame.count }, (_, i) => {
    const at = frame.from + (i + 0.5) * frame.step_ms - length;
    return values[Math.floor((at - before.from) / before.step_ms)] ?? null;
  });
}
