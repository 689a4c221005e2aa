import { useQuery } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import { useState } from 'react';
import { DownloadButton } from '../../../console/ui/controls/Button';
import { count } from '../../../console/lib/texts/count';
import { Cost } from '../../../console/ui/data/Cost';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { amountColumn, serviceColumns } from '../../../console/ui/data/invoiceLineColumns';
import { Panel } from '../../../console/ui/layout/Panel';
import type { AdminInvoiceLine } from '../../../generated/api/types.gen';
import { fetchJson, problemOf } from '../../http';
import type { AdminRecord } from '../../record';

const ROWS = 25;

const columns: Column<AdminInvoiceLine>[] = [
  {
    id: 'app',
    header: 'App, order or model',
    cell: ({ app_name, description }) => <bdi>{app_name ?? description}</bdi>,
  },
  { id: 'cvm', header: 'CVM', cell: ({ cvm_name, order_id }) => <bdi>{cvm_name ?? order_id}</bdi> },
  ...serviceColumns(4),
  {
    id: 'exact',
    header: 'Exact',
    cell: ({ exact_amount }) => <Cost usd={exact_amount} />,
    align: 'right',
    priority: 3,
    labelled: true,
  },
  amountColumn,
];

/** An invoice's charges and PDF, for reviewing a draft. */
export function InvoiceLines({ record }: { record: AdminRecord }) {
  const { id } = record;
  const [first, setFirst] = useState(0);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['invoice-lines', id, first],
    queryFn: async ({ signal }) => {
      const range = encodeURIComponent(JSON.stringify([first, first + ROWS - 1]));
      const reply = await fetchJson(`/api/v1/admin/invoices/${id}/lines?range=${range}`, { signal });
      const total = Number(reply.headers.get('Content-Range')?.split('/').at(-1) ?? 0);
      return { rows: reply.json as AdminInvoiceLine[], total };
    },
    placeholderData: (before) => before,
    retry: false,
  });
  const total = data?.total ?? 0;
  return (
    <Panel
      title={data ? `Lines (${count(total)})` : 'Lines'}
      subtitle="Amounts before tax. They sum to the subtotal."
      actions={
        typeof record.issued_at === 'string' && (
          <DownloadButton href={`/api/v1/admin/invoices/${id}/pdf`} startIcon={<DownloadIcon />}>
            Download PDF
          </DownloadButton>
        )
      }
    >
      <DataTable<AdminInvoiceLine>
        id="invoice-lines"
        label="Lines"
        noun={['line', 'lines']}
        bare
        columns={columns}
        rows={data?.rows ?? (error ? [] : undefined)}
        rowId={(row) => String(row.id)}
        rowName={({ cvm_name, description }) => cvm_name ?? description ?? ''}
        refreshing={isFetching && data !== undefined}
        paging={{
          offset: first,
          total,
          ...(first > 0 ? { previous: () => setFirst(first - ROWS) } : {}),
          ...(first + ROWS < total ? { next: () => setFirst(first + ROWS) } : {}),
        }}
        problem={error ? problemOf(error, 'Couldn’t load the lines', () => void refetch()) : null}
        empty={<p>No lines.</p>}
      />
    </Panel>
  );
}
