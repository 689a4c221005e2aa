import { findSizeWait } from '../../../db/hosts/waits/sizeWaits';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { shownWait } from './shownWait';

export const getGpuWait: Handler<'getGpuWait'> = async ({ ctx }) => {
  const row = await findSizeWait(ctx.db, { team_id: memberTeamOf(ctx).id, user_id: userOf(ctx).id });
  return { status: 200, body: { wait: row ? await shownWait(ctx, row) : null } };
};
