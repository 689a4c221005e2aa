import type { Request, Response } from 'express';
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OperationSpec } from '../../generated/api/operations.gen';
import { Problem } from '../domain/problem';
import { concerns, type AccessSubject } from '../db/access';
import type { Caller } from '../domain/caller';
import type { Context, Services, StreamReader } from '../operations/types';
import { authorise, identify, teamInPath } from './auth';

/** How long a stream may take to end by itself when the process drains. */
const DRAIN_MS = 500;
/** A reader who takes nothing for so long is cut: what waits for it takes memory and the host's connection. */
const STALL_MS = 60_000;
/** A net under the notices: how long what they do not tell may go on, such as a token that expires. */
const RECHECK_MS = 30_000;

interface Stream {
  services: Services;
  spec: OperationSpec;
  req: Request;
  res: Response;
  ctx: Context;
  /** Aborted when the process drains. */
  draining?: AbortSignal;
  /** By whose right it is read, when that is not the caller's. */
  reader?: StreamReader | undefined;
  recheck_ms?: number;
  stall_ms?: number;
}

/** Writes a stream at its reader's pace until it ends, the reader leaves or loses the right to read, or we drain. */
export async function sendStream(
  stream: Stream,
  type: string,
  source: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { req, res, ctx } = stream;
  res.status(200).setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Accel-Buffering', 'no');
  // Nobody reads the body of a HEAD, so nothing would ever end it.
  if (req.method === 'HEAD') return void res.end();
  res.flushHeaders();
  const leave = watch(stream);
  // pipeline honours the reader's pace: a slow client slows its source down, nothing piles up here.
  await pipeline(Readable.from(source, { objectMode: true, highWaterMark: 16 }), res, { signal: ctx.signal })
    .catch((error: unknown) => {
      if (!ctx.signal.aborted && !res.destroyed) throw error;
    })
    .finally(leave);
}

/**
 * A stream outlives the check at its beginning: who signed out, was removed or lost a role or token is cut off as soon
 * as any process wrote that down, and so is what does not end by itself when the process drains. Cut, not ended: a
 * reader of logs takes an end for the end of the log, and connects again after a break.
 */
function watch(stream: Stream): () => void {
  const { services, ctx, res, draining, reader, recheck_ms = RECHECK_MS } = stream;
  // One for each open stream, and there are hundreds.
  if (draining) setMaxListeners(0, draining);
  const subject = reader?.subject ?? subjectOf(ctx.caller);
  const cut = () => void res.destroy();
  let asking = false;
  let again = false;
  const check = async () => {
    again = asking;
    if (asking) return;
    asking = true;
    do {
      again = false;
      if (!(await stillAllowed(stream))) return cut();
    } while (again);
    asking = false;
  };
  const unsubscribe = services.events.onAccess((change) => {
    if (concerns(change, subject)) void check();
  });
  const stall = setInterval(stalled(stream, cut), (stream.stall_ms ?? STALL_MS) / 4);
  const recheck = setInterval(() => void check(), recheck_ms);
  // What changed between the first check and the subscription was told to nobody here.
  void check();
  // Nobody writes anything down when the time of looking as somebody is over.
  const until = ctx.caller.view_as?.expires_at.getTime();
  const over = until === undefined ? undefined : setTimeout(() => void check(), until - Date.now() + 50);
  let last: NodeJS.Timeout | undefined;
  const drain = () => (last = setTimeout(cut, DRAIN_MS));
  if (draining?.aborted) drain();
  else draining?.addEventListener('abort', drain, { once: true });
  return () => {
    unsubscribe();
    clearInterval(recheck);
    clearInterval(stall);
    clearTimeout(last);
    clearTimeout(over);
    draining?.removeEventListener('abort', drain);
  };
}

/**
 * To be called now and then; cuts once nothing has gone out for long although something waits to. What was not read is
 * not lost: who reads again connects again, and is sent it, or told of the gap.
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
        'a stream was cut: its reader takes nothing',
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
    authorise(spec, { caller });
    return (
      caller.user?.id === ctx.caller.user?.id &&
      caller.team?.id === ctx.caller.team?.id &&
      (caller.view_as === null) === (ctx.caller.view_as === null)
    );
  } catch (error) {
    // A database that is away for a moment takes nobody's right.
    return !(error instanceof Problem);
  }
}
