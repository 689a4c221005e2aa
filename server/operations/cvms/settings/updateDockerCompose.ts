import type { Handler } from '../../types';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { analyzeAhead } from '../deploy/checkedCompose';
import { nextRevision } from './update';

/** The body is the compose file itself, byte for byte. */
export const updateDockerCompose: Handler<'updateDockerCompose'> = async ({ path, body, ctx }) => {
  await analyzeAhead(ctx, body);
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        docker_compose_file: body,
      });
      return payload;
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: {
        status: 'in_progress' as const,
        message: 'Compose update initiated',
        correlation_id: operation.correlation_id,
      },
    }),
  });
};
