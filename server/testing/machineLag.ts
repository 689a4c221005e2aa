/**
 * Measures how late this process's own timers fire, as on any process of a busy machine. Lets a test distinguish
 * a server with a blocked event loop from a busy machine.
 */
export interface MachineLag {
  /** Longest timer delay since the start, in milliseconds. */
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
