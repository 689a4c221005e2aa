import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { AdminSpend } from '../../generated/api/types.gen';
import { formatHourly, parseMicros } from '../../console/lib/billing/money';
import { DataTable } from '../../console/ui/data/DataTable';
import { KeyValue } from '../../console/ui/data/KeyValue';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { EmptyState } from '../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../console/ui/layout/Panel';
import { color, space, type } from '../../console/ui/theme';
import { fetchJson, problemOf } from '../http';
import { adminHref } from '../paths';
import { centsText, partsText } from './spendText';

const REFRESH_MS = 60_000;

const Figure = styled('span')({ ...type.lead, fontWeight: 600 });
const Parts = styled('div')({ ...type.caption, color: color.muted });
const Teams = styled('div')({ marginTop: space(4) });

/** Total spend and top teams: CVMs, AI requests and orders. */
export function Spend() {
  const { data, error, refetch } = useQuery({
    queryKey: ['spend'],
    queryFn: async () => (await fetchJson('/api/v1/admin/spend')).json as AdminSpend,
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return (
    <Panel
      title="Spend"
      subtitle="Up to now. Team pages show posted amounts, up to the last full hour."
      framed
    >
      {error && <ErrorNotice problem={problemOf(error, 'Couldn’t load spend', () => void refetch())} />}
      {data ? <Figures spend={data} /> : !error && <Bar w="60%" />}
    </Panel>
  );
}

function Figures({ spend }: { spend: AdminSpend }) {
  const parts = partsText(spend);
  const figure = (text: string) => <Figure>{text}</Figure>;
  return (
    <>
      <KeyValue
        facts={[
          {
            label: 'CVMs now',
            value: figure(formatHourly(parseMicros(spend.hourly_rate) ?? 0)),
          },
          { label: 'Today (UTC)', value: figure(centsText(spend.today)) },
          {
            label: 'This month',
            value: (
              <>
                {figure(centsText(spend.month))}
                {parts !== null && <Parts>{parts}</Parts>}
              </>
            ),
          },
        ]}
      />
      <Teams>
        <DataTable
          id="spend-teams"
          label="Top teams by spend this month"
          noun={['team', 'teams']}
          columns={[
            { id: 'name', header: 'Team', cell: ({ name }) => name },
            {
              id: 'month',
              header: 'This month',
              width: 120,
              cell: ({ month }) => centsText(month),
            },
            {
              id: 'ai',
              header: 'AI',
              width: 110,
              priority: 3,
              phone: 'hide',
              cell: ({ ai }) => centsText(ai),
            },
            {
              id: 'orders',
              header: 'Orders',
              width: 110,
              priority: 3,
              phone: 'hide',
              cell: ({ orders }) => centsText(orders),
            },
            {
              id: 'today',
              header: 'Today',
              width: 110,
              priority: 2,
              cell: ({ today }) => centsText(today),
            },
            {
              id: 'hour',
              header: 'Per hour',
              width: 110,
              phone: 'end',
              cell: (team) => formatHourly(parseMicros(team.hourly_rate) ?? 0),
            },
          ]}
          rows={spend.teams}
          rowId={({ team_id }) => String(team_id)}
          rowName={({ name }) => name}
          rowHref={({ team_id }) => adminHref.show('workspaces', team_id)}
          empty={<EmptyState picture="money">No spend this month.</EmptyState>}
        />
      </Teams>
    </>
  );
}
