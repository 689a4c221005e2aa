import styled from '@emotion/styled';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { getWorkspaceOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { exportTransactions } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { billingPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/Button';
import { CSV, FormatButtons, JSON_LINES } from '../../ui/controls/FormatButtons';
import { saveFile } from '../../ui/controls/saveFile';
import { DataTable } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Tabs } from '../../ui/layout/Tabs';
import { space } from '../../ui/theme';
import { ledgerRows } from './days';
import { InvoicesTab } from './InvoicesTab';
import { MoneyPage } from './MoneyPage';
import { ledgerMonths } from './periods';
import { transactionsOptions } from './queries';
import { StatementPicker } from './StatementPicker';
import { TRANSACTION_KINDS, transactionsHref, type TransactionsSearch } from './search';
import { emptyLedgerText, kindTexts } from './texts';
import { transactionColumns } from './transactionColumns';

const Pickers = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(3),
  '& > *': { flex: '0 1 220px', minWidth: 0 },
});

/** JSON Lines can be verified without the server. */
const FORMATS = [CSV, JSON_LINES] as const;

interface Props {
  teamSlug: string;
  search: TransactionsSearch;
}

/** Every change to a team's balance, newest first. */
export function TransactionsPage({ teamSlug, search }: Props) {
  const save = useMutation({
    mutationFn: async ({ format, mime }: (typeof FORMATS)[number]) => {
      const { data } = await exportTransactions({
        ...inTeam(teamSlug),
        query: { format },
        parseAs: 'text',
        throwOnError: true,
      });
      saveFile(`${teamSlug}-transactions.${format}`, data, mime);
    },
  });
  const problem = problemOf(save.error, 'Couldn’t create the file', () => save.mutate(save.variables ?? CSV));
  return (
    <MoneyPage
      teamSlug={teamSlug}
      title="Transactions"
      subtitle="All changes to the balance"
      secondary={
        <>
          {search.tab === undefined && (
            <FormatButtons
              formats={FORMATS}
              pending={save.isPending ? save.variables.format : undefined}
              text={(label) => `Download ${label}`}
              onChoose={save.mutate}
            />
          )}
          <LinkButton href={billingPath(teamSlug)}>Billing</LinkButton>
        </>
      }
    >
      <Tabs
        label="Transactions"
        tabs={[
          {
            label: 'Ledger',
            href: transactionsHref({ team: search.team }),
            current: search.tab === undefined,
          },
          {
            label: 'Invoices',
            href: transactionsHref({ team: search.team, tab: 'invoices' }),
            current: search.tab === 'invoices',
          },
        ]}
      />
      {search.tab === 'invoices' ? (
        <InvoicesTab teamSlug={teamSlug} search={search} />
      ) : (
        <>
          {problem && <ErrorNotice problem={problem} />}
          <StatementPicker teamSlug={teamSlug} />
          <TransactionsTable teamSlug={teamSlug} search={search} />
        </>
      )}
    </MoneyPage>
  );
}

const KINDS = TRANSACTION_KINDS.map((value) => ({ value, label: kindTexts[value] }));

function TransactionsTable({ teamSlug, search }: Props) {
  const { allowed } = useMay('billing.read', teamSlug);
  const navigate = useNavigate();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [now] = useState(() => new Date());
  const team = useQuery({ ...getWorkspaceOptions({ path: { slug: teamSlug } }), staleTime: Infinity });
  const months = ledgerMonths(now, team.data ? new Date(team.data.created_at) : null, search.month);
  const list = useInfiniteQuery({ ...transactionsOptions(teamSlug, search), enabled: allowed });
  const columns = useMemo(
    () =>
      transactionColumns({
        open,
        onToggle: (id) => setOpen((before) => toggled(before, id)),
      }),
    [open],
  );
  const transactions = list.data?.pages.flatMap(({ items }) => items);
  const choose = (filter: Partial<Pick<TransactionsSearch, 'kind' | 'month'>>) =>
    void navigate({ href: transactionsHref({ ...search, ...filter }), replace: true, resetScroll: false });
  return (
    <>
      <DataTable
        id="transactions"
        noun={['transaction', 'transactions']}
        columns={columns}
        rows={transactions && ledgerRows(transactions, open)}
        items={transactions?.length}
        more={{ list }}
        rowId={({ id }) => id}
        rowName={({ shown }) => shown.description}
        filters={
          <Pickers>
            <SelectInput
              label="Kind"
              value={search.kind ?? ''}
              choices={[{ value: '', label: 'All kinds' }, ...KINDS]}
              onChange={({ target }) =>
                choose({ kind: KINDS.find(({ value }) => value === target.value)?.value })
              }
            />
            <SelectInput
              label="Month"
              value={search.month ?? ''}
              choices={[{ value: '', label: 'All months' }, ...months]}
              onChange={({ target }) => choose({ month: target.value === '' ? undefined : target.value })}
            />
          </Pickers>
        }
        problem={problemOf(list.error, 'Couldn’t load the transactions', () => void list.refetch())}
        empty={
          search.kind === undefined && search.month === undefined ? (
            <EmptyState picture="money" link={{ label: 'Add funds', href: billingPath(teamSlug) }}>
              Usage, payments and credits appear here. Usage is added every hour.
            </EmptyState>
          ) : (
            emptyLedgerText(search)
          )
        }
      />
    </>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
