/**
 * Returns a clock, in milliseconds, that follows the faster of the process's two clocks: one stands still while the
 * machine sleeps, the other may be set back. Only differences count.
 */
export function steadyClock(): () => number {
  let wall = Date.now();
  let monotonic = performance.now();
  let total = 0;
  return () => {
    const next = { wall: Date.now(), monotonic: performance.now() };
    total += Math.max(next.wall - wall, next.monotonic - monotonic);
    ({ wall, monotonic } = next);
    return total;
  };
}
