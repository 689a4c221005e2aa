import type { Handler } from '../../types';
import { endWarning } from './schedule';
import { setCvm } from './setting';

/** A protected CVM isn't deleted by its schedule either. */
export const protectCvm: Handler<'protectCvm'> = async ({ path, ctx }) => {
  await setCvm(ctx, {
    cvm_id: path.cvm_id,
    action: 'protect',
    change: async ({ cvm }, write) => {
      await endWarning(write, cvm, 'delete', null);
      return { protected: true, scheduled_delete_at: null };
    },
    event: ({ cvm }) => ({
      kind: 'cvm.protected',
      message: cvm.scheduled_delete_at
        ? 'Deletion protection turned on; the scheduled deletion is canceled'
        : 'Deletion protection turned on',
    }),
  });
  return { status: 204 };
};
