import type { ExportedEntry } from './exportedEntry';

/** Entries in one delivery. */
export const MAX_BATCH_ENTRIES = 200;
/** Bytes of one delivery, unless a single entry is larger. */
export const MAX_BATCH_BYTES = 1_048_576;

/** Returns the first items that fit in one delivery, at least one of them. */
export function firstThatFit<T>(items: readonly T[], bytesOf: (item: T) => number): T[] {
  const fitting: T[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    if (bytes > MAX_BATCH_BYTES && fitting.length > 0) break;
    fitting.push(item);
  }
  return fitting;
}

/** The source of a webhook's batch, and whether it is a test. */
interface Batch {
  event_id: string;
  at: Date;
  /** Public origin of the server. */
  installation: string;
  test: boolean;
  /** As JSON. */
  entries: readonly string[];
}

/** Returns the body of a webhook's request: the signature covers these bytes. */
export function batchBody({ event_id, at, installation, test, entries }: Batch): string {
  const head = JSON.stringify({
    id: event_id,
    version: '1',
    created_at: at.toISOString(),
    installation,
    test,
  });
  return `${head.slice(0, -1)},"entries":[${entries.join(',')}]}`;
}

/** The same for the same entries, so that receivers can recognize a repeated batch. */
export const batchId = (destination_id: number, entries: readonly Pick<ExportedEntry, 'id'>[]): string =>
  `aud_${destination_id}_${entries[0]?.id ?? 0}_${entries.at(-1)?.id ?? 0}`;

const FIRST_WAIT_S = 5;
const MAX_WAIT_S = 300;

/**
 * Returns when a failed delivery is retried: after 5, 10, 20 seconds and so on, up to five minutes, and never
 * given up. @param failures consecutive ones, including this @param random from 0 to 1: jitter, so that
 * destinations that failed together aren't retried together
 */
export function nextAttempt(failures: number, at: Date, random = Math.random()): Date {
  const seconds = Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(failures - 1, 10));
  return new Date(at.getTime() + seconds * 1000 * (0.8 + 0.2 * random));
}
