import { styled } from '@mui/material/styles';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CvmMetrics, MetricSeries } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { TimeChart } from '../../ui/charts/TimeChart';
import { formatValue } from '../../ui/charts/units';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { ChartGrid, ChartsSkeleton, ChartTools } from './ChartGrid';
import { useDownload } from './download';
import { cvmMetricsOptions } from './queries';
import { RangeTabs } from './RangeTabs';
import type { Range } from './search';
import {
  frameOf,
  gapSpan,
  lineOf,
  rangeWords,
  seriesWords,
  sourceWords,
  stateSpan,
  summaryOf,
} from './words';

const Note = styled('p')({ ...type.small, color: color.muted });

interface Props {
  teamSlug: string;
  vmUuid: string;
  range: Range;
  /** Of the CVM, for files. */
  name: string;
}

/** CPU, memory, disk and network of one CVM; the newest point comes by itself. */
export function CvmCharts({ teamSlug, vmUuid, range, name }: Props) {
  const download = useDownload({ kind: 'metrics', teamSlug, cvm_id: vmUuid, range }, name);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...cvmMetricsOptions(teamSlug, vmUuid, range),
    placeholderData: keepPreviousData,
  });
  const problem = problemOf(error, 'What it used could not be read', () => void refetch());
  return (
    <Panel
      title={`Used in the ${rangeWords[range]}`}
      subtitle={data?.source ? sourceWords[data.source] : 'While it runs.'}
      actions={
        <ChartTools>
          <RangeTabs range={range} />
          {download.button}
        </ChartTools>
      }
    >
      {download.problem && <ErrorNotice problem={download.problem} />}
      {problem && <ErrorNotice problem={problem} />}
      {data ? <Charts metrics={data} busy={isPlaceholderData} /> : !problem && <ChartsSkeleton count={4} />}
    </Panel>
  );
}

const Stack = styled('div')({ display: 'grid', gap: space(5) });

function Charts({ metrics, busy }: { metrics: CvmMetrics; busy: boolean }) {
  const { gaps, states } = useMemo(
    () => ({ gaps: metrics.gaps.map(gapSpan), states: metrics.states.map(stateSpan) }),
    [metrics],
  );
  const charts = useMemo(() => chartsOf(metrics.series), [metrics.series]);
  const frame = useMemo(() => frameOf(metrics, metrics.series), [metrics]);
  const range = rangeWords[metrics.range];
  const measured = metrics.series.some(({ last }) => last !== null);
  return (
    <Stack>
      {metrics.source === 'machine' && (
        <Notice tone="simulated" title="Simulated.">
          No Docker engine answers on this machine, so the CVM itself uses nothing.
        </Notice>
      )}
      {!measured && (
        <Notice tone="neutral" title="Nothing was measured in this time.">
          Values come every {metrics.sampled_every_seconds} seconds while it runs.
        </Notice>
      )}
      <ChartGrid aria-busy={busy}>
        {charts.map((chart) => (
          <TimeChart key={chart.label} {...chart} {...{ range, frame, gaps, states }} />
        ))}
      </ChartGrid>
      <Note>{remarks(metrics)}</Note>
    </Stack>
  );
}

/** The four charts; network has one for both ways, swap one where there is any. */
function chartsOf(series: readonly MetricSeries[]) {
  const one = (name: MetricSeries['name'], label = seriesWords[name]) =>
    series
      .filter((found) => found.name === name)
      .map((found) => ({
        label,
        unit: found.unit,
        capacity: found.capacity,
        lines: [lineOf(found)],
        summary: summaryOf(found),
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
      lines: network.map(lineOf),
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
    of('cpu') ? `CPU is a share of its ${vcpu} vCPU.` : '',
    of('load') ? 'Load counts processes that run or wait: as many as CPUs is full.' : '',
    disk_name === null ? '' : `The disk is ${disk_name}, the largest it has.`,
    running?.last == null
      ? ''
      : `${running.last} of ${containers_total ?? running.last} containers run${running.min !== null && running.min < running.last ? `; at the fewest there were ${running.min}` : ''}.`,
    errors?.max ? `Up to ${formatValue(errors.max, 'errors_per_second')} network errors.` : '',
    'Times are those of your clock.',
  ]
    .filter(Boolean)
    .join(' ');
}
