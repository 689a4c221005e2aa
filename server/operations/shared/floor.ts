import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the work of any branch takes on an idle machine: a hash of 11 ms and a transaction. */
const FLOOR_MS = 200;

/**
 * Does `work` and answers, or fails, not before `ms` have passed since it began: what was done, or not done, under the
 * floor cannot be told from the time it took.
 */
export async function answerNotBefore<T>(work: () => Promise<T>, ms = FLOOR_MS): Promise<T> {
  const [done] = await Promise.allSettled([work(), wait(ms)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
