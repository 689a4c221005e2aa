import type {
  MetricGap,
  MetricSeries,
  MetricSource,
  StateSpan,
  UsageBasis,
} from '../../../generated/api/types.gen';
import { spanOf, type ChartFrame, type ChartLine, type ChartSpan } from '../../ui/charts/chart';
import { formatValue } from '../../ui/charts/units';
import { statusInfo, type Tone } from '../../ui/feedback/status';
import type { Range } from './search';

export const rangeWords: Readonly<Record<Range, string>> = {
  hour: 'last hour',
  day: 'last 24 hours',
  week: 'last 7 days',
  month: 'last 30 days',
};

export const seriesWords: Readonly<Record<MetricSeries['name'], string>> = {
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

/** Whose figures these are, before anybody takes them for something else. */
export const sourceWords: Readonly<Record<MetricSource, string>> = {
  guest: 'Said by the guest through its host; not part of the attestation.',
  containers: 'Of its containers, as the Docker engine of the local teepod counts; no hardware TEE.',
  machine:
    'Nothing of a simulated CVM can be measured: these are the figures of the whole machine the server runs on.',
};

const gapWords: Readonly<Record<MetricGap['reason'], [string, Tone]>> = {
  not_created: ['Not there yet', 'neutral'],
  stopped: ['Stopped', 'neutral'],
  changing: ['Changing state', 'progress'],
  failed: ['Failed', 'error'],
  host_unreachable: ['Host not reached', 'error'],
  guest_silent: ['Guest did not answer', 'attention'],
  not_collected: ['Not measured by this server', 'attention'],
};

export const basisWords: Readonly<Record<UsageBasis, string>> = {
  size: 'its size',
  disk: 'its disk alone',
  none: 'nothing',
};

export const gapSpan = ({ from, to, reason }: MetricGap): ChartSpan => spanOf(from, to, ...gapWords[reason]);

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
  name: seriesWords[name],
  values,
  peaks,
});

/** "1.2 GB of 4 GB now · avg 1 GB · max 1.5 GB"; what stopped was so last, and is not so now. */
export function summaryOf({ unit, capacity, values, last, avg, max }: MetricSeries): string {
  if (last === null) return '';
  const of = capacity === null || unit === 'percent' ? '' : ` of ${formatValue(capacity, unit)}`;
  // The newest step has often only begun.
  const when = values.slice(-2).every((value) => value === null) ? 'last' : 'now';
  return `${formatValue(last, unit)}${of} ${when} · avg ${formatValue(avg, unit)} · max ${formatValue(max, unit)}`;
}
