// Search parameters of usage pages. Kept small, because the router parses them before any page loads.

export const RANGES = ['hour', 'day', 'week', 'month'] as const;
export type Range = (typeof RANGES)[number];

/** A period shown instead of a range: RFC 3339 in UTC, to the second. */
export interface Zoom {
  from: string;
  to: string;
}

export interface UsageSearch extends Partial<Record<keyof Zoom, string | undefined>> {
  /** Time range of the charts; the last hour if absent. */
  range?: Range | undefined;
  /** Draws the previous period in the same charts. */
  compare?: 'previous' | undefined;
  /** Billing month, such as 2026-10; the current month if absent. */
  month?: string | undefined;
}

/** Parses the address. Every key is present, so that invalid raw values don't stay. */
export function usageSearch(search: Record<string, unknown>): UsageSearch {
  const range = RANGES.find((one) => one === search.range);
  const month = typeof search.month === 'string' ? search.month : undefined;
  const [from, to] = [timeIn(search.from), timeIn(search.to)];
  const zoomed = from !== undefined && to !== undefined && from < to;
  return {
    from: zoomed ? from : undefined,
    to: zoomed ? to : undefined,
    compare: search.compare === 'previous' ? 'previous' : undefined,
    range: range === 'hour' ? undefined : range,
    month: month !== undefined && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
  };
}

/** Normalized to equal length, so that times compare as strings. */
const timeIn = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Returns the months to choose from, newest first: the current one and two before it. */
export function monthsUntil(now: Date, asked?: string): { value: string; label: string }[] {
  const months = [0, 1, 2].map((back) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))),
  );
  return asked === undefined || months.some(({ value }) => value === asked)
    ? months
    : [...months, monthOf(new Date(`${asked}-01T00:00:00Z`))];
}

const monthOf = (at: Date) => ({ value: at.toISOString().slice(0, 7), label: monthName.format(at) });

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns a month's time window for the API; empty for the current month, which ends now. */
export function monthQuery(month: string | undefined, now: Date): { from?: string; to?: string } {
  if (month === undefined || month === now.toISOString().slice(0, 7)) return {};
  const [year = 0, number = 1] = month.split('-').map(Number);
  const begin = (months: number) => new Date(Date.UTC(year, number - 1 + months, 1)).toISOString();
  return { from: begin(0), to: begin(1) };
}
