import {
  cvmsSince,
  ranBefore,
  stateChanges,
  type CvmStateChange,
  type MeteredCvm,
} from '../../db/cvms/stateChanges';
import { meter, NO_CARRY, type Metered } from '../../domain/billing/metering';
import type { Context } from '../types';
import { tooManyChanges } from '../metrics/window';

/** Maximum state changes per reply. */
const MAX_CHANGES_PER_CVM = 4_999;
const MAX_CHANGES_PER_APP = 50_000;
const MAX_CVMS = 1_000;

interface Window {
  from: Date;
  to: Date;
}

export async function cvmUsage(ctx: Context, cvm_id: number, window: Window): Promise<Metered> {
  const [usage] = await metered(ctx, [cvm_id], window, MAX_CHANGES_PER_CVM);
  return usage ?? { lines: [], amount_micros: 0, carry: NO_CARRY, basis: 'none' };
}

/**
 * Returns the usage of the given CVMs, in their order. @throws VALIDATION_FAILED if they have more state
 * changes than one reply allows
 */
export const meteredOf = (ctx: Context, cvm_ids: readonly number[], window: Window): Promise<Metered[]> =>
  metered(ctx, cvm_ids, window, MAX_CHANGES_PER_APP);

export interface MeteredOfApp {
  cvm: MeteredCvm;
  usage: Metered;
}

/** Returns every CVM of the app that existed in the window, most expensive first. */
export async function appUsage(
  ctx: Context,
  scope: { team_id: number; app_id: number },
  window: Window,
): Promise<MeteredOfApp[]> {
  const cvms = await cvmsSince(ctx.db, scope, window.from, MAX_CVMS + 1);
  if (cvms.length > MAX_CVMS) throw tooManyChanges();
  const usages = await metered(
    ctx,
    cvms.map(({ id }) => id),
    window,
    MAX_CHANGES_PER_APP,
  );
  return cvms
    .flatMap((cvm, i) => {
      const usage = usages[i];
      // CVMs created after the window are left out.
      return usage && usage.lines.length > 0 ? [{ cvm, usage }] : [];
    })
    .sort((a, b) => b.usage.amount_micros - a.usage.amount_micros || b.cvm.id - a.cvm.id);
}

async function metered(
  ctx: Context,
  ids: readonly number[],
  window: Window,
  most: number,
): Promise<Metered[]> {
  const changes = await stateChanges(ctx.db, ids, window, most + 1);
  if (changes.length > most) throw tooManyChanges();
  const byCvm = new Map<number, CvmStateChange[]>();
  for (const change of changes) {
    const of = byCvm.get(change.cvm_id);
    if (of) of.push(change);
    else byCvm.set(change.cvm_id, [change]);
  }
  const ran = await ranBefore(ctx.db, ids, window.from);
  return ids.map((id) => meter(byCvm.get(id) ?? [], window, { basis: ran.has(id) ? 'disk' : 'none' }));
}
