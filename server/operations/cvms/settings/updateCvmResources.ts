import type { Handler } from '../../types';
import { changeCvm } from './change';
import { checkRestart, resizePayload, sizeUnchanged } from './resize';

/** The size can only change while the VM is off, so a running CVM must be allowed to restart. */
export const updateCvmResources: Handler<'updateCvmResources'> = async ({ path, body, ctx }) =>
  changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'resize',
    payload: async (row, write) => {
      checkRestart(row, body.allow_restart);
      const size = await resizePayload(write, row, body);
      if (!size) throw sizeUnchanged();
      return size;
    },
    reply: () => ({ status: 202 as const }),
  });
