import pLimit, { type LimitFunction } from 'p-limit';

/** Runs `work` when it is its turn among the work of the same key. */
export type InTurn<K> = <T>(key: K, work: () => Promise<T>) => Promise<T>;

interface Options {
  /** Concurrent work per key. */
  concurrency: number;
  /** Work of one key in progress or waiting. */
  maxPending: number;
  /** Returns the error for work beyond `maxPending`. */
  refusal: () => Error;
}

const pending = ({ activeCount, pendingCount }: LimitFunction): number => activeCount + pendingCount;

/**
 * Creates a queue per key in this process. Writes waiting for the same row in the database would each occupy
 * one of the few connections that all teams share.
 */
export function createTurns<K>({ concurrency, maxPending, refusal }: Options): InTurn<K> {
  const keys = new Map<K, LimitFunction>();
  return async (key, work) => {
    const limit = keys.get(key) ?? pLimit(concurrency);
    if (pending(limit) >= maxPending) throw refusal();
    keys.set(key, limit);
    try {
      return await limit(work);
    } finally {
      if (pending(limit) === 0) keys.delete(key);
    }
  };
}
