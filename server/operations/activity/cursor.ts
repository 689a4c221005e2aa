import { Problem } from '../../domain/core/problem';

/** Opaque to clients, so that what lists are ordered by may change. */
export const cursorOf = (id: number): string => Buffer.from(`i${id}`, 'utf8').toString('base64url');

export function idOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const id = /^i(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (id === undefined)
    throw new Problem('VALIDATION_FAILED', {
      details: [
        { field: 'cursor', message: 'Invalid cursor. Use next_cursor from the previous page of this list.' },
      ],
    });
  return Number(id);
}

/**
 * `rows` holds one more than `limit` if there is another page. `total` is null because counting would take a
 * scan.
 */
export function keysetPage<R, T>(
  rows: readonly R[],
  limit: number,
  { id, to }: { id: (row: R) => number; to: (row: R) => T },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const has_more = rows.length > limit;
  return {
    data: shown.map(to),
    pagination: { has_more, next_cursor: has_more && last ? cursorOf(id(last)) : null, total: null },
  };
}
