import type { Funds } from '../../domain/billing/funds';
import type { Db, Tx } from '../core/client';
import { steadyBalance } from './accrued';
import { heldFunds } from './holds';

/**
 * Returns what a team can commit to now, and the current hourly cost of its CVMs in micro-dollars. Lock its
 * funds first before committing anything.
 */
export async function fundsOf(db: Db | Tx, team_id: number): Promise<Funds & { hourly: number }> {
  const now = new Date();
  // Read before the usage, so that amounts moving from hold to usage count twice rather than not at all.
  const held = await heldFunds(db, team_id, now);
  const { balance, cap, held_ai, hourly } = await steadyBalance(db, team_id, now);
  return { balance, cap, held: held + held_ai, hourly };
}
