import { setTimeout as wait } from 'node:timers/promises';

/** Longer than any branch takes on an idle machine: a hash of 11 ms and a transaction. */
const FLOOR_MS = 200;

/**
 * Runs `work`, and returns or fails no sooner than `ms` after it started, so that the elapsed time doesn't
 * reveal what was done.
 */
export async function answerNotBefore<T>(work: () => Promise<T>, ms = FLOOR_MS): Promise<T> {
  const [done] = await Promise.allSettled([work(), wait(ms)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
