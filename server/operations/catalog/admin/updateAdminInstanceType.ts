import { lockInstanceType } from '../../../db/catalog/adminInstanceTypes';
import type { Handler } from '../../types';
import { checkRates, rateMicros } from './createAdminInstanceType';
import { checkProductsAt } from '../../billing/admin/orderProduct';
import { changeRow } from '../../core/admin/resource';
import { instanceTypes } from '../../core/admin/resources';

/** CVMs store the rate they run at: a new price applies when they are resized. */
export const updateAdminInstanceType: Handler<'updateAdminInstanceType'> = async ({ path, body, ctx }) => {
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
        await checkProductsAt(ctx, trx, path.id, after);
    },
    lock: lockInstanceType,
    write: (trx, changes) =>
      trx.updateTable('instance_types').set(changes).where('id', '=', path.id).execute(),
  });
};
