/** What to say of a step before its time, after it, and once it is done. */
export type DueTexts = readonly [ahead: string, late: string, done: string];

/** @param now ms */
export const dueText = (
  [ahead, late, done]: DueTexts,
  at: string,
  doneAt: string | null,
  now: number,
): string => (doneAt === null ? (Date.parse(at) > now ? ahead : late) : done);
