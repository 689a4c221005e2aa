import { minuteTime } from '../../../console/ui/data/time';

/** Texts for a step before its time, after it, and once it is done. */
export type DueTexts = readonly [ahead: string, late: string, done: string];

/** Includes the date, because "in 1 mo" may be 33 days. @param now ms */
export const dueText = (
  [ahead, late, done]: DueTexts,
  at: string,
  doneAt: string | null,
  now: number,
): string => {
  const text = doneAt === null ? (Date.parse(at) > now ? ahead : late) : done;
  return `${text} on ${minuteTime(doneAt ?? at)}`;
};
