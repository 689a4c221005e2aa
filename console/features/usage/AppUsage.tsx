import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AppCvmUsage, AppMetrics, MetricSeries } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { appCvmPath } from '../../lib/paths';
import { formatDuration } from '../../lib/time';
import { TimeChart } from '../../ui/charts/TimeChart';
import { dollars } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { ChartGrid, ChartsSkeleton, ChartTools } from './ChartGrid';
import { CostPanel } from './CostPanel';
import { useDownload } from './download';
import { appMetricsOptions, appUsageOptions } from './queries';
import { RangeTabs } from './RangeTabs';
import { usageSearch, type Range } from './search';
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

interface Props {
  teamSlug: string;
  appId: string;
  /** Of the app, for files. */
  name: string;
}

/** What each replica of an app used, and what they cost together. */
export function AppUsage(props: Props) {
  const { range = 'hour', month } = usageSearch(useSearch({ strict: false }));
  return (
    <>
      <ReplicaCharts {...props} range={range} />
      <AppCost {...props} month={month} />
    </>
  );
}

function ReplicaCharts({ teamSlug, appId, range }: Props & { range: Range }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...appMetricsOptions(teamSlug, appId, range),
    placeholderData: keepPreviousData,
  });
  const problem = problemOf(error, 'What it used could not be read', () => void refetch());
  const sources = [...new Set(data?.replicas.flatMap(({ source }) => source ?? []))];
  return (
    <Panel
      title={`Used in the ${rangeWords[range]}, by replica`}
      subtitle={sources.length === 1 ? sourceWords[sources[0]!] : 'While they run.'}
      actions={
        <ChartTools>
          <RangeTabs range={range} />
        </ChartTools>
      }
    >
      {problem && <ErrorNotice problem={problem} />}
      {!data ? (
        !problem && <ChartsSkeleton count={4} />
      ) : data.replicas.length === 0 ? (
        <EmptyState>No CVM of it is left, so nothing is measured.</EmptyState>
      ) : (
        <Charts metrics={data} busy={isPlaceholderData} />
      )}
    </Panel>
  );
}

function Charts({ metrics, busy }: { metrics: AppMetrics; busy: boolean }) {
  const charts = useMemo(() => chartsOf(metrics), [metrics]);
  const frame = useMemo(() => frameOf(metrics, metrics.replicas[0]?.series ?? []), [metrics]);
  return (
    <>
      {metrics.replicas_total > metrics.replicas.length && (
        <Notice tone="neutral">
          The newest {metrics.replicas.length} of {metrics.replicas_total} CVMs. Each CVM has its own page
          with all its values.
        </Notice>
      )}
      <ChartGrid aria-busy={busy}>
        {charts.map((chart) => (
          <TimeChart key={chart.label} {...chart} range={rangeWords[metrics.range]} frame={frame} />
        ))}
      </ChartGrid>
    </>
  );
}

const SHOWN = ['cpu', 'load', 'memory', 'disk', 'network_in', 'network_out'] as const;

/** A chart for each figure with a line for each replica that has it; of one replica alone also its states. */
function chartsOf({ replicas }: AppMetrics) {
  const [only] = replicas.length === 1 ? replicas : [];
  const around = only ? { gaps: only.gaps.map(gapSpan), states: only.states.map(stateSpan) } : {};
  return SHOWN.flatMap((name) => {
    const found = replicas.flatMap((replica) => {
      const series = replica.series.find((one: MetricSeries) => one.name === name);
      return series ? [{ replica, series }] : [];
    });
    const first = found[0]?.series;
    if (!first) return [];
    const capacities = found.flatMap(({ series }) => series.capacity ?? []);
    return [
      {
        label: seriesWords[name],
        unit: first.unit,
        capacity: capacities.length === 0 ? null : Math.max(...capacities),
        lines: found.map(({ replica, series }) => ({
          ...lineOf(series),
          id: replica.cvm.id ?? replica.cvm.vm_uuid ?? '',
          name: replica.cvm.name ?? '',
          gaps: replica.gaps.map(gapSpan),
        })),
        summary: found.length === 1 ? summaryOf(first) : '',
        ...around,
      },
    ];
  });
}

const seconds = (usage: AppCvmUsage, basis: 'size' | 'disk') =>
  formatDuration(
    usage.by_state.filter((group) => group.basis === basis).reduce((sum, group) => sum + group.seconds, 0),
  );

const columnsOf = (page: (vmUuid: string) => string): Column<AppCvmUsage>[] => [
  {
    id: 'name',
    header: 'CVM',
    // What is deleted has no page.
    cell: ({ cvm, deleted_at }) =>
      deleted_at === null && cvm.vm_uuid !== null ? (
        <TextLink href={page(cvm.vm_uuid)}>{cvm.name}</TextLink>
      ) : (
        `${cvm.name ?? ''} (deleted)`
      ),
  },
  {
    id: 'ran',
    header: 'Paid for its size',
    width: 150,
    align: 'right',
    phone: 'meta',
    cell: (one) => seconds(one, 'size'),
  },
  {
    id: 'disk',
    header: 'Disk alone',
    width: 130,
    align: 'right',
    priority: 2,
    phone: 'hide',
    cell: (one) => seconds(one, 'disk'),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 130,
    align: 'right',
    phone: 'end',
    cell: ({ amount }) => dollars(amount),
  },
];

function AppCost({ teamSlug, appId, name, month }: Props & { month: string | undefined }) {
  const { data, error, refetch } = useQuery(appUsageOptions(teamSlug, appId, month));
  const download = useDownload({ kind: 'app_usage', teamSlug, app_id: appId, month }, name);
  const problem = problemOf(error, 'Its cost could not be read', () => void refetch());
  const columns = useMemo(
    () => columnsOf((vmUuid) => appCvmPath(teamSlug, appId, vmUuid, 'usage')),
    [teamSlug, appId],
  );
  return (
    <CostPanel month={month} amount={data?.amount} byState={data?.by_state ?? []} download={download.button}>
      {download.problem && <ErrorNotice problem={download.problem} />}
      <DataTable
        id="app-usage"
        label={data?.cvms.length === 1 ? 'CVM' : 'CVMs'}
        columns={columns}
        rows={data?.cvms}
        problem={problem}
        skeletonRows={2}
        rowId={({ cvm }) => cvm.id ?? ''}
        rowName={({ cvm }) => cvm.name ?? ''}
        empty={<EmptyState>It had no CVM in this month.</EmptyState>}
      />
    </CostPanel>
  );
}
