import { formatMicros } from '../../../console/lib/billing/money';
import type { AppsSummary } from '../../../generated/api/types.gen';

/** CVMs of a team in one status; those in the recycle bin apart. Rates are micro-dollars per hour. */
export interface StatusSum {
  status: string;
  is_recycled: boolean;
  cvms: number;
  micros: number;
  /** Without the cost covered by orders. */
  full_micros: number;
}

export function appsSummaryOut(sums: readonly StatusSum[]): AppsSummary {
  const live = sums.filter(({ is_recycled }) => !is_recycled);
  const recycled = sums.filter(({ is_recycled }) => is_recycled);
  const sum = (of: readonly StatusSum[], what: 'cvms' | 'micros' | 'full_micros') =>
    of.reduce((total, one) => total + one[what], 0);
  const [now, full] = [sum(live, 'micros'), sum(live, 'full_micros')];
  return {
    cvm_count: sum(live, 'cvms'),
    statuses: live.map(({ status, cvms }) => ({ status, cvm_count: cvms })),
    hourly_rate: formatMicros(now),
    hourly_rate_after_orders: full === now ? null : formatMicros(full),
    recycled_cvm_count: sum(recycled, 'cvms'),
    recycled_hourly_rate: formatMicros(sum(recycled, 'micros')),
  };
}
