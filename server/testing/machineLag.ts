/**
 * How late this process's own timers fire, which is what a busy machine does to every process. Lets a test tell a server
 * whose event loop is blocked from a server on a busy machine.
 */
export interface MachineLag {
  /** Longest delay of a timer since the start, ms. */
  slowestMs(): number;
  stop(): void;
}

const EVERY_MS = 10;

/** Starts measuring. */
export function watchMachineLag(): MachineLag {
  let due = performance.now() + EVERY_MS;
  let slowestMs = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    slowestMs = Math.max(slowestMs, now - due);
    due = now + EVERY_MS;
  }, EVERY_MS);
  return { slowestMs: () => slowestMs, stop: () => clearInterval(timer) };
}
