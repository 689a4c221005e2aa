import type { Handler } from '../../types';
import { setCvm } from './setting';

export const setCvmListed: Handler<'setCvmListed'> = async ({ path, body, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'listed',
    change: () => ({ listed: body.listed }),
    event: () => ({
      kind: 'cvm.listed',
      message: body.listed ? 'Shown in public lists' : 'No longer shown in public lists',
      data: { listed: body.listed },
    }),
  });
  return { status: 204 };
};
