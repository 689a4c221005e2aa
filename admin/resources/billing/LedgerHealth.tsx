import { useQuery } from '@tanstack/react-query';
import type { AdminDiscrepancy, AdminLedger, AdminLedgerAccount } from '../../../generated/api/types.gen';
import styled from '@emotion/styled';
import { counted } from '../../../console/lib/texts/count';
import { Cost } from '../../../console/ui/data/Cost';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { useCrumbs } from '../../frame/slots';
import { fetchJson, problemOf } from '../../http';
import { space } from '../../../console/ui/theme';
import { adminHref } from '../../paths';
import { accountMeaning, emptyCheckTitle } from './ledgerAccounts';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

const accounts: Column<AdminLedgerAccount>[] = [
  { id: 'account', header: 'Account', cell: ({ account }) => account },
  {
    id: 'meaning',
    header: 'Description',
    cell: ({ account }) => accountMeaning(account),
    wrap: true,
    priority: 2,
    phone: 'meta',
  },
  { id: 'amount', header: 'Sum', cell: ({ amount }) => <Cost usd={amount} />, align: 'right', phone: 'end' },
];

const discrepancies: Column<AdminDiscrepancy>[] = [
  {
    id: 'team',
    header: 'Team',
    cell: ({ team_id, team_name }) =>
      team_name === null ? (
        `Deleted team ${team_id}`
      ) : (
        <TextLink href={adminHref.show('workspaces', team_id)}>{team_name}</TextLink>
      ),
  },
  { id: 'what', header: 'Sum', cell: ({ what }) => what },
  {
    id: 'expected',
    header: 'Expected',
    cell: ({ expected }) => <Cost usd={expected} />,
    align: 'right',
    priority: 2,
    labelled: true,
  },
  { id: 'found', header: 'Found', cell: ({ found }) => <Cost usd={found} />, align: 'right', phone: 'end' },
];

/** The ledger's sums, and the result of the nightly check. */
export function LedgerHealth() {
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-ledger'],
    queryFn: async ({ signal }) => (await fetchJson('/api/v1/admin/ledger', { signal })).json as AdminLedger,
    retry: false,
  });
  useCrumbs([{ label: 'Ledger health' }]);
  return (
    <>
      <PageHeader
        title="Ledger health"
        subtitle="Double-entry bookkeeping: the sum of all accounts is always zero."
      />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the ledger', () => void refetch())} />
      ) : data ? (
        <Health ledger={data} />
      ) : (
        <PageSkeleton part label="Loading the ledger" rows={4} />
      )}
    </>
  );
}

function Health({ ledger }: { ledger: AdminLedger }) {
  const { total, checked_at, transactions } = ledger;
  const isBalanced = /^-?0(\.0*)?$/.test(total);
  const found = ledger.discrepancies.length;
  return (
    <>
      <Panel title="Nightly check">
        <Stack>
          {!isBalanced && (
            <Notice tone="error" title="The accounts don’t sum to zero">
              They sum to <Cost usd={total} />. Run teehouse verify on the server.
            </Notice>
          )}
          {checked_at === null ? (
            <Notice tone="neutral" title="Not checked yet">
              The first check runs within a day of the server’s start.
            </Notice>
          ) : found === 0 && transactions === 0 ? (
            <Notice tone="neutral" title={emptyCheckTitle(ledger)}>
              The last check, <RelativeTime at={checked_at} inWords />, found no transactions. To check now,
              run teehouse verify on the server.
            </Notice>
          ) : found === 0 ? (
            <Notice tone="ok" title="No differences found">
              {counted(transactions, ['transaction was', 'transactions were'])} recalculated{' '}
              <RelativeTime at={checked_at} inWords /> and compared with balances, usage, payments, orders and
              invoices. To check now, run teehouse verify on the server.
            </Notice>
          ) : (
            <Notice
              tone="error"
              title={`${found === 100 ? 'At least ' : ''}${counted(found, ['sum differs', 'sums differ'])}`}
            >
              Found <RelativeTime at={checked_at} inWords /> in{' '}
              {counted(transactions, ['transaction', 'transactions'])}. Run teehouse verify on the server.
            </Notice>
          )}
          {found > 0 && (
            <DataTable<AdminDiscrepancy>
              id="discrepancies"
              label="Differences"
              noun={['difference', 'differences']}
              bare
              columns={discrepancies}
              rows={ledger.discrepancies}
              rowId={({ team_id, what }) => `${team_id} ${what}`}
              rowName={({ what }) => what}
              empty={<p>No differences.</p>}
            />
          )}
        </Stack>
      </Panel>
      <Panel
        title="Accounts"
        subtitle="Posted totals across all teams. A negative sum means money came from that account."
      >
        <DataTable<AdminLedgerAccount>
          id="ledger-accounts"
          label="Accounts"
          noun={['account', 'accounts']}
          bare
          columns={accounts}
          rows={[...ledger.accounts, { account: 'Total', amount: total }]}
          rowId={({ account }) => account}
          rowName={({ account }) => account}
          empty={<p>Nothing posted yet.</p>}
        />
      </Panel>
    </>
  );
}
