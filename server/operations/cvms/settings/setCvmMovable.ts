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
        ? 'May now be moved to another host, with an empty disk'
        : 'May no longer be moved to another host',
      data: { movable: body.movable },
    }),
  });
  return { status: 204 };
};
