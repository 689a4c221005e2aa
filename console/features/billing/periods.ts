import { monthName, monthText } from '../../lib/texts/months';

// Periods and groupings of cost and usage, as named in the address.

export const PERIODS = ['month', 'last-month', '7-days', '30-days', '90-days'] as const;
export type Period = (typeof PERIODS)[number];

export const COST_GROUPS = ['app', 'cvm', 'instance_type', 'basis'] as const;
export type CostGrouping = (typeof COST_GROUPS)[number];

export const USAGE_GROUPS = ['total', 'app', 'cvm'] as const;
export type UsageGrouping = (typeof USAGE_GROUPS)[number];

const DAY_MS = 86_400_000;
const DAYS: Readonly<Partial<Record<Period, number>>> = { '7-days': 7, '30-days': 30, '90-days': 90 };

/** Returns a period's API window, in whole UTC days up to today. */
export function periodQuery(period: Period | undefined, now: Date): { from?: string; to?: string } {
  const month = (back: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString();
  if (period === 'last-month') return { from: month(1), to: month(0) };
  const days = period === undefined ? undefined : DAYS[period];
  if (!days) return { from: month(0) };
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return { from: new Date(today - (days - 1) * DAY_MS).toISOString() };
}

const MAX_STATEMENTS = 25;
/** Months offered as a filter of the ledger: ten years. */
const MAX_LEDGER_MONTHS = 120;

/**
 * Returns the months with a statement, newest first: this one and up to two years back, but none before the team
 * existed. @param created when the team was created; null if unknown
 */
export const statementMonths = (now: Date, created: Date | null): MonthChoice[] =>
  monthsBack(now, created, MAX_STATEMENTS);

interface MonthChoice {
  value: string;
  label: string;
}

/** Returns the months of a team's ledger, newest first, and the chosen month even if it isn't one of them. */
export function ledgerMonths(now: Date, created: Date | null, chosen: string | undefined): MonthChoice[] {
  const months = created ? monthsBack(now, created, MAX_LEDGER_MONTHS) : [];
  return chosen === undefined || months.some(({ value }) => value === chosen)
    ? months
    : [...months, { value: chosen, label: monthText(chosen) }];
}

function monthsBack(now: Date, created: Date | null, most: number): MonthChoice[] {
  const index = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth();
  const count = created ? Math.max(1, index(now) - index(created) + 1) : most;
  return Array.from({ length: Math.min(most, count) }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    return { value: month.toISOString().slice(0, 7), label: monthName(month) };
  });
}
