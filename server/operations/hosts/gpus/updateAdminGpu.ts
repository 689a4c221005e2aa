import { lockGpu } from '../../../db/hosts/gpus';
import type { Handler } from '../../types';
import { changeRow } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';

export const updateAdminGpu: Handler<'updateAdminGpu'> = async ({ path, body, ctx }) =>
  changeRow(ctx, gpus, path.id, {
    kind: 'gpu',
    patch: body,
    lock: lockGpu,
    write: (trx, changes) => trx.updateTable('gpus').set(changes).where('id', '=', path.id).execute(),
  });
