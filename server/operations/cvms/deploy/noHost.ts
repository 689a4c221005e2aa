import type { Db } from '../../../db/core/client';
import { teepodCapacities } from '../../../db/hosts/reservations';
import { Problem } from '../../../domain/core/problem';

/**
 * Returns the refusal for a team that may use no host at all; null if it may use one, whatever the host's
 * state.
 */
export async function noHostRefusal(db: Db, team_id: number): Promise<Problem | null> {
  const [any] = await teepodCapacities(db, { team_id, include_closed: true });
  if (any) return null;
  return new Problem('TEEPOD_NOT_ACCESSIBLE', {
    message: 'No host is open to your team. Ask the administrator of this server for access.',
  });
}
