import { once } from 'node:events';
import type { Response } from 'express';
import type { AiRequest } from '../../../generated/api/types.gen';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import { insertAiRequest } from '../../db/ai/aiRequests';
import { AiError } from '../../domain/ai/aiError';
import type { ServedModel } from '../../domain/ai/models';
import { costPicos, NO_USAGE } from '../../domain/ai/usage';
import type { AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';
import type { AiLimits } from './limits';

interface Answered {
  id: string;
  key: LiveAiKey;
  model: ServedModel;
  endpoint: AiRequest['endpoint'];
  is_streamed: boolean;
  complete: (signal: AbortSignal) => Promise<AiReply>;
}

/**
 * Passes an answer's bytes on unchanged, as fast as the client reads them, and records the request. The last bytes are
 * held back until the record is stored, so a client that has its whole answer is in the usage.
 * @throws {AiError} as long as nothing was sent
 */
export async function answer(
  { db, log }: Pick<Services, 'db' | 'log'>,
  limits: AiLimits,
  res: Response,
  asked: Answered,
): Promise<void> {
  const began = performance.now();
  const aborted = new AbortController();
  res.once('close', () => aborted.abort());
  let reply: AiReply | undefined;
  let first_token_ms: number | null = null;

  const record = async (outcome: AiRequest['outcome'], status: number): Promise<void> => {
    const usage = reply?.usage() ?? NO_USAGE;
    await insertAiRequest(db, {
      ...usage,
      public_id: asked.id,
      team_id: asked.key.team_id,
      key_id: asked.key.id,
      model: asked.model.id,
      endpoint: asked.endpoint,
      status,
      outcome,
      is_streamed: asked.is_streamed,
      first_token_ms,
      duration_ms: Math.round(performance.now() - began),
      cost_picos: costPicos(usage, asked.model.prices),
    });
    await limits.countTokens(asked.key, usage.input_tokens + usage.output_tokens);
  };

  try {
    reply = await asked.complete(aborted.signal);
    res.status(reply.status).setHeader('Content-Type', reply.content_type);
    let held: Uint8Array | undefined;
    for await (const bytes of reply.body) {
      first_token_ms ??= Math.round(performance.now() - began);
      if (held) await send(res, held, aborted.signal);
      held = bytes;
    }
    await record('completed', reply.status);
    res.end(held);
  } catch (error) {
    const outcome = aborted.signal.aborted ? 'aborted' : 'failed';
    const status = error instanceof AiError ? error.status : (reply?.status ?? 500);
    // What failed is also stored if possible, but it is the first error that counts.
    await record(outcome, status).catch((failure: unknown) =>
      log.error({ err: failure }, 'an AI request could not be recorded'),
    );
    if (aborted.signal.aborted) return;
    if (!res.headersSent) throw error;
    log.error({ err: error }, 'an AI answer broke off');
    // Without an end, so that the client sees that something is missing.
    res.destroy();
  }
}

/** Waits while the client reads slowly, so that an answer doesn't pile up in memory. */
async function send(res: Response, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!res.write(bytes)) await once(res, 'drain', { signal });
}
