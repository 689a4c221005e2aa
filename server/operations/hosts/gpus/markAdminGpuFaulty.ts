import type { Handler } from '../../types';
import { changeGpu, conflict } from './changeGpu';

export const markAdminGpuFaulty: Handler<'markAdminGpuFaulty'> = async ({ path, body, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.mark_faulty',
    after: { fault: body.reason },
    async work(_, gpu) {
      if (gpu.fault !== null) throw conflict(`The GPU ${gpu.slot} is faulty already: ${gpu.fault}`);
      return { fault: body.reason };
    },
  });
