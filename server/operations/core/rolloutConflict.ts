import { appActions, type AppAction } from '../../../console/lib/apps/allowedActions';
import { liveRollout } from '../../db/apps/rollouts';
import { utcMinute } from '../../domain/core/dates';
import { Problem } from '../../domain/core/problem';
import type { Write } from '../types';

/**
 * While a rollout is in progress, nothing else may change what the app runs. @throws OPERATION_IN_PROGRESS
 * naming it
 */
export async function checkRollout(
  trx: Write['trx'],
  app: number,
  { action, what }: { action: AppAction; what: string },
): Promise<void> {
  if (appActions[action].includes('rolling_out')) return;
  const live = await liveRollout(trx, app);
  if (!live) return;
  throw new Problem('OPERATION_IN_PROGRESS', {
    message: `${what} is part of a rollout in progress since ${utcMinute(live.created_at)}.`,
    details: [{ field: 'rollout_id', value: live.public_id }],
    suggestions: ['Wait for it to finish, or cancel it.'],
  });
}
