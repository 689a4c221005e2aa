import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { claimE2eeNonce } from '../../db/ai/e2eeNonces';
import type { Aci } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { E2EE_VERSION, e2eeError, readChannel, type Channel } from '../../domain/ai/e2ee/channel';
import { openRequest, sealAnswer } from '../../domain/ai/e2ee/fields';
import type { Endpoint } from '../../domain/ai/modelRequest';
import { sseEvents } from '../../domain/ai/sseEvents';
import type { AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';
import type { Serving } from './route';

/** Bytes of an event: the drivers allow no longer ones. */
const MAX_EVENT = 2 * 1024 * 1024;

/** What a request says in clear, and how it is answered. */
interface Opened {
  body: Buffer;
  /** Encrypts what the model generates. */
  sealed(serving: Serving): Serving;
}

export type OpenBody = (req: Request, res: Response, endpoint: Endpoint, body: Buffer) => Promise<Opened>;

/** Decrypts requests that are encrypted by E2EE v2, once each; others pass as they are. */
export const createE2ee =
  ({ db }: Pick<Services, 'db'>, aci: Aci): OpenBody =>
  async (req, res, endpoint, body) => {
    const channel = readChannel((name) => req.get(name), aci.e2eeKeys, new Date());
    if (!channel) return { body, sealed: (serving) => serving };
    if (!(await claimE2eeNonce(db, replayHash(channel))))
      throw e2eeError(
        'e2ee_replay_detected',
        'This X-E2EE-Nonce was used before. Use a new one for each request.',
      );
    const { body: opened, model } = openRequest(channel, endpoint, body);
    return {
      body: opened,
      sealed: (serving) => ({
        forwarded: serving.forwarded,
        async complete(signal) {
          const reply = sealReply(channel, model, await serving.complete(signal).catch(withoutQuotes));
          res.set({
            'X-E2EE-Applied': 'true',
            'X-E2EE-Version': E2EE_VERSION,
            'X-E2EE-Algo': channel.key.suite.algo,
          });
          return reply;
        },
      }),
    };
  };

const replayHash = ({ client_key, key, nonce }: Channel) =>
  createHash('sha256')
    .update(client_key)
    .update(key.pair.public_key)
    .update(Buffer.from(nonce, 'hex'))
    .digest();

/** A model server's own words about a request may quote the prompt, which must not be sent in clear. */
function withoutQuotes(error: unknown): never {
  if (!(error instanceof AiError) || error.status >= 500) throw error;
  throw new AiError(error.status, error.type, null, 'The model server refused the request.', {
    cause: error,
  });
}

function sealReply(channel: Channel, model: string, reply: AiReply): AiReply {
  const sealed = (json: string) => JSON.stringify(sealAnswer(channel, model, JSON.parse(json)));
  if (!reply.content_type.startsWith('text/event-stream')) {
    const end = Buffer.from(sealed(Buffer.from(reply.end()).toString('utf8')));
    return { ...reply, end: () => end };
  }
  async function* body() {
    for await (const { bytes, data } of sseEvents(reply.body, MAX_EVENT))
      yield data === null || data === '[DONE]' ? bytes : Buffer.from(`data: ${sealed(data)}\n\n`);
  }
  return { ...reply, body: body() };
}
