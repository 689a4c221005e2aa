import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { claimE2eeNonce } from '../../db/ai/e2eeNonces';
import type { Aci } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { E2EE_VERSION, e2eeError, readChannel, type Channel } from '../../domain/ai/e2ee/channel';
import { openRequest, sealAnswer } from '../../domain/ai/e2ee/fields';
import type { Endpoint } from '../../domain/ai/modelRequest';
import { parseRequest } from '../../domain/ai/requestBody';
import { sseEvents } from '../../domain/ai/sseEvents';
import type { AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';

/** Bytes of an event: the drivers allow no longer ones. */
const MAX_EVENT = 2 * 1024 * 1024;

/** How an answer leaves this server, and nothing of it in clear. */
export interface Protection {
  /** Of the response. */
  headers: Readonly<Record<string, string>>;
  /** Encrypts what the model generates. */
  seal(reply: AiReply): AiReply;
  /** Returns an error without a model server's own words, which may quote the prompt. */
  withoutQuotes(error: unknown): unknown;
}

/** What a request says in clear, and how it is answered; null if it isn't encrypted. */
interface Opened {
  body: Buffer;
  protection: Protection | null;
}

/** @param check refuses models that can't be used, before anything costs time */
export type OpenBody = (
  req: Request,
  res: Response,
  endpoint: Endpoint,
  body: Buffer,
  check: (model: string) => Promise<void>,
) => Promise<Opened>;

/** Decrypts requests that are encrypted by E2EE v2, once each; others pass as they are. */
export const createE2ee =
  ({ db }: Pick<Services, 'db'>, aci: Aci): OpenBody =>
  async (req, res, endpoint, body, check) => {
    const channel = readChannel((name) => req.get(name), aci.e2eeKeys, new Date());
    if (!channel) return { body, protection: null };
    // The official clients repeat a request with the same headers, which is refused as a replay.
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

/** Null if the body will be refused for it. */
function modelIn(body: Buffer): string | null {
  const given = parseRequest(body) as { model?: unknown } | null;
  return typeof given?.model === 'string' ? given.model : null;
}

/** Without the client's key, which nothing in the request is bound to: with another one it would be answered again. */
const replayHash = ({ key, nonce }: Channel) =>
  createHash('sha256').update(key.pair.public_key).update(Buffer.from(nonce, 'hex')).digest();

function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof AiError) || error.status >= 500) return error;
  return new AiError(error.status, error.type, null, 'The model server refused the request.', {
    cause: error,
  });
}

const isDone = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').trim() === 'data: [DONE]';

/** Seals when an answer is passed on, so that one which can't be sealed is charged like any other. */
function sealReply(channel: Channel, model: string, reply: AiReply): AiReply {
  const sealed = (json: string) => JSON.stringify(sealAnswer(channel, model, JSON.parse(json)));
  if (!/^text\/event-stream\b/i.test(reply.content_type))
    return { ...reply, end: () => Buffer.from(sealed(Buffer.from(reply.end()).toString('utf8'))) };
  async function* body() {
    // What has no data, such as comments, could say anything.
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
