// The life of a log's connection as a pure function: what happened → what to show and when to try again.

export type Connection =
  | { state: 'connecting'; attempt: number; fresh: boolean; reason?: string }
  | { state: 'live'; attempt: number }
  | { state: 'reconnecting'; attempt: number; retry_in_ms: number; fresh: boolean; reason: string }
  | { state: 'ended'; reason: string };

export type Happening =
  /** An answer began. */
  | { kind: 'opened' }
  /** Lines came: the connection is worth something, so the next break starts counting anew. */
  | { kind: 'flowing' }
  /** The server closed the stream in good order. `over` says why nothing more is to come, if so. */
  | { kind: 'closed'; over: string | null }
  /** The stream or the network broke. */
  | { kind: 'broke' }
  /** The server answered with an error. */
  | { kind: 'refused'; status: number; message: string; over: string | null }
  /** The pause is over, or something changed that makes it worth trying at once. */
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
        ? again(attempt, 'The log ended; waiting for it to go on.')
        : { state: 'ended', reason: happened.over };
    case 'broke':
      return again(attempt, 'The connection broke.');
    case 'refused':
      return refused(attempt, happened);
    case 'retry': {
      const fresh = now.state === 'reconnecting' ? now.fresh : now.state === 'ended';
      return { state: 'connecting', attempt, fresh };
    }
  }
}

function refused(
  attempt: number,
  { status, message, over }: Extract<Happening, { kind: 'refused' }>,
): Connection {
  // A signed address lives an hour: a new one is asked for, once at once, then ever more slowly.
  if (status === 403)
    return attempt < 3
      ? ({
          ...again(attempt, 'The log address had expired; asking for a new one.', true),
          ...(attempt === 0 ? { retry_in_ms: 0 } : {}),
        } as Connection)
      : { state: 'ended', reason: message };
  if (over !== null) return { state: 'ended', reason: over };
  return again(attempt, message, status === 404);
}
