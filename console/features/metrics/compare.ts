import { RETENTION } from '../../lib/activity/retention';
import type { MetricSeries } from '../../../generated/api/types.gen';
import type { ChartFrame, ChartLine } from '../../ui/charts/chart';
import { rangeWords } from '../../ui/charts/chart';
import { previousValues } from '../../ui/charts/previous';
import { frameOf } from './texts';
import type { Zoom } from './search';

export interface Measured {
  from: string;
  to: string;
  step_seconds: number;
}

/** Returns the preceding period of equal length. */
export function periodBefore({ from, to }: Measured): Zoom {
  const begin = Date.parse(from);
  return { from: new Date(begin - (Date.parse(to) - begin)).toISOString(), to: from };
}

/** How long the server keeps metrics. */
export const KEPT_DAYS = RETENTION.metrics.days;

/** Says what the previous period lacks; null if nothing is known to be missing. */
export function missingBefore(
  metrics: Measured,
  series: readonly MetricSeries[],
  now: number,
): { title: string; text: string } | null {
  const before = periodBefore(metrics);
  const [from, to] = [Date.parse(before.from), Date.parse(before.to)];
  if (!series.some(({ last }) => last !== null))
    return {
      title: 'No data for the previous period.',
      text: `No metrics were collected from ${rangeWords({ from, to })}.`,
    };
  if (from >= now - KEPT_DAYS * 86_400_000) return null;
  return {
    title: 'The previous period is incomplete.',
    text: `It starts more than ${KEPT_DAYS} days ago, and older metrics aren’t kept.`,
  };
}

/** Adds the previous period's values to a line, matching series by name. */
export function withPrevious(
  line: ChartLine,
  name: MetricSeries['name'],
  frame: ChartFrame,
  before: { metrics: Measured; series: readonly MetricSeries[] } | null,
): ChartLine {
  if (!before) return line;
  const values = before.series.find((one) => one.name === name)?.values ?? [];
  return { ...line, previous: previousValues(frame, frameOf(before.metrics, before.series), values) };
}
