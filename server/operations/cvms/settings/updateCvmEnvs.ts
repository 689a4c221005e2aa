import { checkTexts } from '../../core/text';
import type { Handler } from '../../types';
import { confirmationOf } from '../onChain/gate';
import { changeCvm } from './change';
import { nextRevision } from './update';

/** New values keep the compose hash; new names change `allowed_envs` and so create a revision. */
export const updateCvmEnvs: Handler<'updateCvmEnvs'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['reason']);
  let allowed_envs_changed = false;
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationOf(body),
    payload: async (row, write) => {
      const next = await nextRevision(ctx, write, row, {
        encrypted_env: body.encrypted_env,
        allowed_envs: body.env_keys ?? undefined,
        reason: body.reason,
      });
      allowed_envs_changed = next.allowed_envs_changed;
      const { allowed_envs_changed: _, ...payload } = next;
      return payload;
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: {
        status: 'in_progress' as const,
        message: 'Environment update initiated',
        correlation_id: operation.correlation_id,
        allowed_envs_changed,
      },
    }),
  });
};
