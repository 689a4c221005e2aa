import { MOST_PERIODS, type OrderPeriod } from '../../../domain/billing/orders/order';
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
