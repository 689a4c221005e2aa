import { formatMicros } from '../../../console/lib/billing/money';
import { aiDays, firstAiHour } from '../../db/ai/aiTotals';
import { accruedUsage } from '../../db/billing/accrued';
import { renewingOrders } from '../../db/billing/orders/orderTotals';
import { cvmSizes, dailyAmounts, usageTotals } from '../../db/billing/usageTotals';
import type { Tx } from '../../db/core/client';
import { keptUntil } from '../../db/cvms/recycleBin';
import { readSnapshot } from '../../db/core/snapshot';
import {
  AI_DAYS,
  aiAhead,
  BAND_DAYS,
  cvmAhead,
  forecast,
  monthOf,
  renewalsUntil,
} from '../../domain/billing/forecast';
import { stoppedRateToPay } from '../../domain/billing/pricing';
import { DAY_MS, dayStart } from '../../domain/billing/usageDays';
import { cvmRef } from '../../domain/core/references';
import { teamOf } from '../core/caller';
import { tooManyChanges } from '../metrics/window';
import type { Handler } from '../types';

/** CVMs in the price table. */
const MAX_CVMS = 100;
const MAX_CORRECTIONS = 10_000;
/** Exceeds the number of bases. */
const BASES = 9;

export const getCostForecast: Handler<'getCostForecast'> = async ({ ctx }) => {
  const now = new Date();
  const { id } = teamOf(ctx);
  const month = monthOf(now);
  return readSnapshot(ctx.db, async (trx) => {
    const so_far = { from: month.from, to: now };
    const totals = await usageTotals(trx, id, so_far, {
      by: 'basis',
      largest: BASES,
      most: MAX_CORRECTIONS,
    });
    if (!totals) throw tooManyChanges();
    const { current, hourly } = await accruedUsage(trx, id, now);
    const daily = await dailyAmounts(trx, id, dayStart(now), BAND_DAYS);
    const until = { now, end: month.to };
    const renewing = await renewingOrders(trx, id);
    const kept = await keptUntil(trx, id);
    const parts = partsOf(totals.cells, {
      cvms: current.reduce((sum, { cvm_id, basis, change }) => {
        const renews = renewing.some((order) => order.id === change.order_id);
        const destroyed = kept.get(cvm_id) ?? month.to;
        const end = destroyed < now ? now : destroyed < month.to ? destroyed : month.to;
        return sum + cvmAhead(change, basis, { now, end, renews });
      }, 0),
      ai: aiAhead(await recentAi(trx, id, now), until),
      orders: renewing.reduce((sum, order) => sum + renewalsUntil(order, month.to), 0),
    });
    const spent = parts.reduce((sum, part) => sum + part.spent, 0);
    const ahead = parts.reduce((sum, part) => sum + part.ahead, 0);
    const { expected, band } = forecast({ spent, ahead, daily }, until);
    const paid = current.filter((one) => one.hourly > 0).sort((a, b) => b.hourly - a.hourly);
    const shown = paid.slice(0, MAX_CVMS);
    const sizes = await cvmSizes(
      trx,
      shown.map(({ cvm_id }) => cvm_id),
    );
    return {
      status: 200,
      body: {
        as_of: now.toISOString(),
        from: month.from.toISOString(),
        to: month.to.toISOString(),
        spent: formatMicros(spent),
        hourly_rate: formatMicros(hourly),
        expected: formatMicros(expected),
        low: band && formatMicros(band.low),
        high: band && formatMicros(band.high),
        days: daily.length,
        parts: parts.map((part) => ({
          kind: part.kind,
          spent: formatMicros(part.spent),
          expected: formatMicros(part.spent + part.ahead),
        })),
        current: shown.flatMap(({ cvm_id, basis, change, hourly: rate }) => {
          const cvm = sizes.find((one) => one.id === cvm_id);
          if (!cvm) return [];
          return [
            {
              cvm: cvmRef(cvm)!,
              instance_type: cvm.instance_type,
              vcpu: change.vcpu,
              memory_mb: change.memory_mb,
              disk_gb: change.disk_gb,
              // A basis that costs something is never paused.
              basis: basis === 'paused' ? 'none' : basis,
              hourly_rate: formatMicros(rate),
              stopped_hourly_rate: formatMicros(stoppedRateToPay(change, now)),
              destroyed_at: kept.get(cvm_id)?.toISOString() ?? null,
            },
          ];
        }),
        current_total: paid.length,
      },
    } as const;
  });
};

const KINDS = ['cvms', 'ai', 'orders'] as const;
type Kind = (typeof KINDS)[number];

/** Returns current and projected costs of CVMs, AI requests and orders. */
const partsOf = (
  cells: readonly { key: string | null; amount_micros: number }[],
  ahead: Readonly<Record<Kind, number>>,
): { kind: Kind; spent: number; ahead: number }[] =>
  KINDS.map((kind) => ({
    kind,
    ahead: ahead[kind],
    spent: cells
      .filter(({ key }) => kind === (key === 'ai' ? 'ai' : key === 'order' ? 'orders' : 'cvms'))
      .reduce((sum, { amount_micros }) => sum + amount_micros, 0),
  }));

async function recentAi(trx: Tx, team_id: number, now: Date): Promise<{ used: number; first: Date | null }> {
  const days = await aiDays(trx, team_id, { from: new Date(now.getTime() - AI_DAYS * DAY_MS), to: now });
  return {
    used: days.reduce((sum, { amount_micros }) => sum + amount_micros, 0),
    first: await firstAiHour(trx, team_id),
  };
}
