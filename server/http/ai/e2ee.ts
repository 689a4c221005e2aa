import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { claimE2eeNonce } from '../../db/ai/e2eeNonces';
import type { Aci } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { E2EE_VERSION, e2eeError, readChannel, type Channel } from '../../domain/ai/e2ee/channel';
import { openRequest, sealAnswer } from '../../domain/ai/e2ee/fields';
import { MAX_MODEL_NAME, type Endpoint } from '../../domain/ai/modelRequest';
import { parseRequest } from '../../domain/ai/requestBody';
import { sseEvents } from '../../domain/core/streams/sseEvents';
import type { AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';

/** Maximum bytes of an event, as in the drivers. */
const MAX_EVENT = 2 * 1024 * 1024;

/** Protects an answer so that nothing leaves this server in plaintext. */
export interface Protection {
  /** Response headers. */
  headers: Readonly<Record<string, string>>;
  /** Encrypts the model's output. */
  seal(reply: AiReply): AiReply;
  /** Returns an error without a model server's own words, which may quote the prompt. */
  withoutQuotes(error: unknown): unknown;
}

/** A request in plaintext, and the protection of its answer; null if it isn't encrypted. */
interface Opened {
  body: Buffer;
  protection: Protection | null;
}

/** @param check rejects unusable models before expensive work */
export type OpenBody = (
  req: Request,
  res: Response,
  endpoint: Endpoint,
  body: Buffer,
  check: (model: string) => Promise<void>,
) => Promise<Opened>;

/** Decrypts E2EE v2 requests, once each; passes others unchanged. */
export const createE2ee =
  ({ db }: Pick<Services, 'db'>, aci: Aci): OpenBody =>
  async (req, res, endpoint, body, check) => {
    const channel = readChannel((name) => req.get(name), aci.e2eeKeys, new Date());
    if (!channel) return { body, protection: null };
    // Official clients retry with the same headers, which is refused as a replay.
    res.setHeader('X-Should-Retry', 'false');
    const named = modelIn(body);
    if (named !== null) await check(named);
    const { body: opened, model } = await openRequest(channel, endpoint, body);
    if (!(await claimE2eeNonce(db, replayHash(channel))))
      throw e2eeError(
        'e2ee_replay_detected',
        'This X-E2EE-Nonce was used before. Use a new one for each request.',
      );
    return {
      body: opened,
      protection: {
        headers: {
          'X-E2EE-Applied': 'true',
          'X-E2EE-Version': E2EE_VERSION,
          'X-E2EE-Algo': channel.key.suite.algo,
        },
        seal: (reply) => sealReply(channel, model, reply),
        withoutQuotes,
      },
    };
  };

/** Null if the body will be rejected for lacking one. */
function modelIn(body: Buffer): string | null {
  const { model } = (parseRequest(body) ?? {}) as { model?: unknown };
  return typeof model === 'string' && model.length <= MAX_MODEL_NAME ? model : null;
}

/**
 * Excludes the client's key, which the request isn't bound to: otherwise a replay with another key would be
 * answered.
 */
const replayHash = ({ key, nonce }: Channel) =>
  createHash('sha256').update(key.pair.public_key).update(Buffer.from(nonce, 'hex')).digest();

function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof AiError) || error.status >= 500) return error;
  return new AiError(error.status, error.type, null, 'The model server refused the request.', {
    cause: error,
  });
}

const isDone = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').trim() === 'data: [DONE]';

/** Seals while forwarding, so that an answer that can't be sealed is still charged. */
function sealReply(channel: Channel, model: string, reply: AiReply): AiReply {
  const sealed = (json: string) => JSON.stringify(sealAnswer(channel, model, JSON.parse(json)));
  if (!/^text\/event-stream\b/i.test(reply.content_type))
    return { ...reply, end: () => Buffer.from(sealed(Buffer.from(reply.end()).toString('utf8'))) };
  async function* body() {
    // Events without data, such as comments, could contain plaintext.
    for await (const { data } of sseEvents(reply.body, MAX_EVENT))
      if (data !== null) yield Buffer.from(`data: ${data === '[DONE]' ? data : sealed(data)}\n\n`);
  }
  const end = () => {
    const last = reply.end();
    if (last.byteLength > 0 && !isDone(last)) throw new RangeError('An encrypted stream ends with [DONE].');
    return last;
  };
  return { ...reply, body: body(), end };
}
