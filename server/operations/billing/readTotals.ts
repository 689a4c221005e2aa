import { groupNames, usageTotals, type Dimension } from '../../db/billing/usageTotals';
import { readSnapshot } from '../../db/core/snapshot';
import { daysOf, wholeDays, type Window } from '../../domain/billing/usageDays';
import { teamOf } from '../core/caller';
import type { Context } from '../types';
import { tooManyChanges, usageWindow } from '../metrics/window';

/** Groups with figures of their own. */
const LARGEST = 9;
/** Corrections in a window that are read one by one. */
const MOST_CORRECTIONS = 10_000;

/** Returns the team's totals by whole UTC day and group, with the time that orders reserve if `reserved`. @throws VALIDATION_FAILED for a bad window */
export async function readTotals(
  ctx: Context,
  query: { from?: string; to?: string },
  by: Dimension,
  reserved = false,
) {
  const now = new Date();
  const window: Window = wholeDays(usageWindow(query, now), now);
  const { id } = teamOf(ctx);
  // One snapshot, so that an hour posted in between counts once.
  return readSnapshot(ctx.db, async (trx) => {
    const totals = await usageTotals(trx, id, window, {
      by,
      largest: LARGEST,
      most: MOST_CORRECTIONS,
      reserved,
    });
    if (!totals) throw tooManyChanges();
    const names = await groupNames(trx, id, totals.cells);
    return { window, days: daysOf(window), totals, names };
  });
}
