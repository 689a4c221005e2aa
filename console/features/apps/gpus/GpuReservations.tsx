import { useQuery } from '@tanstack/react-query';
import { listOrderProductsOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { OrderProduct } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { loadProblem } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { comparedText, termsText } from '../../../lib/billing/orderTerms';
import { ordersPath } from '../../../lib/paths';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';

const WATCH_MS = 60_000;

/** What it costs to reserve GPUs for a term, for members who can read prices of reservations. */
export function GpuReservations({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  const { data, error, refetch } = useQuery({
    ...listOrderProductsOptions({ ...inTeam(teamSlug) }),
    staleTime: 5_000,
    refetchInterval: WATCH_MS,
    enabled: allowed,
  });
  if (!allowed) return null;
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
        rows={data?.items.filter(({ gpus }) => gpus > 0)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        skeletonRows={2}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load the reservations')}
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
  { id: 'name', header: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    id: 'gpus',
    header: 'GPUs',
    width: 80,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ gpus }) => gpus,
  },
  {
    id: 'size',
    header: 'For',
    priority: 3,
    phone: 'meta',
    cell: ({ covers, instance_type }) => (covers === 'gpus' ? `GPUs of ${instance_type}` : instance_type),
  },
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
  { id: 'saving', header: 'vs. hourly', width: 104, align: 'right', phone: 'meta', cell: comparedText },
];
