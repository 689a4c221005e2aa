import styled from '@emotion/styled';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { InvoiceDetail, InvoiceLine } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { exactUsd } from '../../lib/billing/money';
import { LinkButton } from '../../ui/controls/Button';
import { DownloadButton } from '../../ui/controls/DownloadButton';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { amountColumn, serviceColumns } from '../../ui/data/invoiceLineColumns';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { TextLink } from '../../ui/link';
import { below, space } from '../../ui/theme';
import { InvoiceState } from './InvoiceState';
import { monthText } from '../../lib/texts/months';
import { invoiceLinesOptions, invoiceOptions } from './queries';
import { transactionsHref, type TransactionsSearch } from './search';
import { taxText } from './texts';
import { useInvoiceFile } from './useInvoiceFile';

const Actions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  // The number gets its own line.
  [below.phone]: { flexBasis: '100%' },
});

interface Props {
  teamSlug: string;
  search: TransactionsSearch;
  id: string;
}

/** One invoice or credit note, as issued. */
export function InvoicePage({ teamSlug, search, id }: Props) {
  const { data, error, refetch } = useQuery(invoiceOptions(teamSlug, id));
  const file = useInvoiceFile(teamSlug);
  const xml = useInvoiceFile(teamSlug, 'xml');
  const problem =
    problemOf(error, 'Couldn’t load the invoice', () => void refetch()) ??
    problemOf(file.error ?? xml.error, 'Couldn’t download the invoice');
  const list = transactionsHref({ team: search.team, tab: 'invoices' });
  return (
    <Sections>
      {problem && <ErrorNotice problem={problem} />}
      {!data && !error && <RowsSkeleton rows={6} />}
      {data && (
        <Panel
          title={`${data.invoice.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${data.invoice.number}`}
          actions={
            <Actions>
              <LinkButton href={list}>All invoices</LinkButton>
              <DownloadButton pending={file.isPending} onClick={() => file.mutate(data.invoice)}>
                Download PDF
              </DownloadButton>
              {data.invoice.xml_sha256 !== null && (
                <DownloadButton pending={xml.isPending} onClick={() => xml.mutate(data.invoice)}>
                  Download XML
                </DownloadButton>
              )}
            </Actions>
          }
        >
          <KeyValue facts={factsOf(data, search)} />
        </Panel>
      )}
      {data && <Lines teamSlug={teamSlug} id={id} />}
    </Sections>
  );
}

function factsOf({ invoice, payer }: InvoiceDetail, search: TransactionsSearch): Fact[] {
  const { corrects, reason, pdf_sha256, xml_sha256 } = invoice;
  return [
    { label: 'State', value: <InvoiceState invoice={invoice} /> },
    { label: 'Month (UTC)', value: monthText(invoice.month) },
    { label: 'Issued', value: <RelativeTime at={invoice.issued_at} /> },
    ...(invoice.due_at === null || invoice.paid_at !== null
      ? []
      : [{ label: 'Due', value: <RelativeTime at={invoice.due_at} /> }]),
    ...(invoice.paid_at === null || invoice.kind === 'credit_note'
      ? []
      : [{ label: 'Paid', value: <RelativeTime at={invoice.paid_at} /> }]),
    { label: 'Bill to', value: payer.legal_name ?? payer.name },
    ...(payer.vat_id === null ? [] : [{ label: 'VAT number', value: payer.vat_id }]),
    { label: 'Subtotal', value: exactUsd(invoice.subtotal) },
    { label: taxText(invoice.tax_rule, invoice.tax_percent), value: exactUsd(invoice.tax) },
    { label: 'Total', value: exactUsd(invoice.total) },
    ...(corrects === null
      ? []
      : [
          {
            label: 'Corrects',
            value: (
              <TextLink href={transactionsHref({ team: search.team, tab: 'invoices', invoice: corrects })}>
                View invoice
              </TextLink>
            ),
          },
        ]),
    ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
    ...(pdf_sha256 === null
      ? []
      : [
          {
            label: 'SHA-256 of the PDF',
            value: <CopyId id={pdf_sha256} what="SHA-256 of the PDF" />,
            wide: true,
          },
        ]),
    ...(xml_sha256 === null
      ? []
      : [
          {
            label: 'SHA-256 of the XML',
            value: <CopyId id={xml_sha256} what="SHA-256 of the XML" />,
            wide: true,
          },
        ]),
  ];
}

const nameOf = ({ description, app_name, cvm_name }: InvoiceLine): string =>
  description ?? `${app_name ?? ''} / ${cvm_name ?? ''}`;

const columns: Column<InvoiceLine & { position: number }>[] = [
  {
    id: 'cvm',
    header: 'CVM, order or model',
    cell: (line) => <bdi>{nameOf(line)}</bdi>,
  },
  ...serviceColumns(2),
  amountColumn,
];

function Lines({ teamSlug, id }: { teamSlug: string; id: string }) {
  const list = useInfiniteQuery(invoiceLinesOptions(teamSlug, id));
  const rows = list.data?.pages
    .flatMap(({ items }) => items)
    .map((line, index) => ({ ...line, position: index + 1 }));
  return (
    <Panel title="Lines" subtitle="Amounts before tax. They sum to the subtotal.">
      <DataTable
        id="invoice-lines"
        noun={['invoice line', 'invoice lines']}
        bare
        columns={columns}
        rows={rows}
        more={{ list, label: 'Show more' }}
        rowId={({ position }) => String(position)}
        rowName={nameOf}
        problem={problemOf(list.error, 'Couldn’t load the lines', () => void list.refetch())}
        empty="No lines."
      />
    </Panel>
  );
}
