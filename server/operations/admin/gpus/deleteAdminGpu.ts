import { gpuHolder, lockGpu } from '../../../db/gpus';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { gpus } from '../resourcesGpus';
import { holderText } from './changeGpu';

export const deleteAdminGpu: Handler<'deleteAdminGpu'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const gpu = await lockGpu(trx, path.id);
    if (!gpu) throw missing(gpus, path.id);
    const holder = await gpuHolder(trx, gpu.reservation_id);
    if (holder)
      throw new Problem('IN_USE', {
        message: `The GPU ${gpu.slot} is ${holderText(holder)}.`,
        suggestions: ['Stop the CVM and take the GPU from it first.'],
      });
    if (gpu.reported)
      throw new Problem('IN_USE', {
        message: `Its host still reports the GPU ${gpu.slot}: it would be back within a minute.`,
        suggestions: ['Mark it faulty to take it out of use.'],
      });
    await trx.deleteFrom('gpus').where('id', '=', gpu.id).execute();
    await audit({
      action: 'gpu.delete',
      target_kind: 'gpu',
      target_id: String(gpu.id),
      before: keysOf(gpu, ['teepod_id', 'slot', 'product_id', 'description', 'reserved_team_id']),
    });
    return { status: 204 } as const;
  });
