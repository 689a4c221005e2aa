import type { GpuWait } from '../../../../generated/api/types.gen';
import { listActiveInstanceTypes } from '../../../db/catalog/catalog';
import { offerRefusal } from '../../../db/hosts/waits/offerRefusal';
import type { SizeWaitRow } from '../../../db/hosts/waits/sizeWaits';
import { needsOf, sizeWaitOut } from '../../../domain/hosts/sizeWait';
import { memberTeamOf } from '../../core/caller';
import type { Context } from '../../types';

/** Returns a wait as its member sees it, with the reason if offers would pass the team over now. */
export async function shownWait(ctx: Context, row: SizeWaitRow): Promise<GpuWait> {
  if (row.notified_at !== null) return sizeWaitOut(row, null);
  const { db, config } = ctx;
  const reasons: ('quota' | 'funds')[] = [];
  for (const need of needsOf(row, await listActiveInstanceTypes(db))) {
    const asking = { team_id: memberTeamOf(ctx).id, need, billingEnforced: config.billingEnforced };
    const reason = await offerRefusal(db, asking);
    if (reason === null) return sizeWaitOut(row, null);
    reasons.push(reason);
  }
  return sizeWaitOut(row, reasons[0] ?? null);
}
