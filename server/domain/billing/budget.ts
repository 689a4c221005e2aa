import { formatUsd } from '../../../console/lib/billing/money';
import { utcDay } from '../core/dates';
import { Problem } from '../core/problem';
import { monthOf } from './forecast';
import { DAY_MS, dayStart } from './usageDays';

export type BudgetPeriod = 'day' | 'week' | 'month';
export type BudgetAction = 'notify' | 'refuse' | 'stop';

export const DEFAULT_ALERTS = [50, 80, 100];

/** Returns the current day, week (from Monday) or month, in UTC. */
export function periodOf(period: BudgetPeriod, now: Date): { from: Date; to: Date } {
  if (period === 'month') return monthOf(now);
  const today = dayStart(now);
  const days = period === 'day' ? 0 : (today.getUTCDay() + 6) % 7;
  const from = new Date(today.getTime() - days * DAY_MS);
  return { from, to: new Date(from.getTime() + (period === 'day' ? 1 : 7) * DAY_MS) };
}

interface Watched {
  action: BudgetAction;
  amount_micros: number;
  /** In ascending order. */
  alerts: readonly number[];
  period_start: Date;
  alerted: number;
  used_up_at: Date | null;
}

interface Checked {
  /** New values of the row. */
  period_start: Date;
  alerted: number;
  used_up_at: Date | null;
  /** The percentage to notify payers of; the highest, if several were passed since the last check. */
  alert: number | null;
  /** `used_up`: just now. `over`: less of it is used than payers were last notified of. */
  change: 'used_up' | 'over' | null;
}

export interface Spent {
  /** Micro-dollars in the budget's current period, with orders. */
  used: number;
  /** The orders' share. */
  orders: number;
}

/**
 * Returns the usage that counts toward a budget's action; its alerts count everything. Orders were checked
 * against it when they were placed and are paid, so stopping or refusing CVMs would save none of it.
 */
const effective = (action: BudgetAction, { used, orders }: Spent): number =>
  action === 'notify' ? used : used - orders;

/** Compares a budget with its usage in the period since `from`. */
export function checkBudget(budget: Watched, spent: Spent, from: Date, now: Date): Checked {
  const { used } = spent;
  const isSame = budget.period_start.getTime() === from.getTime();
  const before = isSame ? budget.alerted : 0;
  // In integers, so that 100% is exact.
  const reached = budget.alerts.findLast((alert) => used * 100 >= alert * budget.amount_micros) ?? 0;
  const isUsedUp = effective(budget.action, spent) >= budget.amount_micros;
  const used_up_at = !isUsedUp ? null : ((isSame ? budget.used_up_at : null) ?? now);
  const alert = reached > before ? reached : null;
  const isNew = used_up_at !== null && !(isSame && budget.used_up_at !== null);
  const isLess = used_up_at === null && (budget.used_up_at !== null || reached < budget.alerted);
  return {
    period_start: from,
    alerted: reached,
    used_up_at,
    alert,
    change: isNew ? 'used_up' : isLess && alert === null ? 'over' : null,
  };
}

interface Named {
  /** Null: the whole team. */
  app_name: string | null;
  period: BudgetPeriod;
  amount_micros: number;
  action: BudgetAction;
}

const ADJECTIVE = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** Names a budget in a sentence: “monthly budget of api”, “monthly team budget”. */
export const budgetName = ({ app_name, period }: Pick<Named, 'app_name' | 'period'>): string =>
  app_name === null ? `${ADJECTIVE[period]} team budget` : `${ADJECTIVE[period]} budget of ${app_name}`;

const EFFECT = {
  notify: 'Nothing is stopped.',
  refuse: 'New CVMs are refused until it is raised or its next period starts.',
  stop: 'Running CVMs are stopped and their disks kept. None can be started until it is raised or its next period starts.',
} as const;

const ONLY_METERED = {
  notify: '',
  refuse: ' Orders are already paid, so they never block new CVMs. Only CVM and AI usage does.',
  stop: ' Orders are already paid, so they never stop CVMs. Only CVM and AI usage does.',
} as const;

/** Returns the title of an alert: “The monthly budget of api reached 50%”. */
export const alertTitle = (budget: Pick<Named, 'app_name' | 'period'>, alert: number): string =>
  `The ${budgetName(budget)} reached ${alert}%`;

/** Returns the text of an alert. */
export function alertText(budget: Named, spent: Spent): string {
  const { app_name, amount_micros, action } = budget;
  const { used } = spent;
  const ai = action === 'stop' && app_name === null ? ' Paid AI requests are refused.' : '';
  // Rounded down: a budget is not used up before it is.
  const percent = amount_micros === 0 ? 100 : Math.floor((used * 100) / amount_micros);
  const so_far = `${formatUsd(used)} of ${formatUsd(amount_micros)} is used: ${percent}% of the ${budgetName(budget)}.`;
  if (used < amount_micros) return so_far;
  return effective(action, spent) >= amount_micros
    ? `${so_far} ${EFFECT[action]}${ai}`
    : `${so_far}${ONLY_METERED[action]}`;
}

/** Returns the text of the event that less usage counts toward a budget's action than before. */
export const overText = (budget: Named, { used }: Spent): string =>
  used < budget.amount_micros
    ? `The ${budgetName(budget)} is below its last alert again`
    : `The ${budgetName(budget)} is no longer used up, because orders no longer count toward stopping or refusing CVMs`;

/** Returns why a budget refuses a deployment or start. */
export function budgetRefusal(
  budget: Named & { to: Date },
  { slug, publicUrl }: { slug: string; publicUrl: string },
): Problem {
  return new Problem('BUDGET_USED_UP', {
    message: `The ${budgetName(budget)}, ${formatUsd(budget.amount_micros)}, is used up until ${utcDay(budget.to)} (UTC).`,
    links: [{ label: 'Budgets', url: `${publicUrl}/cost?team=${encodeURIComponent(slug)}` }],
  });
}

const orderShortage = (budget: Pick<Named, 'app_name' | 'period'>, left: number) =>
  `${formatUsd(left)} of the ${budgetName(budget)} is left`;

/** Returns the refusal of an order that costs more than a budget has left. */
export function orderRefusal(
  budget: Named,
  { total, left }: { total: number; left: number },
  { slug, publicUrl }: { slug: string; publicUrl: string },
): Problem {
  return new Problem('BUDGET_USED_UP', {
    message: `The order costs ${formatUsd(total)}, and ${orderShortage(budget, left)}.`,
    suggestions: ['Raise the budget, or set it to notify only, before you order.'],
    links: [{ label: 'Budgets', url: `${publicUrl}/cost?team=${encodeURIComponent(slug)}` }],
  });
}

/** Returns why an order is not renewed for now. */
export const renewalRefusal = (budget: Named, { total, left }: { total: number; left: number }): string =>
  `The next term costs ${formatUsd(total)}, and ${orderShortage(budget, left)}. Renewal is retried until the term ends: raise the budget, or set it to notify only.`;
