import { announceResponsive, AWAY, NETWORK_RETRIES, onResponsive, retryDelayMs } from './connection';

/** The properties of a failed read that decide about retries. */
export interface FailedRead {
  /** HTTP status; 0 if there was no response. */
  status: number;
  /** When Retry-After allows the next attempt, in Unix milliseconds. */
  retry_at?: number | undefined;
}

/** Retries of a read answered with 502, 503 or 504 by a proxy, or by a server that is starting or stopping. */
const AWAY_RETRIES = 2;
/** The longest Retry-After that a page waits for before it shows the error, ms. */
const PATIENCE_MS = 10_000;
/** The longest Retry-After that is respected, ms. */
const MAX_WAIT_MS = 3_600_000;
/** Timers may run a little early. */
const TIMER_MS = 50;

/**
 * Whether a read got no response, or a 502, 503 or 504. The page shows the error, polls `/readyz` every three
 * seconds until the server responds, then sends the read again. If that fails, too, it repeats this, at most every
 * ten seconds.
 */
const isUnanswered = (failed: FailedRead | undefined): failed is FailedRead =>
  failed !== undefined && (failed.status === 0 || AWAY.has(failed.status));

const waitMs = ({ retry_at = 0 }: FailedRead): number =>
  Math.min(MAX_WAIT_MS, Math.max(0, retry_at - Date.now()));

/** Whether to retry before the page shows the error. */
export function mayRetry(failures: number, failed: FailedRead | undefined): boolean {
  if (!isUnanswered(failed) || waitMs(failed) > PATIENCE_MS) return false;
  return failures < (failed.status === 0 ? NETWORK_RETRIES : AWAY_RETRIES);
}

/** Wait before retry `attempt`, from 0, ms: no shorter than Retry-After. */
export const retryWaitMs = (attempt: number, failed: FailedRead | undefined): number =>
  Math.max(retryDelayMs(attempt), failed ? waitMs(failed) : 0);

/** Requests an announcement when an unanswered read can be retried, but not before its Retry-After. */
export function awaitResponse(failed: FailedRead | undefined): void {
  if (!isUnanswered(failed)) return;
  const wait_ms = waitMs(failed);
  if (wait_ms === 0) void announceResponsive();
  else setTimeout(() => void announceResponsive(), wait_ms + TIMER_MS);
}

/** Whether an unanswered read may be sent again now. */
export const isDue = (failed: FailedRead | undefined): boolean =>
  isUnanswered(failed) && waitMs(failed) === 0;

/** Runs `retry` once the server responds, if the read went unanswered. @returns a function that unsubscribes */
export function retryUnanswered(failed: FailedRead | undefined, retry: () => void): () => void {
  if (!isUnanswered(failed)) return () => undefined;
  const stop = onResponsive(() => {
    if (isDue(failed)) retry();
  });
  awaitResponse(failed);
  return stop;
}

/** Parses Retry-After, which is seconds or a date (RFC 9110 §10.2.3), to Unix milliseconds. */
export function retryTime(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const time = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}
