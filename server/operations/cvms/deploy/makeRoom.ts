import { purgeForRoom } from '../../../db/cvms/purgeForRoom';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { gone } from '../lifecycle/deleteCvm';
import type { Plan } from './plan';

/**
 * Lets the recycle bin make room for a deployment and waits briefly for the host. Returns a refusal while the host is
 * still removing CVMs; null if nothing was purged.
 */
export async function makeRoom(ctx: Context, plan: Pick<Plan, 'suitable' | 'wish'>): Promise<Problem | null> {
  const found = await purgeForRoom(ctx.db, ctx.jobs, teamOf(ctx).id, plan);
  if (found === null || found.leaving.length === 0) return null;
  const { teepod_name, leaving } = found;
  await Promise.all(leaving.map(({ id, team_id }) => gone(ctx, team_id, id)));
  return new Problem('RESOURCE_NOT_AVAILABLE', {
    message: `The host ${teepod_name} is still removing ${leaving.length === 1 ? 'a deleted CVM' : `${leaving.length} deleted CVMs`} from the recycle bin to make room.`,
    suggestions: ['Try again in a minute.'],
  });
}
