import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AppCvmUsage, AppMetrics, MetricSeries, ReplicaMetrics } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { appCvmPath, appPath } from '../../lib/paths';
import { formatDuration } from '../../lib/time/time';
import { exactUsd } from '../../lib/billing/money';
import { ChartSync } from '../../ui/charts/ChartSync';
import { TimeChart } from '../../ui/charts/TimeChart';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { TextLink } from '../../ui/link';
import { BeforeNotice } from './BeforeNotice';
import { ChangeList } from './ChangeList';
import { useChanges } from './changes';
import { ChartGrid, ChartNote, ChartsSkeleton, ChartStack, ZOOM_HINT } from './ChartGrid';
import { periodBefore, withPrevious } from './compare';
import { CostPanel } from './CostPanel';
import { useDownload } from './download';
import { appMetricsOptions, appUsageOptions } from './queries';
import { usageSearch } from './search';
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

interface Props {
  teamSlug: string;
  appId: string;
  /** App name, for file names. */
  name: string;
}

/** Usage per replica of an app and its total cost. */
export function AppUsage(props: Props) {
  const { month } = usageSearch(useSearch({ strict: false }));
  return (
    <Sections>
      <ReplicaCharts {...props} />
      <AppCost {...props} month={month} />
    </Sections>
  );
}

function ReplicaCharts({ teamSlug, appId }: Props) {
  const view = useUsageView();
  const { time, compared, zoom } = view;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...appMetricsOptions(teamSlug, appId, time),
    placeholderData: keepPreviousData,
  });
  const problem = problemOf(error, 'Couldn’t load usage', () => void refetch());
  const sources = [...new Set(data?.replicas.flatMap(({ source }) => source ?? []))];
  const when = 'range' in time ? rangeTexts[time.range] : timeText({ range: null, ...time });
  return (
    <Panel
      title={`Usage by replica, ${when}`}
      subtitle={sources.length === 1 ? sourceTexts[sources[0]!] : 'Measured while running.'}
      actions={<ViewTools view={view} />}
    >
      {problem && <ErrorNotice problem={problem} />}
      {!data ? (
        !problem && <ChartsSkeleton count={4} />
      ) : data.replicas.length === 0 ? (
        <EmptyState picture="cvms">No data: this app has no CVMs left.</EmptyState>
      ) : (
        <Charts {...{ teamSlug, appId, compared, zoom }} metrics={data} busy={isPlaceholderData} />
      )}
    </Panel>
  );
}

interface ChartsProps extends Omit<Props, 'name'> {
  metrics: AppMetrics;
  busy: boolean;
  compared: boolean;
  zoom: UsageView['zoom'];
}

function Charts({ teamSlug, appId, metrics, busy, compared, zoom }: ChartsProps) {
  const before = useQuery({
    ...appMetricsOptions(teamSlug, appId, periodBefore(metrics)),
    enabled: compared,
    placeholderData: keepPreviousData,
  });
  const past = compared ? (before.data ?? 'loading') : null;
  const charts = useMemo(() => chartsOf(metrics, past), [metrics, past]);
  const frame = useMemo(() => frameOf(metrics, metrics.replicas[0]?.series ?? []), [metrics]);
  const changes = useChanges(
    {
      teamSlug,
      of: `app_${appId}`,
      eventsPath: appPath(teamSlug, appId, 'events'),
      named: metrics.replicas_total > 1,
    },
    metrics,
  );
  return (
    <ChartStack>
      {metrics.replicas_total > metrics.replicas.length && (
        <Notice tone="neutral">
          Showing the newest {metrics.replicas.length} of {metrics.replicas_total} CVMs. Each CVM’s own page
          has all its metrics.
        </Notice>
      )}
      {compared && (
        <BeforeNotice
          metrics={metrics}
          before={before}
          series={before.data?.replicas.flatMap(({ series }) => series)}
        />
      )}
      <ChartSync onZoom={zoom}>
        <ChartGrid aria-busy={busy}>
          {charts.map((chart, i) => (
            <TimeChart
              key={chart.label}
              {...chart}
              range={timeText(metrics)}
              frame={frame}
              markers={changes.markers}
              reachableMarkers={i === 0}
            />
          ))}
        </ChartGrid>
        <ChangeList changes={changes} frame={frame} />
      </ChartSync>
      <ChartNote>{ZOOM_HINT} Times are in your time zone.</ChartNote>
    </ChartStack>
  );
}

const SHOWN = ['cpu', 'load', 'memory', 'disk', 'network_in', 'network_out'] as const;

/** Builds one chart per metric with a line per replica; a single replica also shows its states. */
function chartsOf(metrics: AppMetrics, past: AppMetrics | 'loading' | null) {
  const { replicas, range } = metrics;
  const frame = frameOf(metrics, replicas[0]?.series ?? []);
  const [only] = replicas.length === 1 ? replicas : [];
  const around = only ? { gaps: only.gaps.map(gapSpan), states: only.states.map(stateSpan) } : {};
  const beforeOf = ({ cvm }: ReplicaMetrics) =>
    past === 'loading'
      ? { metrics, series: [] }
      : past && {
          metrics: past,
          series: past.replicas.find((replica) => replica.cvm.id === cvm.id)?.series ?? [],
        };
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
        label: seriesTexts[name],
        unit: first.unit,
        capacity: capacities.length === 0 ? null : Math.max(...capacities),
        lines: found.map(({ replica, series }) => ({
          ...withPrevious(lineOf(series), name, frame, beforeOf(replica)),
          id: replica.cvm.id ?? replica.cvm.vm_uuid ?? '',
          name: replica.cvm.name ?? '',
          gaps: replica.gaps.map(gapSpan),
        })),
        summary: found.length === 1 ? summaryOf(first, range) : '',
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
    // Deleted CVMs have no page.
    cell: ({ cvm, deleted_at }) =>
      deleted_at === null && cvm.vm_uuid !== null ? (
        <TextLink href={page(cvm.vm_uuid)}>{cvm.name}</TextLink>
      ) : (
        `${cvm.name ?? ''} (deleted)`
      ),
  },
  {
    id: 'ran',
    header: 'Billed for size',
    width: 150,
    align: 'right',
    phone: 'meta',
    cell: (one) => seconds(one, 'size'),
  },
  {
    id: 'disk',
    header: 'Billed for disk',
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
    cell: ({ amount }) => exactUsd(amount),
  },
];

function AppCost({ teamSlug, appId, name, month }: Props & { month: string | undefined }) {
  const { data, error, refetch } = useQuery(appUsageOptions(teamSlug, appId, month));
  const download = useDownload({ kind: 'app_usage', teamSlug, app_id: appId, month }, name);
  const problem = problemOf(error, 'Couldn’t load the cost', () => void refetch());
  const columns = useMemo(
    () => columnsOf((vmUuid) => appCvmPath(teamSlug, appId, vmUuid, 'usage')),
    [teamSlug, appId],
  );
  return (
    <CostPanel month={month} amount={data?.amount} byState={data?.by_state ?? []} download={download.button}>
      {download.problem && <ErrorNotice problem={download.problem} />}
      <DataTable
        id="app-usage"
        noun={['CVM', 'CVMs']}
        columns={columns}
        rows={data?.cvms}
        problem={problem}
        skeletonRows={2}
        rowId={({ cvm }) => cvm.id ?? ''}
        rowName={({ cvm }) => cvm.name ?? ''}
        empty={<EmptyState picture="cvms">No CVMs in this month.</EmptyState>}
      />
    </CostPanel>
  );
}
