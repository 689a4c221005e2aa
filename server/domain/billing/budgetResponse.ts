import type { Budget } from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { iso } from '../core/references';
import type { BudgetAction, BudgetPeriod } from './budget';

interface Row {
  public_id: string;
  app_name: string | null;
  app_hex: string | null;
  period: BudgetPeriod;
  amount_micros: number;
  alerts: number[];
  action: BudgetAction;
  created_at: Date;
  period_start: Date;
  used_up_at: Date | null;
}

/** `used` and `orders` in micro-dollars. */
export const budgetOut = (
  row: Row,
  {
    used,
    orders,
    from,
    to,
    stopped,
  }: { used: number; orders: number; from: Date; to: Date; stopped: number },
): Budget => ({
  id: row.public_id,
  app: row.app_hex === null ? null : { app_id: row.app_hex, name: row.app_name ?? row.app_hex },
  period: row.period,
  amount: formatMicros(row.amount_micros),
  alerts: row.alerts,
  action: row.action,
  from: from.toISOString(),
  to: to.toISOString(),
  used: formatMicros(used),
  used_by_orders: formatMicros(orders),
  used_percent: Math.floor((used * 10_000) / row.amount_micros) / 100,
  used_up_at: row.period_start.getTime() === from.getTime() ? iso(row.used_up_at) : null,
  stopped_cvms: stopped,
  created_at: row.created_at.toISOString(),
});
