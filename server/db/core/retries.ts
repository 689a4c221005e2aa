import type { Logger } from 'pino';

/**
 * Transactions that PostgreSQL made this process retry. A deadlock resolved by a retry fails nothing, so only
 * the count shows it.
 */

/**
 * serialization_failure and deadlock_detected: PostgreSQL requires the whole transaction to be retried
 * (manual §13.5).
 */
const RETRIED = ['40001', '40P01'] as const;

type RetriedState = (typeof RETRIED)[number];

interface Retry {
  sqlstate: RetriedState;
  /** The failed attempt of the transaction, counted from one. */
  attempt: number;
  /** The API operation or the type of the CVM operation; undefined elsewhere. */
  operation: string | undefined;
  /** Where the transaction was run. The error's own stack begins at the database's connection. */
  stack: string | undefined;
  error: unknown;
}

// Starts at zero, so that monitoring sees the first one as an increase.
const counts = new Map<RetriedState, number>(RETRIED.map((state) => [state, 0]));
const listeners = new Set<(retry: Retry) => void>();

export const isRetried = (sqlstate: string | undefined): sqlstate is RetriedState =>
  RETRIED.some((state) => state === sqlstate);

export function countRetry(retry: Retry): void {
  counts.set(retry.sqlstate, (counts.get(retry.sqlstate) ?? 0) + 1);
  for (const listener of listeners) listener(retry);
}

/** Returns the retries since the process started, by SQLSTATE. */
export const retryCounts = (): ReadonlyMap<string, number> => counts;

/**
 * Logs this process's retries until the returned function is called, as a warning only after a second failed
 * attempt, because a single conflict resolves automatically.
 */
export function logRetries(log: Logger): () => void {
  const listener = ({ error, ...retry }: Retry) => {
    const line = { err: error, ...retry };
    if (retry.attempt < 2) log.info(line, 'retrying a transaction after a conflict');
    else log.warn(line, 'retrying a transaction again after a conflict');
  };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
