import { leaveGpuLine } from '../../../db/hosts/gpuWaits';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

/** Ends the transaction of a request that changes nothing. */
class NotWaiting extends Error {}

export const deleteGpuWait: Handler<'deleteGpuWait'> = async ({ ctx }) => {
  const team = memberTeamOf(ctx);
  try {
    await ctx.write(async ({ trx, audit }) => {
      if (!(await leaveGpuLine(trx, { team_id: team.id, user_id: userOf(ctx).id }))) throw new NotWaiting();
      await audit({ action: 'gpu_wait.leave', target_kind: 'team', target_id: team.public_id });
    });
  } catch (error) {
    if (!(error instanceof NotWaiting)) throw error;
  }
  return { status: 204 };
};
