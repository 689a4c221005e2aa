// A log connection's life cycle as a pure function: event → what to show and when to retry.

export type Connection =
  | { state: 'connecting'; attempt: number; fresh: boolean; reason?: string }
  | { state: 'live'; attempt: number }
  | { state: 'reconnecting'; attempt: number; retry_in_ms: number; fresh: boolean; reason: string }
  /** The server closed the stream normally and more may follow, as before the first boot or between two. */
  | { state: 'waiting'; attempt: number; retry_in_ms: number; reason: string }
  | { state: 'ended'; reason: string };

export type Happening =
  /** A response started. */
  | { kind: 'opened' }
  /** Lines arrived, so the connection works and the retry backoff resets. */
  | { kind: 'flowing' }
  /** The server closed the stream normally. `over` says why no more lines will follow, if so. */
  | { kind: 'closed'; over: string | null }
  /** The stream or the network broke. */
  | { kind: 'broke' }
  /** The server answered with an error. */
  | { kind: 'refused'; status: number; message: string; over: string | null }
  /** The backoff elapsed, or something changed that justifies an immediate retry. */
  | { kind: 'retry' };

export const firstConnection: Connection = { state: 'connecting', attempt: 0, fresh: false };

const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 15_000];
const pause = (attempt: number) => PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]!;

const again = (attempt: number, reason: string, fresh = false): Connection => ({
  state: 'reconnecting',
  attempt: attempt + 1,
  retry_in_ms: pause(attempt),
  fresh,
  reason,
});

export function nextConnection(now: Connection, happened: Happening): Connection {
  const attempt = now.state === 'ended' ? 0 : now.attempt;
  switch (happened.kind) {
    case 'opened':
      return { state: 'live', attempt };
    case 'flowing':
      return { state: 'live', attempt: 0 };
    case 'closed':
      return happened.over === null
        ? {
            state: 'waiting',
            attempt: attempt + 1,
            retry_in_ms: pause(attempt),
            reason: 'Waiting for the next output.',
          }
        : { state: 'ended', reason: happened.over };
    case 'broke':
      return again(attempt, 'The connection was lost.');
    case 'refused':
      return refused(attempt, now.state === 'connecting' && now.fresh, happened);
    case 'retry': {
      const fresh = now.state === 'reconnecting' ? now.fresh : now.state === 'ended';
      return { state: 'connecting', attempt, fresh };
    }
  }
}

/** @param fresh whether the rejected URL had just been requested */
function refused(
  attempt: number,
  fresh: boolean,
  { status, message, over }: Extract<Happening, { kind: 'refused' }>,
): Connection {
  // Signed URLs expire after an hour, for example while the computer sleeps: its failed attempts to reconnect don't
  // count. Request a new one immediately once, then with backoff.
  if (status === 403)
    return !fresh || attempt < 3
      ? ({
          ...again(attempt, 'The log URL expired. Requesting a new one.', true),
          ...(fresh ? {} : { retry_in_ms: 0 }),
        } as Connection)
      : { state: 'ended', reason: message };
  if (over !== null) return { state: 'ended', reason: over };
  return again(attempt, message, status === 404);
}
