import type { Rollout } from '../../../generated/api/types.gen';
import { findRollout } from '../../db/apps/rollouts';
import { Problem } from '../../domain/core/problem';
import { toRollout } from '../../domain/apps/rolloutResponse';
import type { Context } from '../types';

/** @throws NOT_FOUND */
export async function rolloutReply(
  ctx: Context,
  app: { id: number; app_id: string },
  public_id: string,
): Promise<Rollout> {
  const found = await findRollout(ctx.db, app.id, public_id);
  if (!found) throw noRollout();
  return toRollout(found, app.app_id);
}

export const noRollout = () => new Problem('NOT_FOUND', { message: 'Rollout not found for this app.' });
