import { waitForGpus } from '../../../db/hosts/gpuWaits';
import { gpuWaitOut } from '../../../domain/hosts/gpuWait';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const putGpuWait: Handler<'putGpuWait'> = async ({ body, ctx }) => {
  const { gpus } = body;
  const row = await ctx.write(async ({ trx, audit }) => {
    await audit({
      action: 'gpu_wait.join',
      target_kind: 'team',
      target_id: memberTeamOf(ctx).public_id,
      after: { gpus },
    });
    return waitForGpus(trx, { team_id: memberTeamOf(ctx).id, user_id: userOf(ctx).id, gpus });
  });
  return { status: 200, body: { wait: gpuWaitOut(row) } };
};
