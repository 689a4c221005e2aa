import type { Handler } from '../../types';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { nextRevision } from './update';

/** The body is the script itself, byte for byte. */
export const updatePreLaunchScript: Handler<'updatePreLaunchScript'> = async ({ path, body, ctx }) =>
  changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        pre_launch_script: body,
      });
      return payload;
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: {
        status: 'in_progress' as const,
        message: 'Pre-launch script update initiated',
        correlation_id: operation.correlation_id,
      },
    }),
  });
