import { lockProductsOfType } from '../../../db/billing/orders/orders';
import { lockInstanceType } from '../../../db/catalog/adminInstanceTypes';
import type { Tx } from '../../../db/core/client';
import type { Handler } from '../../types';
import { checkRates, rateMicros } from './createAdminInstanceType';
import { rateProducts } from '../../billing/admin/orderProduct';
import { changeRow } from '../../core/admin/resource';
import { instanceTypes } from '../../core/admin/resources';
import { checkTexts } from '../../core/text';

/** CVMs store the rate they run at: a new price applies when they are resized. */
export const updateAdminInstanceType: Handler<'updateAdminInstanceType'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['name', 'description']);
  const { hourly_rate, gpu_hourly_rate, ...rest } = body;
  return changeRow(ctx, instanceTypes, path.id, {
    kind: 'instance_type',
    patch: {
      ...rest,
      ...(hourly_rate === undefined ? {} : { hourly_rate_micros: rateMicros(hourly_rate) }),
      ...(gpu_hourly_rate === undefined
        ? {}
        : { gpu_rate_micros: rateMicros(gpu_hourly_rate, 'gpu_hourly_rate') }),
    },
    async check(trx, changes, before) {
      const after = { ...before, ...changes };
      checkRates(after);
      if (
        after.hourly_rate_micros > before.hourly_rate_micros ||
        after.gpu_rate_micros > before.gpu_rate_micros
      )
        await rateProducts(ctx, trx, path.id, after);
    },
    async lock(trx: Tx, id: string) {
      await lockProductsOfType(trx, id);
      return lockInstanceType(trx, id);
    },
    write: (trx, changes) =>
      trx.updateTable('instance_types').set(changes).where('id', '=', path.id).execute(),
  });
};
