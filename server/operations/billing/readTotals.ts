import { groupNames, usageTotals, type Dimension } from '../../db/billing/usageTotals';
import { readSnapshot } from '../../db/core/snapshot';
import { daysOf, wholeDays, type Window } from '../../domain/billing/usageDays';
import { teamOf } from '../core/caller';
import type { Context } from '../types';
import { tooManyChanges, usageWindow } from '../metrics/window';

/** Groups listed individually. */
const MAX_GROUPS = 9;
/** Corrections read individually per window. */
const MAX_CORRECTIONS = 10_000;

/**
 * Returns the team's totals by whole UTC day and group; with `reserved`, also the hours that orders reserve.
 * @throws VALIDATION_FAILED for a bad window
 */
export async function readTotals(
  ctx: Context,
  query: { from?: string; to?: string },
  by: Dimension,
  reserved = false,
) {
  const now = new Date();
  const window: Window = wholeDays(usageWindow(query, now), now);
  const { id } = teamOf(ctx);
  // One snapshot, so that an hour posted meanwhile counts once.
  return readSnapshot(ctx.db, async (trx) => {
    const totals = await usageTotals(trx, id, window, {
      by,
      largest: MAX_GROUPS,
      most: MAX_CORRECTIONS,
      reserved,
    });
    if (!totals) throw tooManyChanges();
    const names = await groupNames(trx, id, totals.cells);
    return { window, days: daysOf(window), totals, names };
  });
}
