import { AsyncLocalStorage } from 'node:async_hooks';
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
  /** The API operation, CVM operation or periodic task that owns the transaction; undefined elsewhere. */
  operation: string | undefined;
  error: unknown;
}

// Starts at zero, so that monitoring sees the first one as an increase.
const counts = new Map<RetriedState, number>(RETRIED.map((state) => [state, 0]));
const listeners = new Set<(retry: Retry) => void>();
const running = new AsyncLocalStorage<string>();

export const isRetried = (sqlstate: string | undefined): sqlstate is RetriedState =>
  RETRIED.some((state) => state === sqlstate);

/** Names the operation that `work` is part of, for retries of its transactions. */
export const inOperation = <T>(name: string, work: () => T): T => running.run(name, work);

export function countRetry(retry: Omit<Retry, 'operation'>): void {
  counts.set(retry.sqlstate, (counts.get(retry.sqlstate) ?? 0) + 1);
  for (const listener of listeners) listener({ ...retry, operation: running.getStore() });
}

/** Returns the retries since the process started, by SQLSTATE. */
export const retryCounts = (): ReadonlyMap<string, number> => counts;

/**
 * Logs this process's retries until the returned function is called, as a warning only after a second failed
 * attempt, because a single conflict resolves automatically.
 */
export function logRetries(log: Logger): () => void {
  const listener = ({ sqlstate, attempt, operation, error }: Retry) => {
    const line = { err: error, sqlstate, attempt, operation };
    if (attempt < 2) log.info(line, 'retrying a transaction after a conflict');
    else log.warn(line, 'retrying a transaction again after a conflict');
  };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
