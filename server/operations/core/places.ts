import { Problem } from '../../domain/core/problem';

/** A place among the files that are written at a time. */
interface Place {
  /** Call it before the first line. @throws if the response was closed before */
  begin: () => void;
  leave: () => void;
}

/**
 * Limits how many files this process writes at a time, in total and for each owner.
 *
 * A place is taken before any await, so that concurrent requests count each other. It is released with the last line, or
 * when the response closes if no line was read.
 */
export function createPlaces({ most, perOwner = most }: { most: number; perOwner?: number }) {
  const taken: { owner: number | null }[] = [];

  /** @throws RATE_LIMITED */
  return (signal: AbortSignal, owner: number | null = null): Place => {
    if (owner !== null && taken.filter((one) => one.owner === owner).length >= perOwner)
      throw new Problem('RATE_LIMITED', {
        message: 'Another export of the team is in progress.',
        retryAfter: 10,
      });
    if (taken.length >= most)
      throw new Problem('RATE_LIMITED', {
        message: `${most} other exports are in progress.`,
        retryAfter: 10,
      });
    const place = { owner };
    taken.push(place);
    let state: 'waiting' | 'writing' | 'left' = 'waiting';
    const leave = () => {
      if (state !== 'left') taken.splice(taken.indexOf(place), 1);
      state = 'left';
    };
    const closed = () => {
      if (state === 'waiting') leave();
    };
    signal.addEventListener('abort', closed, { once: true });
    if (signal.aborted) closed();
    return {
      begin() {
        if (state === 'left') throw signal.reason;
        state = 'writing';
      },
      leave,
    };
  };
}
