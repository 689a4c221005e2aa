import type { Handler } from '../../types';
import { setCvm } from './setting';

export const setCvmMovable: Handler<'setCvmMovable'> = async ({ path, body, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'movable',
    change: () => ({ movable: body.movable }),
    event: () => ({
      kind: 'cvm.movable',
      message: body.movable
        ? 'Moving to another host allowed, with an empty disk'
        : 'Moving to another host no longer allowed',
      data: { movable: body.movable },
    }),
  });
  return { status: 204 };
};
