import { lockProductById } from '../../../db/billing/orders/orders';
import { changeRow } from '../../core/admin/resource';
import { orderProducts } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { approvalFor } from '../approvals/approval';
import { checkProduct, discountAction } from './orderProduct';

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
    async approval(write, changes, before) {
      const rates = await write.trx
        .selectFrom('instance_types')
        .select(['hourly_rate_micros', 'gpu_rate_micros'])
        .where('id', '=', before.instance_type)
        .executeTakeFirstOrThrow();
      return approvalFor(ctx, write, {
        action: 'discount_order_product',
        path: { ...path },
        body: { ...body },
        ...discountAction({ ...before, ...changes }, rates, before),
      });
    },
    write: (trx, changes) =>
      trx.updateTable('order_products').set(changes).where('id', '=', path.id).execute(),
  });
};
