import { waitForSize } from '../../../db/hosts/waits/sizeWaits';
import { memberTeamOf, userOf } from '../../core/caller';
import { invalid } from '../../core/invalid';
import type { Handler } from '../../types';
import { shownWait } from './shownWait';

export const putGpuWait: Handler<'putGpuWait'> = async ({ body, ctx }) => {
  const { gpus = 0, vcpu = 0, memory_mb = 0, disk_gb = 0 } = body;
  const wanted = { gpus, vcpu, memory_mb, disk_gb };
  if (Object.values(wanted).every((amount) => amount === 0))
    throw invalid('vcpu', 'Send gpus, or vcpu, memory_mb and disk_gb.');
  const row = await ctx.write(async ({ trx, audit }) => {
    await audit({
      action: 'gpu_wait.join',
      target_kind: 'team',
      target_id: memberTeamOf(ctx).public_id,
      after: wanted,
    });
    return waitForSize(trx, { team_id: memberTeamOf(ctx).id, user_id: userOf(ctx).id, ...wanted });
  });
  return { status: 200, body: { wait: await shownWait(ctx, row) } };
};
