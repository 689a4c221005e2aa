import { liveRollout } from '../../db/rollouts';
import { Problem } from '../../domain/problem';
import type { Write } from '../types';

/** While a rollout goes from CVM to CVM nobody else changes what the app runs. @throws OPERATION_IN_PROGRESS naming it */
export async function checkRollout(trx: Write['trx'], app: number, what: string): Promise<void> {
  const live = await liveRollout(trx, app);
  if (!live) return;
  throw new Problem('OPERATION_IN_PROGRESS', {
    message: `${what} is part of a rollout that began ${live.created_at.toISOString()} and is not finished.`,
    details: [{ field: 'rollout_id', value: live.public_id }],
    suggestions: ['Wait until it ends, or cancel it.'],
  });
}
