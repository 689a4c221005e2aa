import { rateSteps, runway, type RateChange } from '../../../../console/lib/billing/money';
import { cvmRateChanges, inOrder, renewalRate } from '../../../domain/billing/forecast';
import type { Db, Tx } from '../../core/client';
import { keptUntil } from '../../cvms/recycleBin';
import { steadyBalance, type Accrued, type CurrentBalance } from '../accrued';
import { renewingOrders } from './orderTotals';

const MAX_RATE_CHANGES = 100;

/**
 * Returns scheduled changes of a team's hourly cost: orders end, renewing ones are paid again, and disks in the
 * recycle bin are destroyed.
 */
async function rateChanges(
  db: Db | Tx,
  team_id: number,
  current: Accrued['current'],
  now: Date,
): Promise<RateChange[]> {
  const [renewing, kept] = await Promise.all([renewingOrders(db, team_id), keptUntil(db, team_id)]);
  const ofCvms = current.flatMap((one) =>
    cvmRateChanges(one, {
      now,
      renews: renewing.some(({ id }) => id === one.change.order_id),
      purge_at: kept.get(one.cvm_id),
    }),
  );
  const renewals = renewing.flatMap((order) => renewalRate(order) ?? []);
  return inOrder([...ofCvms, ...renewals], MAX_RATE_CHANGES);
}

/**
 * Returns a team's current balance, the scheduled changes of its hourly cost, and how many seconds the balance
 * lasts.
 * @param cap credit limit in micro-dollars
 */
export async function runwayOfTeam(
  db: Db | Tx,
  team_id: number,
  now: Date,
  cap = 0,
): Promise<{ current: CurrentBalance; changes: RateChange[]; seconds: number | null }> {
  const current = await steadyBalance(db, team_id, now);
  const changes = await rateChanges(db, team_id, current.current, now);
  return {
    current,
    changes,
    seconds: runway(current.balance + cap, current.hourly, rateSteps(changes, now)),
  };
}
