import { lockInstanceType } from '../../db/adminInstanceTypes';
import type { Handler } from '../types';
import { rateMicros } from './createAdminInstanceType';
import { changeRow } from './resource';
import { instanceTypes } from './resources';

/** CVMs keep the rate they run at in their own row: a new price counts from their next start or resize on. */
export const updateAdminInstanceType: Handler<'updateAdminInstanceType'> = async ({ path, body, ctx }) => {
  const { hourly_rate, ...rest } = body;
  return changeRow(ctx, instanceTypes, path.id, {
    kind: 'instance_type',
    patch: hourly_rate === undefined ? rest : { ...rest, hourly_rate_micros: rateMicros(hourly_rate) },
    lock: lockInstanceType,
    write: (trx, changes) =>
      trx.updateTable('instance_types').set(changes).where('id', '=', path.id).execute(),
  });
};
