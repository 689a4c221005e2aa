import type { Handler } from '../../types';
import { setCvm } from './setting';

export const unprotectCvm: Handler<'unprotectCvm'> = async ({ path, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'unprotect',
    change: () => ({ protected: false }),
    event: () => ({ kind: 'cvm.unprotected', message: 'Deletion protection turned off' }),
  });
  return { status: 204 };
};
