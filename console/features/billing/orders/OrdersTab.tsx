import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderProduct } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { productName, productsOptions, productSaving, productSize } from '../../../shared/orderProducts';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { Sections } from '../../../ui/layout/Sections';
import { OrderDialog } from './OrderDialog';
import { OrdersPanel } from './OrdersPanel';

/** A team's reservations, and the products it can reserve. */
export function OrdersTab({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  if (!allowed) return null;
  return (
    <Sections>
      <OrdersPanel teamSlug={teamSlug} />
      <ProductsPanel teamSlug={teamSlug} />
    </Sections>
  );
}

function ProductsPanel({ teamSlug }: { teamSlug: string }) {
  const manage = useMay('billing.manage', teamSlug);
  const { data, error, refetch } = useQuery(productsOptions(teamSlug));
  const [chosen, setChosen] = useState<string>();
  // Looked up, so that the open dialog follows price changes.
  const product = data?.items.find(({ id }) => id === chosen);
  const reserve = (row: OrderProduct) => (
    <ActionButton
      size="small"
      aria-label={`Reserve ${row.name}`}
      reason={row.left === 0 ? 'Sold out' : manage.reason}
      onClick={() => setChosen(row.id)}
    >
      Reserve
    </ActionButton>
  );
  return (
    <Panel title="Available" subtitle="Prepaid for a full term. Covers one CVM at a time.">
      <DataTable
        id="order-products"
        label="available capacity"
        noun={['product', 'products']}
        bare
        columns={[...columns, { id: 'reserve', header: 'Reserve', width: 100, phone: 'end', cell: reserve }]}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        problem={problemOf(error, 'Couldn’t load available capacity', () => void refetch())}
        empty={<EmptyState picture="money">This server doesn’t offer reservations right now.</EmptyState>}
      />
      {product && (
        <OrderDialog
          key={product.id}
          teamSlug={teamSlug}
          product={product}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  );
}

const columns: Column<OrderProduct>[] = [
  productName,
  { ...productSize, priority: 2 },
  {
    id: 'price',
    header: 'Price',
    width: 170,
    align: 'right',
    phone: 'meta',
    cell: ({ price, period }) => (
      <>
        <Cost usd={price} /> per {period}
      </>
    ),
  },
  { ...productSaving, priority: 3, phone: 'hide' },
  {
    id: 'left',
    header: 'Left',
    width: 80,
    align: 'right',
    priority: 2,
    labelled: true,
    cell: ({ left }) => left,
  },
];
