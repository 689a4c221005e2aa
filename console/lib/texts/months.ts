const MONTHS = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the name of a time's UTC month: "October 2026". */
export const monthName = (at: Date): string => MONTHS.format(at);

/** Returns a UTC month in words: "2026-10" is "October 2026". Leaves other text unchanged. */
export function monthText(month: string): string {
  const start = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(start.getTime()) ? month : monthName(start);
}
