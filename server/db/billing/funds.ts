import type { Funds } from '../../domain/billing/funds';
import type { Db, Tx } from '../core/client';
import { steadyBalance } from './accrued';
import { heldFunds } from './holds';

/** Returns what a team can still commit to. Lock its funds first to act on it. */
export async function fundsOf(db: Db | Tx, team_id: number): Promise<Funds> {
  const now = new Date();
  const { balance, cap } = await steadyBalance(db, team_id, now);
  return { balance, cap, held: await heldFunds(db, team_id, now) };
}
