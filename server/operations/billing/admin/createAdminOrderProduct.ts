import { ratesOfType } from '../../../db/billing/orders/orders';
import { publicId } from '../../../domain/core/publicId';
import { adminProductOut } from '../../../domain/billing/orders/orderResponse';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { orderProducts } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { approvalFor } from '../approvals/approval';
import { checkProduct, discountAction, ratedAt } from './orderProduct';
import { checkTexts } from '../../core/text';

export const createAdminOrderProduct: Handler<'createAdminOrderProduct'> = async ({ body, ctx }) => {
  checkTexts(body, ['name', 'description']);
  const { price, starts_at, ends_at, ...rest } = body;
  const values = {
    ...rest,
    description: rest.description ?? '',
    covers: rest.covers ?? 'cvm',
    min_periods: rest.min_periods ?? 1,
    max_periods: rest.max_periods ?? 12,
    refund_percent: rest.refund_percent ?? 0,
    price_micros: centsOf(price, 'price'),
    starts_at: starts_at ? new Date(starts_at) : null,
    ends_at: ends_at ? new Date(ends_at) : null,
  };
  checkProduct(values);
  return ctx.write(async ({ trx, audit }) => {
    const type = await ratesOfType(trx, values.instance_type);
    if (type?.state !== 'active')
      throw invalid('instance_type', `There is no active instance type “${values.instance_type}”.`);
    if (values.covers === 'gpus' && type.gpu_rate_micros === 0)
      throw invalid('covers', 'This instance type has no rate for GPUs, so they can’t be covered alone.');
    const waits = await approvalFor(
      ctx,
      { trx, audit },
      {
        action: 'create_order_product',
        path: {},
        body: { ...body },
        ...discountAction({ ...values, state: 'active' }, type),
      },
    );
    if (waits) return waits;
    const row = await trx
      .insertInto('order_products')
      .values({ ...values, ...ratedAt(type), public_id: publicId('prd'), created_by: userOf(ctx).id })
      .returningAll()
      .executeTakeFirstOrThrow();
    const made = adminProductOut({ ...row, taken: 0 });
    await audit({
      action: 'order_product.create',
      target_kind: 'order_product',
      target_id: row.public_id,
      after: {
        name: made.name,
        instance_type: made.instance_type,
        covers: made.covers,
        price: made.price,
        period: made.period,
        min_periods: made.min_periods,
        max_periods: made.max_periods,
        refund_percent: made.refund_percent,
        stock: made.stock,
      },
    });
    return {
      status: 201,
      headers: { ETag: etagOf(orderProducts.name, row.id, row.updated_at) },
      body: made,
    } as const;
  });
};
