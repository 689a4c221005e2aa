import { rateSteps, runway, type RateChange } from '../../../../console/lib/billing/money';
import { inOrder, renewalRate } from '../../../domain/billing/forecast';
import { rateOf } from '../../../domain/billing/metering';
import type { Db, Tx } from '../../core/client';
import { steadyBalance, type Accrued, type CurrentBalance } from '../accrued';
import { renewingOrders } from './orderTotals';

const MOST_RATE_CHANGES = 100;

/** Returns how what a team pays per hour will rise if nothing changes: orders end, and those that renew are paid again. */
async function rateChanges(
  db: Db | Tx,
  team_id: number,
  current: Accrued['current'],
  now: Date,
): Promise<RateChange[]> {
  const renewing = await renewingOrders(db, team_id);
  const uncovered = current.flatMap(({ basis, change, hourly }) => {
    const { order_id, covered_until: at } = change;
    if (at === null || at <= now || renewing.some(({ id }) => id === order_id)) return [];
    const more = rateOf(basis, change, at) - hourly;
    return more > 0 ? [{ at, more }] : [];
  });
  const renewals = renewing.flatMap((order) => renewalRate(order) ?? []);
  return inOrder([...uncovered, ...renewals], MOST_RATE_CHANGES);
}

/**
 * Returns a team's current balance, how what it pays per hour will rise, and how many seconds the balance lasts at that.
 * @param cap micro-dollars that it may owe
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
