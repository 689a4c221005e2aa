import { findGpuWait, leaveGpuLine } from '../../../db/hosts/gpuWaits';
import { teamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const deleteGpuWait: Handler<'deleteGpuWait'> = async ({ ctx }) => {
  const who = { team_id: teamOf(ctx).id, user_id: userOf(ctx).id };
  if (await findGpuWait(ctx.db, who))
    await ctx.write(async ({ trx, audit }) => {
      await audit({ action: 'gpu_wait.leave', target_kind: 'team', target_id: teamOf(ctx).public_id });
      await leaveGpuLine(trx, who);
    });
  return { status: 204 };
};
