import { useInfiniteQuery } from '@tanstack/react-query';
import type { Invoice } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { TextLink } from '../../ui/link';
import { InvoicePage } from './InvoicePage';
import { InvoiceState } from './InvoiceState';
import { monthText } from '../../lib/texts/months';
import { invoicesOptions } from './queries';
import { transactionsHref, type TransactionsSearch } from './search';
import { useInvoiceFile } from './useInvoiceFile';

interface Props {
  teamSlug: string;
  search: TransactionsSearch;
}

/** A team's invoices and credit notes, or one of them. */
export function InvoicesTab({ teamSlug, search }: Props) {
  if (search.invoice !== undefined)
    return <InvoicePage key={search.invoice} teamSlug={teamSlug} search={search} id={search.invoice} />;
  return <InvoiceList teamSlug={teamSlug} search={search} />;
}

function InvoiceList({ teamSlug, search }: Props) {
  const list = useInfiniteQuery(invoicesOptions(teamSlug));
  const file = useInvoiceFile(teamSlug);
  const hrefOf = ({ id }: Invoice) => transactionsHref({ team: search.team, tab: 'invoices', invoice: id });
  const columns: Column<Invoice>[] = [
    {
      id: 'number',
      header: 'Number',
      cell: (row) => <TextLink href={hrefOf(row)}>{row.number}</TextLink>,
    },
    {
      id: 'kind',
      header: 'Document',
      cell: ({ kind }) => (kind === 'invoice' ? 'Invoice' : 'Credit note'),
      priority: 3,
      phone: 'hide',
    },
    { id: 'month', header: 'Month', cell: ({ month }) => monthText(month), priority: 2, labelled: true },
    { id: 'state', header: 'State', cell: (row) => <InvoiceState invoice={row} />, phone: 'end' },
    {
      id: 'issued',
      header: 'Issued',
      cell: ({ issued_at }) => <RelativeTime at={issued_at} />,
      priority: 3,
      labelled: true,
    },
    {
      id: 'total',
      header: 'Total',
      cell: ({ total }) => <Cost usd={total} />,
      align: 'right',
      labelled: true,
    },
  ];
  const problem = problemOf(file.error, 'Couldn’t download the invoice');
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <DataTable
        id="invoices"
        noun={['invoice', 'invoices']}
        columns={columns}
        rows={list.data?.pages.flatMap(({ items }) => items)}
        more={{ list }}
        rowId={({ id }) => id}
        rowName={({ number }) => number}
        rowActions={(row) => [{ id: 'download', label: 'Download PDF', onSelect: () => file.mutate(row) }]}
        problem={problemOf(list.error, 'Couldn’t load the invoices', () => void list.refetch())}
        empty={
          <EmptyState picture="invoices" title="No invoices yet">
            Invoices are issued after each month ends (UTC).
          </EmptyState>
        }
      />
    </>
  );
}
