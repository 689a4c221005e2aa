import type { Handler } from '../types';
import { setCvm } from './setting';

/** What is protected is not deleted by the clock either. */
export const protectCvm: Handler<'protectCvm'> = async ({ path, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'protect',
    change: () => ({ protected: true, scheduled_delete_at: null }),
    event: ({ cvm }) => ({
      kind: 'cvm.protected',
      message: cvm.scheduled_delete_at
        ? 'Protected against deletion; the scheduled deletion is cancelled'
        : 'Protected against deletion',
    }),
  });
  return { status: 204 };
};

export const unprotectCvm: Handler<'unprotectCvm'> = async ({ path, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'unprotect',
    change: () => ({ protected: false }),
    event: () => ({ kind: 'cvm.unprotected', message: 'No longer protected against deletion' }),
  });
  return { status: 204 };
};
