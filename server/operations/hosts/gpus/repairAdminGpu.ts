import type { Handler } from '../../types';
import { changeGpu, conflict } from './changeGpu';

export const repairAdminGpu: Handler<'repairAdminGpu'> = async ({ path, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.repair',
    before: (gpu) => ({ fault: gpu.fault }),
    async work(_, gpu) {
      if (gpu.fault === null) throw conflict(`The GPU ${gpu.slot} is not faulty.`);
      return { fault: null };
    },
  });
