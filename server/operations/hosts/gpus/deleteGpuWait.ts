import { leaveSizeLine } from '../../../db/hosts/waits/sizeWaits';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const deleteGpuWait: Handler<'deleteGpuWait'> = async ({ ctx }) => {
  const team = memberTeamOf(ctx);
  await ctx.write(async ({ trx, audit, unchanged }) => {
    if (!(await leaveSizeLine(trx, { team_id: team.id, user_id: userOf(ctx).id })))
      return unchanged(undefined);
    await audit({ action: 'gpu_wait.leave', target_kind: 'team', target_id: team.public_id });
  });
  return { status: 204 };
};
