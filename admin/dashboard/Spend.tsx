import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import type { AdminSpend } from '../../generated/api/types.gen';
import { formatUsd, parseMicros } from '../../console/lib/money';
import { count } from '../../console/ui/data/count';
import { DataTable } from '../../console/ui/data/DataTable';
import { KeyValue } from '../../console/ui/data/KeyValue';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../console/ui/layout/Panel';
import { space, type } from '../../console/ui/theme';
import { fetchJson, problemOf } from '../http';
import { adminHref } from '../paths';

const AGAIN_MS = 60_000;

/** To the cent: what is exact stands in the usage of each CVM. */
const formatMoney = (amount: string) => formatUsd(parseMicros(amount) ?? 0);

const Figure = styled('span')({ ...type.lead, fontWeight: 600 });
const Teams = styled('div')({ marginTop: space(4) });

/** What all CVMs cost, by the second: now, today, this month, and whose they are. */
export function Spend() {
  const { data, error, refetch } = useQuery({
    queryKey: ['spend'],
    queryFn: async () => (await fetchJson('/api/v1/admin/spend')).json as AdminSpend,
    refetchInterval: AGAIN_MS,
    retry: false,
  });
  return (
    <Panel title="Spend" framed>
      {error && (
        <ErrorNotice problem={problemOf(error, 'What is spent could not be read', () => void refetch())} />
      )}
      {data ? <Figures spend={data} /> : !error && <Bar w="60%" />}
    </Panel>
  );
}

function Figures({ spend }: { spend: AdminSpend }) {
  const figure = (text: string) => <Figure>{text}</Figure>;
  return (
    <>
      <KeyValue
        facts={[
          { label: 'Per hour now', value: figure(formatMoney(spend.hourly_rate)) },
          { label: 'Today (UTC)', value: figure(formatMoney(spend.today)) },
          { label: 'This month', value: figure(formatMoney(spend.month)) },
          { label: 'Running', value: figure(count(spend.running_cvms)) },
          { label: 'Stopped, disk paid', value: figure(count(spend.stopped_cvms)) },
        ]}
      />
      <Teams>
        <DataTable
          id="spend-teams"
          label="Teams that spent most this month"
          columns={[
            { id: 'name', header: 'Team', cell: ({ name }) => name },
            { id: 'month', header: 'This month', width: 120, cell: ({ month }) => formatMoney(month) },
            {
              id: 'today',
              header: 'Today',
              width: 110,
              priority: 2,
              cell: ({ today }) => formatMoney(today),
            },
            {
              id: 'hour',
              header: 'Per hour',
              width: 110,
              phone: 'end',
              cell: (team) => formatMoney(team.hourly_rate),
            },
          ]}
          rows={spend.teams}
          rowId={({ team_id }) => String(team_id)}
          rowName={({ name }) => name}
          rowHref={({ team_id }) => adminHref.show('workspaces', team_id)}
          empty={<p>No team has a CVM.</p>}
        />
      </Teams>
    </>
  );
}
