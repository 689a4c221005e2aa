import { gpuHolder, lockGpu } from '../../../db/hosts/gpus';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { removeRow } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';
import { holderText } from './changeGpu';

export const deleteAdminGpu: Handler<'deleteAdminGpu'> = ({ path, ctx }) =>
  removeRow(ctx, gpus, path.id, {
    kind: 'gpu',
    table: 'gpus',
    lock: lockGpu,
    async check(trx, gpu) {
      const holder = await gpuHolder(trx, gpu.reservation_id);
      if (holder)
        throw new Problem('IN_USE', {
          message: `The GPU ${gpu.slot} is ${holderText(holder)}.`,
          suggestions: [
            holder.cvm_name === null
              ? 'Wait until the deployment is committed or expires.'
              : 'Stop the CVM and detach the GPU first.',
          ],
        });
      if (gpu.reported)
        throw new Problem('IN_USE', {
          message: `Its host still reports the GPU ${gpu.slot}, so it would reappear within a minute.`,
          suggestions: ['Mark it faulty to take it out of use.'],
        });
    },
    kept: ['teepod_id', 'slot', 'product_id', 'description', 'reserved_team_id'],
  });
