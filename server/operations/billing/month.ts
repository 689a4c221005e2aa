/** Returns the bounds of a month such as "2026-11" in UTC; `end` is the start of the next one. */
export function monthOf(text: string): { start: Date; end: Date } {
  const [year = 0, month = 0] = text.split('-').map(Number);
  return { start: new Date(Date.UTC(year, month - 1)), end: new Date(Date.UTC(year, month)) };
}
