// What the addresses of usage pages may say; small, because the router reads it before any page is loaded.

export const RANGES = ['hour', 'day', 'week', 'month'] as const;
export type Range = (typeof RANGES)[number];

export interface UsageSearch {
  /** How far back the charts go; the last hour without it. */
  range?: Range | undefined;
  /** The month whose cost is shown: 2026-10. This month without it. */
  month?: string | undefined;
}

/** The address as typed values; every key is there, so that what makes no sense does not stay. */
export function usageSearch(search: Record<string, unknown>): UsageSearch {
  const range = RANGES.find((one) => one === search.range);
  const month = typeof search.month === 'string' ? search.month : undefined;
  return {
    range: range === 'hour' ? undefined : range,
    month: month !== undefined && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
  };
}

/** Months whose record is offered, newest first: the present one and two before it. */
export function monthsUntil(now: Date): { value: string; label: string }[] {
  return [0, 1, 2].map((back) => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return { value: at.toISOString().slice(0, 7), label: monthName.format(at) };
  });
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The window of a month as the API is asked; nothing for the present one, which ends now. */
export function monthQuery(month: string | undefined, now: Date): { from?: string; to?: string } {
  if (month === undefined || month === now.toISOString().slice(0, 7)) return {};
  const [year = 0, number = 1] = month.split('-').map(Number);
  const begin = (months: number) => new Date(Date.UTC(year, number - 1 + months, 1)).toISOString();
  return { from: begin(0), to: begin(1) };
}
