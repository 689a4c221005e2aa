import { lockProductById, ratesOfType } from '../../../db/billing/orders/orders';
import type { Tx } from '../../../db/core/client';
import { changeRow } from '../../core/admin/resource';
import { orderProducts } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { approvalFor } from '../approvals/approval';
import { checkProduct, discountAction, ratedAt } from './orderProduct';
import { checkTexts } from '../../core/text';

const time = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text);

export const updateAdminOrderProduct: Handler<'updateAdminOrderProduct'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['name', 'description']);
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
      const rates = await ratesOf(write.trx, before);
      return approvalFor(ctx, write, {
        action: 'discount_order_product',
        path: { ...path },
        body: { ...body },
        ...discountAction({ ...before, ...changes }, rates, before),
      });
    },
    async write(trx, changes) {
      const product = await trx
        .updateTable('order_products')
        .set(changes)
        .where('id', '=', path.id)
        .returning(['id', 'instance_type'])
        .executeTakeFirstOrThrow();
      return trx
        .updateTable('order_products')
        .set(ratedAt(await ratesOf(trx, product)))
        .where('id', '=', product.id)
        .execute();
    },
  });
};

async function ratesOf(trx: Tx, { instance_type }: { instance_type: string }) {
  const rates = await ratesOfType(trx, instance_type);
  if (!rates) throw new Error(`no instance type ${instance_type}`);
  return rates;
}
