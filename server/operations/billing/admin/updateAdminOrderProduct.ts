import { lockProductById } from '../../../db/billing/orders/orders';
import { changeRow } from '../../core/admin/resource';
import { orderProducts } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { checkProduct } from './orderProduct';

const time = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text);

export const updateAdminOrderProduct: Handler<'updateAdminOrderProduct'> = async ({ path, body, ctx }) => {
  const { price, starts_at, ends_at, ...rest } = body;
  return changeRow(ctx, orderProducts, path.id, {
    kind: 'order_product',
    patch: {
      ...rest,
      ...(price === undefined ? {} : { price_micros: centsOf(price, 'price') }),
      starts_at: time(starts_at),
      ends_at: time(ends_at),
    },
    lock: lockProductById,
    async check(_trx, changes, before) {
      checkProduct({ ...before, ...changes });
    },
    write: (trx, changes) =>
      trx.updateTable('order_products').set(changes).where('id', '=', path.id).execute(),
  });
};
