import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import type { Response } from 'express';
import type { AiRequest } from '../../../generated/api/types.gen';
import { isStreamed, pathOf, type ModelRequest } from '../../domain/ai/modelRequest';
import type { Aci, ReceiptEvent } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { costPicos, NO_USAGE } from '../../domain/ai/usage';
import { withinBounds } from '../../domain/ai/worstCase';
import { publicId } from '../../domain/core/publicId';
import { UpstreamFailure, type AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';
import type { Protection } from './e2ee';
import { unexpected } from './errors';
import type { Priced } from './hold';
import type { KeyWatch } from './keyWatch';
import type { Serving } from './route';
import type { Settle } from './settlement';

/** Status of a request whose client left before the answer began; used by proxies, and never sent. */
const CLIENT_LEFT = 499;

/** Longest answer, however slowly it is read: shorter than a hold's lifetime. */
const MAX_MS = 3_600_000;

/** Shared: its stack is useless and costs as much as a hash. */
const CLOSED = new DOMException('The response was closed', 'AbortError');

interface Asked extends Priced {
  request: ModelRequest;
  /** The request's bytes as received. */
  body: Buffer;
  /** Set if the prompt may not be used. */
  refusal: AiError | null;
  serving: Serving;
  /** Applied to every byte from the model server before it is sent. */
  protection: Protection | null;
}

type Parts = Pick<Services, 'log'> & {
  aci: Aci;
  /** Holds the request's maximum cost. @throws {AiError} 402 */
  hold: (request: Priced) => Promise<void>;
  settle: Settle;
  watchKey: KeyWatch;
};

/**
 * Passes an answer's bytes on unchanged, as fast as the client reads them, and records the request with a signed receipt.
 * The last bytes are held back until the record is stored, so that a client with a complete answer finds its
 * receipt and usage. The maximum cost is held before the request is forwarded, and released by the record.
 * @throws {AiError} unless something was already sent
 */
export async function answer(parts: Parts, res: Response, asked: Asked): Promise<void> {
  const began = performance.now();
  // One controller for all reasons: combined signals are slow to create.
  const unwanted = new AbortController();
  const { signal } = unwanted;
  const deadline = setTimeout(() => res.destroy(), MAX_MS).unref();
  const stopWatch = parts.watchKey(asked.key, unwanted);
  let isClosed = res.closed;
  const close = () => {
    isClosed = true;
    clearTimeout(deadline);
    stopWatch();
    unwanted.abort(CLOSED);
  };
  res.once('close', close);
  // Closed before the listener was added.
  if (isClosed) close();
  const receipt_id = publicId('rcpt');
  res.setHeader('X-Receipt-Id', receipt_id);
  const returned = createHash('sha256');
  let reply: AiReply | undefined;
  let first_token_ms: number | null = null;

  /** @param last bytes to send once the record is stored */
  const record = async (
    outcome: AiRequest['outcome'],
    status: number,
    last: Uint8Array | null,
  ): Promise<void> => {
    const counted = reply?.usage() ?? { ...NO_USAGE, is_estimated: false };
    const usage = withinBounds(counted, asked.bounds);
    const id = reply?.id() ?? asked.id;
    // A copy: if storing fails, these bytes aren't sent, and the failure record hashes others.
    const sent = returned.copy();
    if (last) sent.update(last);
    await parts.settle({
      ...usage,
      hold_id: asked.id,
      is_estimated: counted.is_estimated,
      public_id: id,
      team_id: asked.key.team_id,
      key_id: asked.key.id,
      model: asked.model.id,
      endpoint: asked.request.endpoint,
      upstream_id: asked.serving.forwarded()?.upstream_id ?? null,
      status,
      outcome,
      is_streamed: isStreamed(asked.request),
      first_token_ms,
      duration_ms: Math.round(performance.now() - began),
      cost_picos: costPicos(usage, asked.model.prices),
      receipt_id,
      receipt: parts.aci.receipt({
        receipt_id,
        chat_id: id,
        model: asked.model.id,
        endpoint: pathOf(asked.request.endpoint),
        served_at: new Date(),
        event_log: eventsOf(asked, `sha256:${sent.digest('hex')}`),
      }),
    });
  };

  try {
    if (asked.refusal) throw asked.refusal;
    await parts.hold(asked);
    reply = await completed(asked, signal);
    res.set(asked.protection?.headers ?? {});
    res.status(reply.status).setHeader('Content-Type', reply.content_type);
    for await (const bytes of reply.body) {
      first_token_ms ??= Math.round(performance.now() - began);
      signal.throwIfAborted();
      // Waits for a slow client, so that the answer doesn't pile up in memory.
      if (!res.write(bytes)) await once(res, 'drain', { signal });
      returned.update(bytes);
    }
    first_token_ms ??= Math.round(performance.now() - began);
    const end = reply.end();
    await record('completed', reply.status, end);
    res.end(end);
  } catch (error) {
    const keyEnded = signal.reason instanceof AiError;
    const known = errorFor(keyEnded ? signal.reason : error);
    // Tells clients of event streams why the answer is incomplete.
    const last =
      res.headersSent && isEventStream(reply) ? Buffer.from(`data: ${known.bytes.toString()}\n\n`) : null;
    // Captured now: the client may still leave while the record is stored.
    const hasLeft = isClosed;
    // The model server isn't at fault for either.
    const outcome = hasLeft || keyEnded ? 'aborted' : 'failed';
    const status = hasLeft ? (reply?.status ?? CLIENT_LEFT) : res.headersSent ? res.statusCode : known.status;
    // Stores the failure if possible, but reports the first error.
    await record(outcome, status, hasLeft ? null : (last ?? (res.headersSent ? null : known.bytes))).catch(
      (failure: unknown) => parts.log.error({ err: failure }, "couldn't record an AI request"),
    );
    if (isClosed) return;
    if (!res.headersSent) throw known;
    if (!keyEnded) parts.log.error({ err: error }, 'an AI response ended early');
    if (last) res.end(last);
    // No orderly end, so that the client notices the missing part.
    else res.destroy();
  }
}

async function completed({ serving, protection }: Asked, signal: AbortSignal): Promise<AiReply> {
  if (!protection) return serving.complete(signal);
  const reply = await serving.complete(signal).catch((error: unknown) => {
    throw protection.withoutQuotes(error);
  });
  return protection.seal(reply);
}

function bodyHash(parts: readonly Buffer[]): string {
  if (parts.length === 1 && parts[0]) return `sha256:${hash('sha256', parts[0], 'hex')}`;
  const all = createHash('sha256');
  for (const part of parts) all.update(part);
  return `sha256:${all.digest('hex')}`;
}

/** Returns a request's receipt events, with hashes of its bytes. */
function eventsOf({ body, model, refusal, serving }: Asked, returned: string): ReceiptEvent[] {
  const forwarded = serving.forwarded();
  const received = bodyHash([body]);
  // Usually the same bytes, so avoid hashing large bodies twice.
  const isSame = forwarded?.body.length === 1 && forwarded.body[0] === body;
  return [
    { type: 'request.received', body_hash: received },
    ...(forwarded
      ? [{ type: 'request.forwarded' as const, body_hash: isSame ? received : bodyHash(forwarded.body) }]
      : []),
    {
      type: 'upstream.verified',
      result: 'failed',
      required: refusal !== null,
      model_id: forwarded?.model ?? model.id,
      reason: 'This gateway has no evidence of the model server.',
    },
    { type: 'response.returned', body_hash: returned },
  ];
}

/** Returns the error that the client sees. */
function errorFor(error: unknown): AiError {
  if (error instanceof AiError) return error;
  return error instanceof UpstreamFailure ? error.answer : unexpected(error);
}

const isEventStream = (reply: AiReply | undefined) =>
  reply?.content_type.startsWith('text/event-stream') === true;
