import type { ExplorerPlace } from '../../db/public/explorerApps';
import { Problem } from '../../domain/core/problem';

/** Contains only public data: row IDs would reveal the number of private apps. */
export const cursorOfApp = ({ changed_at, position }: ExplorerPlace): string =>
  Buffer.from(`e${changed_at.getTime()}.${position}`, 'utf8').toString('base64url');

/** @throws VALIDATION_FAILED */
export function placeOfCursor(cursor: string | undefined): ExplorerPlace | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, ms, position] = /^e(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (ms === undefined || position === undefined)
    throw new Problem('VALIDATION_FAILED', {
      details: [
        { field: 'cursor', message: 'Invalid cursor. Use next_cursor from the previous page of this list.' },
      ],
    });
  return { changed_at: new Date(Number(ms)), position };
}
