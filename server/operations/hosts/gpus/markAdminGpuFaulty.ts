import type { Handler } from '../../types';
import { changeGpu, conflict } from './changeGpu';
import { checkTexts } from '../../core/text';

export const markAdminGpuFaulty: Handler<'markAdminGpuFaulty'> = async ({ path, body, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.mark_faulty',
    after: { fault: body.reason },
    async work(_, gpu) {
      checkTexts(body, ['reason']);
      if (gpu.fault !== null) throw conflict(`The GPU ${gpu.slot} is already faulty: ${gpu.fault}`);
      return { fault: body.reason };
    },
  });
