import type { Request, Response } from 'express';
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OperationSpec } from '../../generated/api/operations.gen';
import { Problem } from '../domain/core/problem';
import { concerns, type AccessSubject } from '../db/teams/access';
import type { Caller } from '../domain/core/caller';
import type { Context, Services, StreamReader } from '../operations/types';
import { authorize, identify, teamInPath } from './auth';

/** Grace period for a stream to end when the process drains or its reader loses access. */
const DRAIN_MS = 500;
/** A reader that stops reading for this long is disconnected: its buffer holds memory and the host's connection. */
const STALL_MS = 60_000;
/** Fallback for changes without a notice, such as an expiring token: such a stream may stay open this long. */
const RECHECK_MS = 30_000;

interface Stream {
  services: Services;
  spec: OperationSpec;
  req: Request;
  res: Response;
  ctx: Context;
  /** Aborted when the process drains. */
  draining?: AbortSignal;
  /** Whose access the stream depends on, if not the caller's. */
  reader?: StreamReader | undefined;
  /** Cuts the connection when the reader's time is up. */
  until?: AbortSignal | undefined;
  recheck_ms?: number;
  stall_ms?: number;
}

/** Writes a stream at its reader's pace until it ends, the reader leaves or loses access, or the process drains. */
export async function sendStream(
  stream: Stream,
  type: string,
  source: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { req, res, ctx, until } = stream;
  res.status(200).setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Accel-Buffering', 'no');
  // Nothing reads a HEAD's body, so the stream would never end.
  if (req.method === 'HEAD') return void res.end();
  res.flushHeaders();
  const cut = () => void res.destroy();
  const over = new AbortController();
  // Browsers log a broken event stream as an error, and reconnect after an orderly end as well.
  const isEvents = type.startsWith('text/event-stream');
  const leave = watch(stream, cut, isEvents ? () => over.abort() : cut);
  const signal = until ? AbortSignal.any([ctx.signal, until]) : ctx.signal;
  // pipeline applies backpressure: a slow client slows its source, and nothing piles up here.
  await pipeline(
    Readable.from(isEvents ? untilAborted(source, over.signal) : source, {
      objectMode: true,
      highWaterMark: 16,
    }),
    res,
    { signal },
  )
    .catch((error: unknown) => {
      if (!ctx.signal.aborted && !res.destroyed) throw error;
    })
    .finally(leave);
}

/** Yields the source's chunks until the signal, which also ends a wait for the next chunk. */
async function* untilAborted<Part>(source: AsyncIterable<Part>, signal: AbortSignal): AsyncGenerator<Part> {
  const parts = source[Symbol.asyncIterator]();
  let stop: (() => void) | undefined;
  signal.addEventListener('abort', () => stop?.(), { once: true });
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Part> | null>((resolve, reject) => {
        stop = () => resolve(null);
        parts.next().then(resolve, reject);
      });
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: the source may be waiting, and ends when the response has closed.
    void Promise.resolve(parts.return?.()).catch(() => undefined);
  }
}

/**
 * A stream outlives its initial check. A user who signs out, is removed or loses a role or token is disconnected as
 * soon as any process records that; endless streams also stop when the process drains. The connection of a log is
 * cut, not ended: its reader treats an end as the end of the log, and reconnects after a break.
 * @param cut cuts the connection
 * @param finish ends the stream in the way its readers expect
 */
function watch(stream: Stream, cut: () => void, finish: () => void): () => void {
  const { services, ctx, draining, reader, recheck_ms = RECHECK_MS } = stream;
  // One per open stream, and there are hundreds.
  if (draining) setMaxListeners(0, draining);
  const subject = reader?.subject ?? subjectOf(ctx.caller);
  let last: NodeJS.Timeout | undefined;
  // Cut anyway if buffered data isn't read.
  const end = () => {
    finish();
    last ??= setTimeout(cut, DRAIN_MS);
  };
  let asking = false;
  let again = false;
  const check = async () => {
    again = asking;
    if (asking) return;
    asking = true;
    do {
      again = false;
      if (!(await stillAllowed(stream))) return end();
    } while (again);
    asking = false;
  };
  const unsubscribe = services.events.onAccess((change) => {
    if (concerns(change, subject)) void check();
  });
  const stall = setInterval(stalled(stream, cut), (stream.stall_ms ?? STALL_MS) / 4);
  const recheck = setInterval(() => void check(), recheck_ms);
  // Changes between the initial check and the subscription sent no notice here.
  void check();
  // No row changes when a view-as session expires.
  const until = ctx.caller.view_as?.expires_at.getTime();
  const over = until === undefined ? undefined : setTimeout(() => void check(), until - Date.now() + 50);
  let drained: NodeJS.Timeout | undefined;
  const drain = () => (drained = setTimeout(end, DRAIN_MS));
  if (draining?.aborted) drain();
  else draining?.addEventListener('abort', drain, { once: true });
  return () => {
    unsubscribe();
    clearInterval(recheck);
    clearInterval(stall);
    clearTimeout(last);
    clearTimeout(drained);
    clearTimeout(over);
    draining?.removeEventListener('abort', drain);
  };
}

/**
 * Returns a function to call periodically. It disconnects a reader that hasn't read pending data for a long time.
 * Nothing is lost: a client that reconnects receives the rest, or is notified of the gap.
 */
function stalled({ res, ctx, spec, stall_ms = STALL_MS }: Stream, cut: () => void): () => void {
  let written = -1;
  let since = Date.now();
  return () => {
    const now = res.socket?.bytesWritten ?? 0;
    if (!res.writableNeedDrain || now !== written) {
      written = now;
      since = Date.now();
    } else if (Date.now() - since >= stall_ms) {
      ctx.log.info(
        { path: spec.path, waiting: res.writableLength },
        'stream closed: the client is not reading',
      );
      cut();
    }
  };
}

const subjectOf = ({ user, team, token_id, session, view_as }: Caller): AccessSubject => ({
  user_id: user?.id ?? null,
  team_id: team?.id ?? null,
  token_id,
  session_id: session?.id ?? null,
  staff_user_id: view_as?.staff.id ?? null,
});

async function stillAllowed({ services, spec, req, ctx, reader }: Stream): Promise<boolean> {
  try {
    if (reader) return await reader.stillAllowed();
    const { caller } = await identify(services, req, teamInPath(spec, req));
    authorize(spec, { caller, config: services.config });
    return (
      caller.user?.id === ctx.caller.user?.id &&
      caller.team?.id === ctx.caller.team?.id &&
      (caller.view_as === null) === (ctx.caller.view_as === null)
    );
  } catch (error) {
    // A brief database outage revokes no access.
    return !(error instanceof Problem);
  }
}
