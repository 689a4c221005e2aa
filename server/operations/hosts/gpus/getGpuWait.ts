import { findSizeWait } from '../../../db/hosts/sizeWaits';
import { sizeWaitOut } from '../../../domain/hosts/sizeWait';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const getGpuWait: Handler<'getGpuWait'> = async ({ ctx }) => {
  const row = await findSizeWait(ctx.db, { team_id: memberTeamOf(ctx).id, user_id: userOf(ctx).id });
  return { status: 200, body: { wait: row ? sizeWaitOut(row) : null } };
};
