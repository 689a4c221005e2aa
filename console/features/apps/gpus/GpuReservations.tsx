import type { UseQueryResult } from '@tanstack/react-query';
import type { OrderProduct, OrderProductList, Problem } from '../../../../generated/api/types.gen';
import { loadProblem } from '../../../api/problem';
import { termsText } from '../../../lib/billing/orderTerms';
import { ordersPath } from '../../../lib/paths';
import { productName, productSaving, productSize } from '../../../shared/orderProducts';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';

interface Props {
  teamSlug: string;
  query: UseQueryResult<OrderProductList, Problem>;
}

/** What it costs to reserve GPUs for a term. */
export function GpuReservations({ teamSlug, query }: Props) {
  const reserve: Column<OrderProduct> = {
    id: 'reserve',
    header: 'Reserve',
    width: 100,
    phone: 'end',
    cell: ({ name, left }) =>
      left === 0 ? (
        'Sold out'
      ) : (
        <TextLink href={ordersPath(teamSlug)} aria-label={`Reserve ${name}`}>
          Reserve
        </TextLink>
      ),
  };
  return (
    <Panel
      title="Reservations"
      subtitle="Guaranteed capacity, prepaid for a term. Compared with running at the hourly price all the time."
    >
      <DataTable
        id="gpu-reservations"
        noun={['reservation', 'reservations']}
        bare
        columns={[...columns, reserve]}
        rows={query.data?.items.filter(({ gpus }) => gpus > 0)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        problem={loadProblem(query, 'Couldn’t load the reservations')}
        empty={
          <EmptyState picture="money" title="No reservations">
            This cloud doesn’t offer any GPUs for a term right now.
          </EmptyState>
        }
      />
    </Panel>
  );
}

const columns: Column<OrderProduct>[] = [
  productName,
  {
    id: 'gpus',
    header: 'GPUs',
    width: 80,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ gpus }) => gpus,
  },
  productSize,
  { id: 'term', header: 'Term', width: 130, priority: 2, phone: 'meta', cell: termsText },
  {
    id: 'hourly',
    header: 'Hourly price',
    width: 128,
    align: 'right',
    priority: 2,
    phone: 'meta',
    labelled: true,
    cell: ({ hourly_rate }) => <Cost usd={hourly_rate} per="hour" />,
  },
  {
    id: 'price',
    header: 'Reserved',
    width: 150,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ price, period }) => <Cost usd={price} per={period} />,
  },
  productSaving,
];
