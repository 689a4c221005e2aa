import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Response } from 'express';
import { bodyHash } from '../../../console/lib/ai/aci';
import type { AiRequest } from '../../../generated/api/types.gen';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import { insertAiRequest } from '../../db/ai/aiRequests';
import type { Aci, ReceiptEvent } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import type { ServedModel } from '../../domain/ai/models';
import { costPicos, NO_USAGE } from '../../domain/ai/usage';
import { publicId } from '../../domain/core/publicId';
import type { AiReply } from '../../drivers/ai';
import type { Services } from '../../operations/types';
import type { AiLimits } from './limits';

/** Status of a request whose client left before the answer began; used by proxies, and never sent. */
const CLIENT_LEFT = 499;

interface Asked {
  id: string;
  key: LiveAiKey;
  model: ServedModel;
  endpoint: AiRequest['endpoint'];
  is_streamed: boolean;
  /** The request's bytes as they came. */
  body: Buffer;
  /** Why the prompt may not be used. */
  refusal: AiError | null;
  complete: (signal: AbortSignal) => Promise<AiReply>;
}

type Parts = Pick<Services, 'db' | 'log'> & { limits: AiLimits; aci: Aci };

/**
 * Passes an answer's bytes on unchanged, as fast as the client reads them, and records the request with a signed receipt.
 * The last bytes are held back until the record is stored, so a client that has its whole answer finds its receipt and is in
 * the usage.
 * @throws {AiError} as long as nothing was sent
 */
export async function answer(parts: Parts, res: Response, asked: Asked): Promise<void> {
  const began = performance.now();
  const aborted = new AbortController();
  res.once('close', () => aborted.abort());
  if (res.closed) aborted.abort();
  const receipt_id = publicId('rcpt');
  res.setHeader('X-Receipt-Id', receipt_id);
  const returned = createHash('sha256');
  let reply: AiReply | undefined;
  let first_token_ms: number | null = null;

  const record = async (outcome: AiRequest['outcome'], status: number): Promise<void> => {
    const usage = reply?.usage() ?? NO_USAGE;
    const received = bodyHash(asked.body);
    const event_log: ReceiptEvent[] = [
      { type: 'request.received', body_hash: received },
      ...(reply ? [{ type: 'request.forwarded' as const, body_hash: received }] : []),
      { type: 'response.returned', body_hash: `sha256:${returned.digest('hex')}` },
    ];
    await insertAiRequest(parts.db, {
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
      receipt_id,
      receipt: JSON.stringify(
        parts.aci.receipt({
          receipt_id,
          chat_id: asked.id,
          model: asked.model.id,
          endpoint: `/v1/${asked.endpoint.replace('.', '/')}`,
          served_at: new Date(),
          event_log,
        }),
      ),
    });
    await parts.limits.countTokens(asked.key, usage.input_tokens + usage.output_tokens);
  };

  try {
    if (asked.refusal) throw asked.refusal;
    reply = await asked.complete(aborted.signal);
    res.status(reply.status).setHeader('Content-Type', reply.content_type);
    let held: Uint8Array | undefined;
    for await (const bytes of reply.body) {
      first_token_ms ??= Math.round(performance.now() - began);
      if (held) {
        await send(res, held, aborted.signal);
        returned.update(held);
      }
      held = bytes;
    }
    returned.update(held ?? '');
    await record('completed', reply.status);
    res.end(held);
  } catch (error) {
    const known = error instanceof AiError ? error : null;
    if (known && !res.headersSent) returned.update(known.bytes);
    const outcome = aborted.signal.aborted ? 'aborted' : 'failed';
    const status = known?.status ?? reply?.status ?? (aborted.signal.aborted ? CLIENT_LEFT : 500);
    // What failed is also stored if possible, but it is the first error that counts.
    await record(outcome, status).catch((failure: unknown) =>
      parts.log.error({ err: failure }, 'an AI request could not be recorded'),
    );
    if (aborted.signal.aborted) return;
    if (!res.headersSent) throw error;
    parts.log.error({ err: error }, 'an AI answer broke off');
    // Without an end, so that the client sees that something is missing.
    res.destroy();
  }
}

/** Waits while the client reads slowly, so that an answer doesn't pile up in memory. */
async function send(res: Response, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!res.write(bytes)) await once(res, 'drain', { signal });
}
