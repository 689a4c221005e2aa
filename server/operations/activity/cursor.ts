import { Problem } from '../../domain/problem';
import { ValidationProblem } from '../../domain/problem';

/** Opaque to clients, so that what lists are ordered by may change. */
export const cursorOf = (id: number): string => Buffer.from(`i${id}`, 'utf8').toString('base64url');

export function idOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const id = /^i(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (id === undefined) throw new Problem('VALIDATION_FAILED');
  return Number(id);
}
