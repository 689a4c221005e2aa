import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CostGroup, TeamCost } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay, useTeam } from '../../api/session';
import { exactUsd, parseMicros } from '../../lib/billing/money';
import { billingPath, usagePath } from '../../lib/paths';
import { TimeChart } from '../../ui/charts/TimeChart';
import { formatValue } from '../../ui/charts/units';
import { LinkButton } from '../../ui/controls/Button';
import { DownloadButton } from '../../ui/controls/DownloadButton';
import { CSV } from '../../ui/controls/FormatButtons';
import { saveFile } from '../../ui/controls/saveFile';
import type { Column } from '../../ui/data/column';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { Tabs } from '../../ui/layout/Tabs';
import { color, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { BudgetsPanel } from './budgets/BudgetsPanel';
import { costFile } from './files/costFile';
import { CurrentCosts } from './current/CurrentCosts';
import { ForecastPanel } from './ForecastPanel';
import { dailyFrame, groupId, groupName } from './groups/groups';
import { GroupsTable } from './groups/GroupsTable';
import { MoneyPage } from './MoneyPage';
import { OrdersTab } from './orders/OrdersTab';
import { PeriodPickers } from './PeriodPickers';
import { COST_GROUPS } from './periods';
import { costOptions } from './queries';
import { moneyHref, type CostSearch } from './search';
import { costGroupTexts, periodTexts } from './texts';

const GROUPS = COST_GROUPS.map((value) => ({ value, label: costGroupTexts[value] }));

const Note = styled('p')({ ...type.small, color: color.muted, margin: `${space(2)} 0 ${space(5)}` });

interface Props {
  teamSlug: string;
  search: CostSearch;
}

/** A team's costs, and the forecast for the month. */
export function CostPage({ teamSlug, search }: Props) {
  const team = useTeam(teamSlug);
  return (
    <MoneyPage
      teamSlug={teamSlug}
      title="Cost"
      subtitle={`Spending and prices for ${team.name}`}
      secondary={
        <>
          <LinkButton href={usagePath(teamSlug)}>Usage</LinkButton>
          <LinkButton href={billingPath(teamSlug)}>Billing</LinkButton>
        </>
      }
    >
      <Tabs
        label="Cost"
        tabs={[
          {
            label: 'Overview',
            href: moneyHref('/cost', { ...search, tab: undefined }),
            current: search.tab === undefined,
          },
          {
            label: 'Reservations',
            href: moneyHref('/cost', { ...search, tab: 'reservations' }),
            current: search.tab === 'reservations',
          },
        ]}
      />
      {search.tab === 'reservations' ? (
        <OrdersTab teamSlug={teamSlug} />
      ) : (
        <Sections>
          <ForecastPanel teamSlug={teamSlug} />
          <BudgetsPanel teamSlug={teamSlug} />
          <CostByDay teamSlug={teamSlug} search={search} />
          <CurrentCosts teamSlug={teamSlug} />
        </Sections>
      )}
    </MoneyPage>
  );
}

function CostByDay({ teamSlug, search }: Props) {
  const { allowed } = useMay('billing.read', teamSlug);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...costOptions(teamSlug, search),
    enabled: allowed,
  });
  const by = data?.group_by ?? 'app';
  const columns = useMemo(() => columnsOf(data?.amount ?? '0'), [data?.amount]);
  const go = (next: Partial<CostSearch>) =>
    void navigate({ href: moneyHref('/cost', { ...search, ...next }), replace: true, resetScroll: false });
  const problem = problemOf(error, 'Couldn’t load the cost', () => void refetch());
  return (
    <Panel
      title="Cost by day"
      actions={data && !isPlaceholderData && <CostButton teamSlug={teamSlug} cost={data} />}
    >
      <PeriodPickers
        period={search.period}
        onPeriod={(period) => go({ period: period === 'month' ? undefined : period })}
        group={search.by ?? 'app'}
        groups={GROUPS}
        onGroup={(group) => go({ by: group === 'app' ? undefined : group })}
      />
      {data && data.groups.length > 0 && (
        <CostChart cost={data} period={periodTexts[search.period ?? 'month']} />
      )}
      <GroupsTable
        id={`cost-${by}`}
        label="costs"
        teamSlug={teamSlug}
        by={by}
        groups={data?.groups}
        columns={columns}
        refreshing={isPlaceholderData}
        problem={problem}
      />
    </Panel>
  );
}

/** Downloads the displayed data. */
function CostButton({ teamSlug, cost }: { teamSlug: string; cost: TeamCost }) {
  return (
    <DownloadButton
      isSmall
      pending={false}
      onClick={() => {
        const { name, content } = costFile(teamSlug, cost);
        saveFile(name, content, CSV.mime);
      }}
    >
      <span>
        <VisuallyHidden>Download </VisuallyHidden>
        {CSV.label}
      </span>
    </DownloadButton>
  );
}

function CostChart({ cost, period }: { cost: TeamCost; period: string }) {
  const { groups } = cost;
  const lines = useMemo(
    () =>
      groups.map((group) => ({
        id: groupId(group),
        name: groupName(group, groups),
        values: group.days.map(Number),
      })),
    [groups],
  );
  const frame = useMemo(() => dailyFrame(cost), [cost]);
  return (
    <>
      <TimeChart
        label="Daily cost"
        range={period.toLowerCase()}
        frame={frame}
        lines={lines}
        unit="usd"
        summary={`${formatValue(Number(cost.amount), 'usd')} in total`}
      />
      <Note>Days are in UTC, and today is incomplete. Orders count on the day they’re charged.</Note>
    </>
  );
}

const columnsOf = (total: string): Column<CostGroup>[] => [
  {
    id: 'share',
    header: 'Share',
    width: 100,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ amount }) => shareOf(amount, total),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 150,
    align: 'right',
    phone: 'end',
    // The same number of decimals as the chart's legend.
    cell: ({ amount }) => <span title={exactUsd(amount)}>{formatValue(Number(amount), 'usd')}</span>,
  },
];

function shareOf(amount: string, total: string): string {
  const [part, whole] = [parseMicros(amount) ?? 0, parseMicros(total) ?? 0];
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)}%` : '—';
}
