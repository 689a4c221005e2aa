import { Problem } from '../../domain/problem';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 92;

/** The window a request asks for: this month until now when it says nothing. @throws VALIDATION_FAILED */
export function usageWindow(
  query: { from?: string; to?: string },
  now = new Date(),
): { from: Date; to: Date } {
  const to = new Date(Math.min(query.to === undefined ? Infinity : Date.parse(query.to), now.getTime()));
  const from =
    query.from === undefined
      ? new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1))
      : new Date(query.from);
  if (from >= to) throw wrong('from', 'The window must begin before it ends, and before now.');
  if (to.getTime() - from.getTime() > LONGEST_DAYS * DAY_MS)
    throw wrong('from', `The window must not be longer than ${LONGEST_DAYS} days.`);
  return { from, to };
}

export const tooManyChanges = () =>
  wrong('from', 'More happened in this window than one answer holds. Ask for a shorter one.');

const wrong = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message, details: [{ field, message }] });
