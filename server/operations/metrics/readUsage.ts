import {
  cvmsSince,
  ranBefore,
  stateChanges,
  type CvmStateChange,
  type MeteredCvm,
} from '../../db/stateChanges';
import { meter, type Metered } from '../../domain/metering';
import type { Context } from '../types';
import { tooManyChanges } from './window';

/** Changes of state one answer is made from. */
const MOST_OF_CVM = 4_999;
const MOST_OF_APP = 50_000;
const MOST_CVMS = 1_000;

interface Window {
  from: Date;
  to: Date;
}

export async function cvmUsage(ctx: Context, cvm_id: number, window: Window): Promise<Metered> {
  const [usage] = await metered(ctx, [cvm_id], window, MOST_OF_CVM);
  return usage ?? { lines: [], amount_micros: 0, carry: 0 };
}

/** Of some CVMs, in their order. @throws VALIDATION_FAILED when more happened to them than one answer holds */
export const meteredOf = (ctx: Context, cvm_ids: readonly number[], window: Window): Promise<Metered[]> =>
  metered(ctx, cvm_ids, window, MOST_OF_APP);

export interface MeteredOfApp {
  cvm: MeteredCvm;
  usage: Metered;
}

/** Every CVM of the app that existed in the window, the dearest first. */
export async function appUsage(
  ctx: Context,
  scope: { team_id: number; app_id: number },
  window: Window,
): Promise<MeteredOfApp[]> {
  const cvms = await cvmsSince(ctx.db, scope, window.from, MOST_CVMS + 1);
  if (cvms.length > MOST_CVMS) throw tooManyChanges();
  const usages = await metered(
    ctx,
    cvms.map(({ id }) => id),
    window,
    MOST_OF_APP,
  );
  return cvms
    .flatMap((cvm, i) => {
      const usage = usages[i];
      // What was made after the window has no part in it.
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
  return ids.map((id) => meter(byCvm.get(id) ?? [], window, { ran: ran.has(id) }));
}
