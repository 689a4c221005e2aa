import DownloadIcon from 'lucide-react/icons/download';
import { DownloadButton } from '../../../console/ui/controls/Button';
import { count } from '../../../console/lib/texts/count';
import { Cost } from '../../../console/ui/data/Cost';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { amountColumn, serviceColumns } from '../../../console/ui/data/invoiceLineColumns';
import { Panel } from '../../../console/ui/layout/Panel';
import type { AdminInvoiceLine } from '../../../generated/api/types.gen';
import { problemOf } from '../../http';
import type { AdminRecord } from '../../record';
import { usePagedRows } from '../usePagedRows';

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
  const { data, error, isPlaceholderData, paging, refetch } = usePagedRows<AdminInvoiceLine>(
    `/invoices/${id}/lines`,
  );
  return (
    <Panel
      title={data ? `Lines (${count(data.total)})` : 'Lines'}
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
        refreshing={isPlaceholderData}
        paging={paging}
        problem={error ? problemOf(error, 'Couldn’t load the lines', () => void refetch()) : null}
        empty={<p>No lines.</p>}
      />
    </Panel>
  );
}
