import type { RateChange } from '../../../../console/lib/billing/money';
import { inOrder, renewalRate } from '../../../domain/billing/forecast';
import { rateOf } from '../../../domain/billing/metering';
import type { Db, Tx } from '../../core/client';
import type { Accrued } from '../accrued';
import { renewingOrders } from './orderTotals';

const MOST_RATE_CHANGES = 100;

/** Returns how what a team pays per hour will rise if nothing changes: orders end, and those that renew are paid again. */
export async function rateChanges(
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
