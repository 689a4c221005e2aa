import { formatUsd } from '../../../../console/lib/billing/money';
import { counted, MOST_PERIODS, type OrderPeriod } from '../../../domain/billing/orders/order';
import { discountOf } from '../../../domain/billing/worth';
import { invalid } from '../../core/admin/change';
import { checkWindow } from './promotionWindow';

interface Product {
  period: OrderPeriod;
  min_periods: number;
  max_periods: number;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** Checks what the fields of a product mean together. @throws VALIDATION_FAILED */
export function checkProduct({ period, min_periods, max_periods, starts_at, ends_at }: Product): void {
  const most = MOST_PERIODS[period];
  if (max_periods > most) throw invalid('max_periods', `Terms are at most ${most} ${period}s.`);
  if (min_periods > max_periods)
    throw invalid('min_periods', 'The shortest term must not be longer than the longest.');
  checkWindow({ starts_at, ends_at });
}

type Offer = Parameters<typeof discountOf>[0] & { name: string };

/** Returns what a second approval decides on: what the product gives away, and more than it did before. */
export function discountAction(
  product: Offer,
  rates: Parameters<typeof discountOf>[1],
  before?: Offer,
): { team_id: null; target: string; amount_micros: number; reason: string } {
  const now = new Date();
  const { name, price_micros, period, stock, max_periods } = product;
  return {
    team_id: null,
    target: name.slice(0, 64),
    amount_micros: Math.max(
      0,
      discountOf(product, rates, now) - (before ? discountOf(before, rates, now) : 0),
    ),
    reason: `${formatUsd(price_micros)} per ${period}, below the metered price: ${stock} at a time, for up to ${counted(max_periods, period)}, renewable`,
  };
}
