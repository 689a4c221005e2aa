import type { ChartFrame } from './chart';

/**
 * Maps the previous period's values to the chart's steps by their relative time. Older data has longer steps, so
 * one value may cover several of the chart's.
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
