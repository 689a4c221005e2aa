import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { TeamUsage, UsageGroup, UsageHours } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay, useTeam } from '../../api/session';
import { billingPath, costPath } from '../../lib/paths';
import { ChartSync } from '../../ui/charts/ChartSync';
import { TimeChart } from '../../ui/charts/TimeChart';
import { formatValue, type ChartUnit } from '../../ui/charts/units';
import { LinkButton } from '../../ui/controls/Button';
import type { Column } from '../../ui/data/column';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { color, space, type } from '../../ui/theme';
import { dailyFrame, groupId, groupName, hasOthers } from './groups/groups';
import { GroupsTable } from './groups/GroupsTable';
import { MoneyPage } from './MoneyPage';
import { PeriodPickers } from './PeriodPickers';
import { USAGE_GROUPS } from './periods';
import { usageOptions } from './queries';
import { moneyHref, type UsageSearch } from './search';
import { periodTexts, usageGroupTexts } from './texts';
import { useUsageFile } from './files/useUsageFile';

const GROUPS = USAGE_GROUPS.map((value) => ({
  value,
  label: usageGroupTexts[value],
}));

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
  gap: `${space(6)} ${space(8)}`,
  alignItems: 'start',
});
const Note = styled('p')({
  ...type.small,
  color: color.muted,
  marginTop: space(5),
});

interface Props {
  teamSlug: string;
  search: UsageSearch;
}

const SHOWN: readonly {
  id: keyof UsageHours;
  label: string;
  unit: ChartUnit;
}[] = [
  { id: 'vcpu_hours', label: 'vCPU-hours', unit: 'hours' },
  { id: 'memory_gb_hours', label: 'Memory', unit: 'gb_hours' },
  { id: 'disk_gb_hours', label: 'Disk', unit: 'gb_hours' },
  { id: 'gpu_hours', label: 'GPU-hours', unit: 'hours' },
  { id: 'ai_requests', label: 'AI requests', unit: 'count' },
  { id: 'ai_tokens', label: 'AI tokens', unit: 'count' },
  { id: 'reserved_hours', label: 'Reserved', unit: 'hours' },
];
/** Always shown; other charts and columns are hidden if they have no values. */
const ALWAYS: ReadonlySet<keyof UsageHours> = new Set(['vcpu_hours', 'memory_gb_hours', 'disk_gb_hours']);

/** A team's usage by day. */
export function UsagePage({ teamSlug, search }: Props) {
  const team = useTeam(teamSlug);
  const { allowed } = useMay('billing.read', teamSlug);
  const navigate = useNavigate();
  const file = useUsageFile(teamSlug, search.period);
  const { data, error, refetch, isLoading, isPlaceholderData } = useQuery({
    ...usageOptions(teamSlug, search),
    enabled: allowed,
  });
  const problem = problemOf(error, 'Couldn’t load usage', () => void refetch());
  const go = (next: Partial<UsageSearch>) =>
    void navigate({
      href: moneyHref('/usage', { ...search, ...next }),
      replace: true,
      resetScroll: false,
    });
  const by = search.by ?? 'total';
  const total = data?.total;
  const shown = useMemo(() => SHOWN.filter(({ id }) => ALWAYS.has(id) || (total?.[id] ?? 0) > 0), [total]);
  const grouped = data?.group_by ?? 'app';
  const columns = useMemo(() => columnsOf(shown), [shown]);
  return (
    <MoneyPage
      teamSlug={teamSlug}
      title="Usage"
      subtitle={`Daily usage for ${team.name}`}
      secondary={
        <>
          <LinkButton href={costPath(teamSlug)}>Cost</LinkButton>
          <LinkButton href={billingPath(teamSlug)}>Billing</LinkButton>
        </>
      }
    >
      {file.problem && <ErrorNotice problem={file.problem} />}
      <Sections>
        <Panel title="Usage by day" actions={file.button}>
          <PeriodPickers
            period={search.period}
            onPeriod={(period) => go({ period: period === 'month' ? undefined : period })}
            group={by}
            groups={GROUPS}
            onGroup={(group) => go({ by: group === 'total' ? undefined : group })}
          />
          {data && data.groups.length > 0 && (
            <>
              <ChartSync>
                <Grid aria-busy={isPlaceholderData}>
                  {shown.map((chart) => (
                    <UsageChart
                      key={chart.id}
                      {...chart}
                      usage={data}
                      total={by === 'total'}
                      period={periodTexts[search.period ?? 'month']}
                    />
                  ))}
                </Grid>
              </ChartSync>
              <Note>
                Days are in UTC, and today is incomplete. vCPUs and memory count while a CVM runs; its disk
                counts while it is stopped, too. Free AI requests aren’t counted.
              </Note>
            </>
          )}
        </Panel>
        {/* The charts' height determines the table's position, so they appear together. */}
        {isLoading ? (
          <PageSkeleton part label="Loading usage" cards={3} />
        ) : (
          <Panel
            title={`${grouped === 'cvm' ? 'CVMs' : 'Apps'}${hasOthers(data?.groups ?? []) ? ', AI models and orders' : ''}`}
          >
            <GroupsTable
              id={`usage-${grouped}`}
              label={grouped === 'cvm' ? 'usage of CVMs' : 'usage of apps'}
              teamSlug={teamSlug}
              by={grouped}
              groups={data?.groups}
              columns={columns}
              refreshing={isPlaceholderData}
              problem={problem}
            />
          </Panel>
        )}
      </Sections>
    </MoneyPage>
  );
}

interface ChartProps {
  id: keyof UsageHours;
  label: string;
  unit: ChartUnit;
  usage: TeamUsage;
  total: boolean;
  period: string;
}

function UsageChart({ id, label, unit, usage, total, period }: ChartProps) {
  const frame = useMemo(() => dailyFrame(usage), [usage]);
  const lines = useMemo(
    () =>
      total
        ? [
            {
              id: 'total',
              name: label,
              values: usage.days.map((day) => day[id]),
            },
          ]
        : usage.groups.map((group) => ({
            id: groupId(group),
            name: groupName(group, usage.groups),
            values: group.days.map((day) => day[id]),
          })),
    [usage, total, id, label],
  );
  return (
    <TimeChart
      {...{ label, unit, frame, lines }}
      range={period.toLowerCase()}
      summary={`${formatValue(usage.total[id], unit)} in total`}
    />
  );
}

const columnsOf = (shown: readonly (typeof SHOWN)[number][]): Column<UsageGroup>[] =>
  shown.map(({ id, label, unit }, i) => ({
    id,
    header: label,
    // Seven columns of this width leave room for the name beside the menu at 1280 px.
    width: 106,
    align: 'right',
    labelled: true,
    priority: i === 0 ? 1 : i >= 3 ? 3 : 2,
    phone: i === 0 ? 'end' : 'meta',
    cell: ({ total }) => {
      const value = formatValue(total[id], unit);
      // Large values are truncated.
      return <span title={value}>{value}</span>;
    },
  }));
