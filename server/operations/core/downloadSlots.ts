import { Problem } from '../../domain/core/problem';

/** A slot for writing a file. */
interface Slot {
  /** Call it before the first line. @throws if the response has already closed */
  begin: () => void;
  /** Call it before each further line. @throws once its time is up */
  check: () => void;
  leave: () => void;
  /** Aborted once its time is up. */
  over: AbortSignal;
}

/**
 * Limits how many files this process writes concurrently, in total and per owner.
 *
 * A slot is taken before any await, so that concurrent requests count each other. It is released with the last
 * line, or when the response closes if no line was read. With `most_ms`, it is also released after that time:
 * readers set the pace, and a few stalled ones must not block all others.
 */
export function createDownloadSlots({
  most,
  perOwner = most,
  most_ms,
}: {
  most: number;
  perOwner?: number;
  most_ms?: number;
}) {
  const taken: { owner: number | null }[] = [];

  /** @throws RATE_LIMITED */
  return (signal: AbortSignal, owner: number | null = null): Slot => {
    if (owner !== null && taken.filter((one) => one.owner === owner).length >= perOwner)
      throw new Problem('RATE_LIMITED', {
        message: 'Another export for this team is in progress.',
        retryAfter: 10,
      });
    if (taken.length >= most)
      throw new Problem('RATE_LIMITED', {
        message: `${most} other exports are in progress.`,
        retryAfter: 10,
      });
    const slot = { owner };
    taken.push(slot);
    let state: 'waiting' | 'writing' | 'left' = 'waiting';
    const leave = () => {
      if (state !== 'left') taken.splice(taken.indexOf(slot), 1);
      state = 'left';
      clearTimeout(deadline);
    };
    const over = new AbortController();
    const end = () => {
      leave();
      over.abort(new Error('The download was too slow and timed out.'));
    };
    const deadline = most_ms === undefined ? undefined : setTimeout(end, most_ms).unref();
    const closed = () => {
      if (state === 'waiting') leave();
    };
    signal.addEventListener('abort', closed, { once: true });
    if (signal.aborted) closed();
    return {
      begin() {
        if (state === 'left') throw signal.reason ?? new Error('The download was too slow and timed out.');
        state = 'writing';
      },
      check() {
        if (state === 'left') throw new Error('The download was too slow and timed out.');
      },
      leave,
      over: over.signal,
    };
  };
}
