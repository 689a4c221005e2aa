import { invalid } from '../core/invalid';

/** Parses the cursor of a list ordered by a number. @throws VALIDATION_FAILED */
export function readIdCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw notACursor();
  return Number(cursor);
}

export const notACursor = () => invalid('cursor', 'Use next_cursor from the previous page.');

/** Returns a page of rows; `rows` has one more than `limit` if another page follows. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  { to, cursor }: { to: (row: R) => T; cursor: (row: R) => number | string },
): { items: T[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(to),
    next_cursor: rows.length > limit && last !== undefined ? String(cursor(last)) : null,
  };
}
