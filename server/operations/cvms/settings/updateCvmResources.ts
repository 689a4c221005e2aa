import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { changeCvm } from './change';
import { resizePayload } from './resize';

/** The size can only change while the VM is off, so a running CVM must be allowed to restart. */
export const updateCvmResources: Handler<'updateCvmResources'> = async ({ path, body, ctx }) => {
  const allowed = body.allow_restart === undefined || body.allow_restart === true || body.allow_restart === 1;
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'resize',
    payload: async (row, write) => {
      if (!allowed && row.cvm.desired === 'running') {
        throw new Problem('WRONG_STATE', {
          message: 'A running CVM restarts to change its size, and allow_restart is off.',
          suggestions: ['Send allow_restart: true, or stop it first.'],
        });
      }
      return resizePayload(write, row, body);
    },
    reply: () => ({ status: 202 as const }),
  });
};
