import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { expect, it } from 'vitest';
import type { EndedRequest } from '../../db/ai/aiRequests';
import { createAci } from '../../domain/ai/aci';
import type { AiError } from '../../domain/ai/aiError';
import { parseModelRequest } from '../../domain/ai/modelRequest';
import { ECHO } from '../../domain/ai/models';
import { tokenBounds } from '../../domain/ai/worstCase';
import { echoUpstream } from '../../drivers/ai/echo';
import { createLogger } from '../../log';
import { answer } from './answer';

const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const sign = (purpose: string, text: string) =>
  createHmac('sha256', purpose).update(text).digest('base64url');

interface Receipt {
  event_log: { type: string; body_hash?: string }[];
}

/** Answers a request with the built-in model. @param settle stores the record, or fails */
async function answered(stream: boolean, settle: (ended: EndedRequest) => Promise<void>) {
  const body = Buffer.from(
    JSON.stringify({ model: ECHO.id, stream, messages: [{ role: 'user', content: 'Hello, world!' }] }),
  );
  const request = parseModelRequest('chat.completions', body);
  const call = { id: 'chatcmpl-1', request, body: [body], adds_usage: false, keep: () => undefined };
  const parts = {
    log: createLogger('silent'),
    aci: createAci({ sign, accepted: (...given) => [sign(...given)] }),
    hold: async () => undefined,
    settle,
    watchKey: () => () => undefined,
  };
  const app = express();
  app.post('/', async (_req, res) => {
    await answer(parts, res, {
      id: call.id,
      key: {
        id: 1,
        team_id: 1,
        team_slug: 'team',
        models: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        minute_requests: null,
        minute_tokens: null,
        budget_micros: null,
        budget_period: 'month',
        stale_use: false,
        is_enabled: true,
        has_used_up_budget: false,
        catalog_version: 1,
      },
      model: ECHO,
      request,
      bounds: tokenBounds(request, body.length, ECHO.context_length),
      body,
      refusal: null,
      serving: {
        complete: (signal) => echoUpstream.complete({ ...call, signal }),
        forwarded: () => ({ body: [body], model: ECHO.id, upstream_id: null }),
      },
      protection: null,
    });
  });
  const failed: ErrorRequestHandler = (error: AiError, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(error.status).send(error.bytes);
  };
  app.use(failed);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
  } finally {
    server.close();
  }
}

const returned = (ended: EndedRequest | undefined) =>
  (ended?.receipt as Receipt | undefined)?.event_log.find(({ type }) => type === 'response.returned')
    ?.body_hash;

it.each([true, false])('hashes the bytes sent if the answer is stored (streamed: %s)', async (stream) => {
  const stored: EndedRequest[] = [];
  const { status, bytes } = await answered(stream, async (ended) => void stored.push(ended));
  expect(status).toBe(200);
  expect(stored.map(({ outcome }) => outcome)).toEqual(['completed']);
  expect(returned(stored[0])).toBe(sha256(bytes));
});

it.each([true, false])(
  'hashes the bytes sent if storing fails, and records only the failure (streamed: %s)',
  async (stream) => {
    const stored: EndedRequest[] = [];
    const { status, bytes } = await answered(stream, async (ended) => {
      if (ended.outcome === 'completed') throw new Error('the database is restarting');
      stored.push(ended);
    });
    expect(status).toBe(stream ? 200 : 500);
    expect(bytes.toString()).not.toContain('[DONE]');
    expect(bytes.toString()).toContain('The gateway failed.');
    expect(stored.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(returned(stored[0])).toBe(sha256(bytes));
  },
);
