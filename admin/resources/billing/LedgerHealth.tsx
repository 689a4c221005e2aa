import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { AdminLedger, AdminLedgerCheck } from '../../../generated/api/types.gen';
import { ownValue } from '../../../console/lib/ownValue';
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
import { space } from '../../../console/ui/theme';
import { useCrumbs } from '../../frame/slots';
import { fetchJson, problemOf } from '../../http';
import { adminHref } from '../../paths';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

/** Whether the books balance: what all ledgers sum to, and what the last daily check found. */
export function LedgerHealth() {
  useCrumbs([{ label: 'Ledger health' }]);
  const { data, error, refetch } = useQuery({
    queryKey: ['/admin/ledger'],
    queryFn: async ({ signal }) => (await fetchJson('/api/v1/admin/ledger', { signal })).json as AdminLedger,
    retry: false,
  });
  return (
    <>
      <PageHeader
        title="Ledger health"
        subtitle="Every posting sums to zero, so all accounts together do. Once a day, everything is summed again."
      />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the ledger', () => void refetch())} />
      ) : data ? (
        <Stack>
          <Verdict {...data} />
          <Accounts {...data} />
        </Stack>
      ) : (
        <PageSkeleton part label="Loading the ledger" rows={6} />
      )}
    </>
  );
}

function Verdict({ total, check }: AdminLedger) {
  if (check === null)
    return (
      <Notice tone="neutral" title="Not checked yet.">
        The first check runs within ten minutes of the server’s start.
      </Notice>
    );
  const { discrepancies, transactions, checked_at } = check;
  const when = (
    <>
      {counted(transactions, ['posting was', 'postings were'])} summed again <RelativeTime at={checked_at} />.
    </>
  );
  if (discrepancies.length === 0 && Number(total) === 0)
    return (
      <Notice tone="ok" title="The books balance.">
        {when}
      </Notice>
    );
  return (
    <>
      <Notice tone="error" title="The books don’t balance.">
        {when} Don’t issue invoices or refunds for these teams until the cause is known. On the server,{' '}
        <code>teehouse verify</code> names the first posting that was changed.
      </Notice>
      <Panel title="Wrong sums" framed>
        <DataTable<Discrepancy>
          id="ledger-discrepancies"
          label="Wrong sums"
          bare
          columns={DISCREPANCY_COLUMNS}
          rows={discrepancies}
          rowId={({ team_id, what }) => `${team_id} ${what}`}
          rowName={({ what }) => what}
          empty={null}
        />
      </Panel>
    </>
  );
}

type Discrepancy = AdminLedgerCheck['discrepancies'][number];

const DISCREPANCY_COLUMNS: Column<Discrepancy>[] = [
  { id: 'what', header: 'Sum', cell: ({ what }) => <bdi>{what}</bdi> },
  {
    id: 'team',
    header: 'Workspace',
    cell: ({ team_id }) => (
      <TextLink href={adminHref.show('workspaces', team_id)}>{`Workspace ${team_id}`}</TextLink>
    ),
  },
  {
    id: 'expected',
    header: 'Expected',
    cell: ({ expected }) => <Cost usd={expected} />,
    align: 'right',
    labelled: true,
  },
  { id: 'found', header: 'Found', cell: ({ found }) => <Cost usd={found} />, align: 'right', labelled: true },
];

type Account = AdminLedger['accounts'][number];

const ACCOUNT_COLUMNS: Column<Account>[] = [
  { id: 'account', header: 'Account', cell: ({ account }) => accountName(account) },
  {
    id: 'what',
    header: 'What it is',
    cell: ({ account }) => accountText(account),
    priority: 2,
    phone: 'meta',
  },
  { id: 'amount', header: 'Sum', cell: ({ amount }) => <Cost usd={amount} />, align: 'right', phone: 'end' },
];

function Accounts({ accounts, total, teams }: AdminLedger) {
  return (
    <Panel title="Accounts" subtitle={`Of ${counted(teams, ['workspace', 'workspaces'])}.`} framed>
      <DataTable<Account>
        id="ledger-accounts"
        label="Accounts"
        bare
        columns={ACCOUNT_COLUMNS}
        rows={accounts.length === 0 ? [] : [...accounts, { account: TOTAL, amount: total }]}
        rowId={({ account }) => account}
        rowName={({ account }) => accountName(account)}
        empty="Nothing was posted yet."
      />
    </Panel>
  );
}

const TOTAL = 'total';

const ACCOUNTS: Readonly<Record<string, readonly [name: string, text: string]>> = {
  prepaid: ['Prepaid', 'What workspaces paid in and have left; negative where they owe.'],
  credits: ['Credits', 'Granted money that workspaces have left.'],
  revenue: ['Revenue', 'What usage and orders were charged, as a negative amount.'],
  promotion: ['Promotion', 'What credits were granted, less what expired or was revoked.'],
  adjustment: ['Adjustments', 'What finance staff corrected by hand.'],
  write_off: ['Write-offs', 'Debts that were given up.'],
  tax: ['Tax', 'What invoices charged beyond the price, as a negative amount.'],
  cash: ['Received', 'What was paid in, less refunds, as a negative amount.'],
  dispute: ['Disputed', 'What payers took back through their bank.'],
  [TOTAL]: ['All accounts', 'Zero while the books balance.'],
};

function accountName(account: string): string {
  const [kind = '', way] = account.split(':');
  const name = ownValue(ACCOUNTS, kind)?.[0] ?? account;
  return way === undefined ? name : `${name} by ${way === 'manual' ? 'bank transfer' : way}`;
}

const accountText = (account: string): string => ownValue(ACCOUNTS, account.split(':')[0] ?? '')?.[1] ?? '';
