import type { Budget } from '../../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../../lib/billing/money';

interface Use {
  usd: string;
  /** Of the budget, rounded down. */
  percent: number;
}

/** Returns what counts toward the budget's action, and what its alerts count if that is more: orders stop and refuse no CVM. */
export function usedOf({
  used,
  used_by_orders,
  amount,
  action,
}: Pick<Budget, 'used' | 'used_by_orders' | 'amount' | 'action'>): Use & { withOrders: Use | null } {
  const [all = 0, orders = 0, budget = 0] = [used, used_by_orders, amount].map(
    (usd) => parseMicros(usd) ?? 0,
  );
  const shareOf = (micros: number): Use => ({
    usd: formatMicros(micros),
    percent: budget > 0 ? Math.floor((micros * 100) / budget) : 0,
  });
  if (action === 'notify' || orders === 0) return { ...shareOf(all), withOrders: null };
  return { ...shareOf(all - orders), withOrders: shareOf(all) };
}
