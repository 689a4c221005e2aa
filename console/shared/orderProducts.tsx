import { listOrderProductsOptions } from '../../generated/api/@tanstack/react-query.gen';
import type { OrderProduct } from '../../generated/api/types.gen';
import { inTeam } from '../api/client';
import { comparedText } from '../lib/billing/orderTerms';
import type { Column } from '../ui/data/column';

/** What a team can reserve for a term. Others reserve too, so what is left changes. */
export const productsOptions = (slug: string) => ({
  ...listOrderProductsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: 60_000,
});

export const productName: Column<OrderProduct> = {
  id: 'name',
  header: 'Name',
  cell: ({ name }) => <bdi>{name}</bdi>,
};

export const productSize: Column<OrderProduct> = {
  id: 'size',
  header: 'For',
  priority: 3,
  phone: 'meta',
  cell: ({ covers, instance_type }) => (covers === 'gpus' ? `GPUs of ${instance_type}` : instance_type),
};

export const productSaving: Column<OrderProduct> = {
  id: 'saving',
  header: 'vs. hourly',
  width: 104,
  align: 'right',
  phone: 'meta',
  cell: comparedText,
};
