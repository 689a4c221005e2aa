import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { changeCvm } from './change';
import { analyzeAhead } from '../deploy/checkedCompose';
import { unknownToken } from '../deploy/onChainCommit';
import { resizePayload } from './resize';
import { nextRevision } from './update';

/**
 * Changes only the fields present: a size is a resize, anything else an update, which may create a revision.
 */
export const patchCvm: Handler<'patchCvm'> = async ({ path, body, ctx }) => {
  const { vcpu, memory, disk_size, gpus, shutdown_timeout, allow_force_stop, reason, ...revision } = body;
  if (gpus !== undefined)
    throw new Problem('INSUFFICIENT_GPU', {
      message: 'No host with a free GPU is connected to this server.',
    });
  const resizes = vcpu !== undefined || memory !== undefined || disk_size !== undefined;
  const updates = Object.keys(revision).length > 0;
  if (resizes && updates) {
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: 'Change the size and the app in two requests: each is an operation of its own.',
      details: [{ field: 'vcpu' }],
    });
  }
  // The second half of a change that a chain had to allow first: this server started no such change.
  if (!resizes && !updates && ctx.headers['x-compose-hash'] !== undefined) throw unknownToken();
  if (!resizes && !updates)
    throw new Problem('INVALID_REQUEST', {
      message: 'The request changes nothing.',
      suggestions: ['Send at least one field to change.'],
    });
  const graceful = {
    ...(shutdown_timeout === undefined ? {} : { shutdown_timeout }),
    ...(allow_force_stop === undefined ? {} : { allow_force_stop }),
  };
  await analyzeAhead(ctx, body.docker_compose_file);
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: resizes ? 'resize' : 'update',
    payload: async (row, write) => {
      if (resizes) {
        const size = await resizePayload(write, row, { vcpu, memory, disk_size });
        return { ...size, ...graceful, ...(reason ? { reason } : {}) };
      }
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        ...revision,
        reason,
      });
      return { ...payload, ...graceful };
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: { correlation_id: operation.correlation_id },
    }),
  });
};
