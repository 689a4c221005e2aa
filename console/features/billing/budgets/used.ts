import type { Budget } from '../../../../generated/api/types.gen';
import { exactUsd, formatMicros, parseMicros, roundedUsd } from '../../../lib/billing/money';

interface Use {
  usd: string;
  /** Percentage of the budget, rounded down. */
  percent: number;
  /** The part that doesn't count for the budget's action; null if all of it counts. */
  exempt: string | null;
}

/** Returns a budget's usage. Orders count toward its alerts, but not toward stopping or refusing CVMs. */
export function usedOf({
  used,
  used_by_orders,
  amount,
  action,
}: Pick<Budget, 'used' | 'used_by_orders' | 'amount' | 'action'>): Use {
  const [all = 0, orders = 0, budget = 0] = [used, used_by_orders, amount].map(
    (usd) => parseMicros(usd) ?? 0,
  );
  return {
    usd: formatMicros(all),
    percent: budget > 0 ? Math.floor((all * 100) / budget) : 0,
    exempt: action === 'notify' || orders <= 0 ? null : exemptText(formatMicros(orders), action),
  };
}

const exemptText = (usd: string, action: 'refuse' | 'stop') =>
  `${exactUsd(roundedUsd(usd))} for orders, which ${action === 'stop' ? 'don’t stop CVMs' : 'don’t block new CVMs'}`;
