import { findGpuWait } from '../../../db/hosts/gpuWaits';
import { gpuWaitOut } from '../../../domain/hosts/gpuWait';
import { teamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const getGpuWait: Handler<'getGpuWait'> = async ({ ctx }) => {
  const row = await findGpuWait(ctx.db, { team_id: teamOf(ctx).id, user_id: userOf(ctx).id });
  return { status: 200, body: { wait: row ? gpuWaitOut(row) : null } };
};
