import type { MetricGap, MetricSeries, MetricSource, StateSpan } from '../../../generated/api/types.gen';
import { rangeWords, spanOf, type ChartFrame, type ChartLine, type ChartSpan } from '../../ui/charts/chart';
import { formatValue } from '../../ui/charts/units';
import { statusInfo, type Tone } from '../../ui/feedback/status';
import type { Range } from './search';

export const rangeTexts: Readonly<Record<Range, string>> = {
  hour: 'last hour',
  day: 'last 24 hours',
  week: 'last 7 days',
  month: 'last 30 days',
};

/** "last hour", or the zoomed period: "23 Nov, 14:05–14:35". */
export const timeText = (metrics: { range: Range | null; from: string; to: string }): string =>
  metrics.range === null
    ? rangeWords({ from: Date.parse(metrics.from), to: Date.parse(metrics.to) })
    : rangeTexts[metrics.range];

export const seriesTexts: Readonly<Record<MetricSeries['name'], string>> = {
  cpu: 'CPU',
  load: 'CPU load, 1 min',
  memory: 'Memory',
  swap: 'Swap',
  disk: 'Disk',
  network_in: 'Network in',
  network_out: 'Network out',
  network_errors: 'Network errors',
  containers: 'Containers',
};

/** Names the source of the numbers, so that nobody mistakes them for attested values. */
export const sourceTexts: Readonly<Record<MetricSource, string>> = {
  guest: 'Reported by the guest through its host; not attested.',
  containers: 'Container usage reported by the local teepod’s Docker engine; no hardware TEE.',
  machine:
    'A simulated CVM has no metrics of its own. These are the metrics of the machine the server runs on.',
};

const gapTexts: Readonly<Record<MetricGap['reason'], [string, Tone]>> = {
  not_created: ['Not created yet', 'neutral'],
  stopped: ['Stopped', 'neutral'],
  changing: ['Changing state', 'progress'],
  failed: ['Failed', 'error'],
  host_unreachable: ['Host unreachable', 'error'],
  guest_silent: ['Guest not responding', 'attention'],
  not_collected: ['Not collected', 'attention'],
};

export const gapSpan = ({ from, to, reason }: MetricGap): ChartSpan => spanOf(from, to, ...gapTexts[reason]);

export function stateSpan({ from, to, status }: StateSpan): ChartSpan {
  const { word, tone } = statusInfo(status);
  return spanOf(from, to, word, tone);
}

export function frameOf(
  metrics: { from: string; step_seconds: number },
  series: readonly MetricSeries[],
): ChartFrame {
  return {
    from: Date.parse(metrics.from),
    step_ms: metrics.step_seconds * 1000,
    count: series[0]?.values.length ?? 0,
  };
}

export const lineOf = ({ name, values, peaks }: MetricSeries): ChartLine => ({
  id: name,
  name: seriesTexts[name],
  values,
  peaks,
});

/**
 * Returns "1.2 GB of 4 GB now · avg 1 GB · max 1.5 GB"; "last" instead of "now" if the series has ended or `range`
 * is null (a past period).
 */
export function summaryOf(
  { unit, capacity, values, last, avg, max }: MetricSeries,
  range: Range | null,
): string {
  if (last === null) return '';
  const of = capacity === null || unit === 'percent' ? '' : ` of ${formatValue(capacity, unit)}`;
  // The latest step is often incomplete.
  const ended = range === null || values.slice(-2).every((value) => value === null);
  const when = ended ? 'last' : 'now';
  return `${formatValue(last, unit)}${of} ${when} · avg ${formatValue(avg, unit)} · max ${formatValue(max, unit)}`;
}
