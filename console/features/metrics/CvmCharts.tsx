import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CvmMetrics, MetricSeries } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ChartSync } from '../../ui/charts/ChartSync';
import { TimeChart } from '../../ui/charts/TimeChart';
import { formatValue } from '../../ui/charts/units';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { BeforeNotice } from './BeforeNotice';
import { ChangeList } from './ChangeList';
import { useChanges } from './changes';
import { ChartGrid, ChartNote, ChartsSkeleton, ChartStack, ZOOM_HINT } from './ChartGrid';
import { KEPT_DAYS, periodBefore, withPrevious } from './compare';
import { useDownload } from './download';
import { cvmMetricsOptions } from './queries';
import {
  frameOf,
  gapSpan,
  lineOf,
  rangeTexts,
  seriesTexts,
  sourceTexts,
  stateSpan,
  summaryOf,
  timeText,
} from './texts';
import { useUsageView, type UsageView } from './useUsageView';
import { ViewTools } from './ViewTools';
import { counted } from '../../lib/texts/count';

interface Props {
  teamSlug: string;
  vmUuid: string;
  /** CVM name, for file names. */
  name: string;
  eventsPath: string;
}

/** CPU, memory, disk and network of one CVM, updated live. */
export function CvmCharts({ teamSlug, vmUuid, name, eventsPath }: Props) {
  const view = useUsageView();
  const { time, compared, zoom } = view;
  const download = useDownload({ kind: 'metrics', teamSlug, cvm_id: vmUuid, time }, name);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...cvmMetricsOptions(teamSlug, vmUuid, time),
    placeholderData: keepPreviousData,
  });
  const problem = problemOf(error, 'Couldn’t load usage', () => void refetch());
  return (
    <Panel
      title={`Usage, ${'range' in time ? rangeTexts[time.range] : timeText({ range: null, ...time })}`}
      subtitle={data?.source ? sourceTexts[data.source] : 'Measured while running.'}
      actions={<ViewTools view={view}>{download.button}</ViewTools>}
    >
      {download.problem && <ErrorNotice problem={download.problem} />}
      {problem && <ErrorNotice problem={problem} />}
      {data ? (
        <Charts
          {...{ teamSlug, vmUuid, eventsPath, compared, zoom }}
          metrics={data}
          busy={isPlaceholderData}
        />
      ) : (
        !problem && <ChartsSkeleton count={4} />
      )}
    </Panel>
  );
}

interface ChartsProps extends Omit<Props, 'name'> {
  metrics: CvmMetrics;
  busy: boolean;
  compared: boolean;
  zoom: UsageView['zoom'];
}

function Charts({ teamSlug, vmUuid, eventsPath, metrics, busy, compared, zoom }: ChartsProps) {
  const { gaps, states } = useMemo(
    () => ({ gaps: metrics.gaps.map(gapSpan), states: metrics.states.map(stateSpan) }),
    [metrics],
  );
  const before = useQuery({
    ...cvmMetricsOptions(teamSlug, vmUuid, periodBefore(metrics)),
    enabled: compared,
    placeholderData: keepPreviousData,
  });
  const past = compared ? (before.data ?? 'loading') : null;
  const charts = useMemo(() => chartsOf(metrics, past), [metrics, past]);
  const frame = useMemo(() => frameOf(metrics, metrics.series), [metrics]);
  const changes = useChanges({ teamSlug, of: vmUuid, eventsPath, named: false }, metrics);
  const measured = metrics.series.some(({ last }) => last !== null);
  return (
    <ChartStack>
      {metrics.source === 'machine' && (
        <Notice tone="simulated" title="Simulated.">
          No Docker engine is available on this machine, so the CVM itself uses nothing.
        </Notice>
      )}
      {!measured && (
        <Notice tone="neutral" title="No data in this time range.">
          Metrics are collected every {metrics.sampled_every_seconds} seconds while the CVM is running, and
          kept for {KEPT_DAYS} days.
        </Notice>
      )}
      {compared && <BeforeNotice metrics={metrics} before={before} series={before.data?.series} />}
      <ChartSync onZoom={zoom}>
        <ChartGrid aria-busy={busy}>
          {charts.map((chart, i) => (
            <TimeChart
              key={chart.label}
              {...chart}
              {...{ frame, gaps, states }}
              range={timeText(metrics)}
              markers={changes.markers}
              reachableMarkers={i === 0}
            />
          ))}
        </ChartGrid>
        <ChangeList changes={changes} frame={frame} />
      </ChartSync>
      <ChartNote>{remarks(metrics)}</ChartNote>
    </ChartStack>
  );
}

/** The four charts. Network shows both directions, swap appears if there is any. */
function chartsOf(metrics: CvmMetrics, past: CvmMetrics | 'loading' | null) {
  const { series, range } = metrics;
  const frame = frameOf(metrics, series);
  const before =
    past === 'loading' ? { metrics, series: [] } : past && { metrics: past, series: past.series };
  const line = (found: MetricSeries) => withPrevious(lineOf(found), found.name, frame, before);
  const one = (name: MetricSeries['name'], label = seriesTexts[name]) =>
    series
      .filter((found) => found.name === name)
      .map((found) => ({
        label,
        unit: found.unit,
        capacity: found.capacity,
        lines: [line(found)],
        summary: summaryOf(found, range),
      }));
  const network = series.filter(({ name }) => name === 'network_in' || name === 'network_out');
  return [
    ...one('cpu'),
    ...one('load'),
    ...one('memory'),
    ...one('swap'),
    ...one('disk'),
    {
      label: 'Network',
      unit: 'bytes_per_second' as const,
      capacity: null,
      lines: network.map(line),
      summary: network
        .filter(({ last }) => last !== null)
        .map(({ name, last, unit }) => `${name === 'network_in' ? 'in' : 'out'} ${formatValue(last, unit)}`)
        .join(' · '),
    },
  ];
}

function remarks({ series, disk_name, containers_total, vcpu }: CvmMetrics): string {
  const of = (name: MetricSeries['name']) => series.find((one) => one.name === name);
  const running = of('containers');
  const errors = of('network_errors');
  return [
    of('cpu') ? `CPU is the share of ${vcpu} vCPU.` : '',
    of('load')
      ? 'Load is the number of running or waiting processes; equal to the CPU count means full.'
      : '',
    disk_name === null ? '' : `Disk shows ${disk_name}, the largest one.`,
    running?.last == null
      ? ''
      : `${running.last} of ${counted(containers_total ?? running.last, ['container', 'containers'])} running${running.min !== null && running.min < running.last ? `; at least ${running.min} throughout` : ''}.`,
    errors?.max ? `Up to ${formatValue(errors.max, 'errors_per_second')} network errors.` : '',
    ZOOM_HINT,
    'Times are in your time zone.',
  ]
    .filter(Boolean)
    .join(' ');
}
