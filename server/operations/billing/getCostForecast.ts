import { formatMicros } from '../../../console/lib/billing/money';
import { accruedUsage } from '../../db/billing/accrued';
import { cvmSizes, dailyAmounts, usageTotals } from '../../db/billing/usageTotals';
import { readSnapshot } from '../../db/core/snapshot';
import { BAND_DAYS, forecast, monthOf } from '../../domain/billing/forecast';
import { stoppedHourlyRate } from '../../domain/billing/pricing';
import { dayStart } from '../../domain/billing/usageDays';
import { cvmRef } from '../../domain/core/references';
import { teamOf } from '../core/caller';
import { tooManyChanges } from '../metrics/window';
import type { Handler } from '../types';

/** CVMs in the price table. */
const MOST_CVMS = 100;
const MOST_CORRECTIONS = 10_000;

export const getCostForecast: Handler<'getCostForecast'> = async ({ ctx }) => {
  const now = new Date();
  const { id } = teamOf(ctx);
  const month = monthOf(now);
  return readSnapshot(ctx.db, async (trx) => {
    const so_far = { from: month.from, to: now };
    const totals = await usageTotals(trx, id, so_far, {
      by: 'basis',
      largest: 1,
      most: MOST_CORRECTIONS,
    });
    if (!totals) throw tooManyChanges();
    const { current, hourly } = await accruedUsage(trx, id, now);
    const daily = await dailyAmounts(trx, id, dayStart(now), BAND_DAYS);
    const spent = totals.cells.reduce((sum, { amount_micros }) => sum + amount_micros, 0);
    const { expected, band } = forecast({ spent, hourly, daily }, { now, end: month.to });
    const paid = current.filter((one) => one.hourly > 0).sort((a, b) => b.hourly - a.hourly);
    const shown = paid.slice(0, MOST_CVMS);
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
              // What costs something is never paused.
              basis: basis === 'paused' ? 'none' : basis,
              hourly_rate: formatMicros(rate),
              stopped_hourly_rate: formatMicros(stoppedHourlyRate(change)),
            },
          ];
        }),
        current_total: paid.length,
      },
    } as const;
  });
};
