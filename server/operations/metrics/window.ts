import type { MetricRange } from '../../../generated/api/types.gen';
import { KEPT_SECONDS } from '../../domain/metrics/metricLevels';
import { invalid } from '../core/invalid';

const DAY_MS = 86_400_000;
const MAX_DAYS = 92;

/** Returns a request's window; the default is this month until now. @throws VALIDATION_FAILED */
export function usageWindow(
  query: { from?: string; to?: string },
  now = new Date(),
): { from: Date; to: Date } {
  const to = new Date(Math.min(query.to === undefined ? Infinity : Date.parse(query.to), now.getTime()));
  const from =
    query.from === undefined
      ? new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1))
      : new Date(query.from);
  if (from >= to) throw invalid('from', 'The window must begin before it ends, and before now.');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalid('from', `The window must not be longer than ${MAX_DAYS} days.`);
  return { from, to };
}

/** A range until now, or the window [from, to). */
export type MetricTime = { range: MetricRange } | { range: null; from: Date; to: Date };

/** Returns a metrics request's time span; the default is the last hour. @throws VALIDATION_FAILED */
export function metricTime(
  query: { range?: MetricRange; from?: string; to?: string },
  now = new Date(),
): MetricTime {
  if (query.from === undefined) {
    if (query.to !== undefined) throw invalid('to', 'The window needs a start: set `from`.');
    return { range: query.range ?? 'hour' };
  }
  const from = new Date(query.from);
  const to = new Date(Math.min(query.to === undefined ? Infinity : Date.parse(query.to), now.getTime()));
  if (from >= to) throw invalid('from', 'The window must begin before it ends, and before now.');
  if (to.getTime() - from.getTime() > KEPT_SECONDS * 1000)
    throw invalid('from', `The window must not be longer than ${KEPT_SECONDS / 86_400} days.`);
  return { range: null, from, to };
}

export const tooManyChanges = () =>
  invalid('from', 'This window has too many entries. Choose a shorter one.');
