import { findGpuWait } from '../../../db/hosts/gpuWaits';
import { gpuWaitOut } from '../../../domain/hosts/gpuWait';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const getGpuWait: Handler<'getGpuWait'> = async ({ ctx }) => {
  const row = await findGpuWait(ctx.db, { team_id: memberTeamOf(ctx).id, user_id: userOf(ctx).id });
  return { status: 200, body: { wait: row ? gpuWaitOut(row) : null } };
};
