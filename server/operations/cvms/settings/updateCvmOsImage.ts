import type { Handler } from '../../types';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { nextRevision } from './update';

export const updateCvmOsImage: Handler<'updateCvmOsImage'> = async ({ path, body, ctx }) =>
  changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        image: body.os_image_name,
        image_field: 'os_image_name',
      });
      return payload;
    },
    reply: () => ({ status: 202 as const }),
  });
