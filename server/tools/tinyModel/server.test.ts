import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Token } from 'node-llama-cpp';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadEngine, type Engine } from './engine';
import { modelServer } from './server';
import { tinyModel } from './weights';

/** The real engine: llama.cpp from the npm package, with the random-weights model. */

const KEY = 'violet-kettle';
const CONTEXT = 512;
let dir: string;
let engine: Engine;
let ready: (engine: Engine) => void;
const server = modelServer({
  alias: 'tiny-random',
  apiKey: KEY,
  engine: new Promise((resolve) => (ready = resolve)),
});
let url: string;
let client: OpenAI;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tiny-model-'));
  const file = path.join(dir, 'tiny.gguf');
  await writeFile(file, tinyModel());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 });

  // Responds while the model loads, like llama.cpp's own server.
  expect((await fetch(`${url}/health`)).status).toBe(503);
  await expect(client.models.list()).rejects.toMatchObject({ status: 503 });
  engine = await loadEngine(file, { contextLength: CONTEXT, parallel: 2 });
  ready(engine);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

const messages = [{ role: 'user' as const, content: 'Grüße ☕' }];
/** The text's start is a token, and so is each byte here: é takes two, ☕ three. */
const PROMPT_TOKENS = 1 + Buffer.byteLength('user: Grüße ☕\nassistant:');
const ask = { model: 'tiny-random', messages, max_tokens: 12 };

it('answers with true token counts, deterministically', async () => {
  const first = await client.chat.completions.create(ask);
  expect(first.usage).toEqual({
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: 12,
    total_tokens: PROMPT_TOKENS + 12,
  });
  const [choice] = first.choices;
  expect(choice?.finish_reason).toBe('length');
  // Its vocabulary has a word or a mark per token.
  expect(choice?.message.content?.match(/ \w+|[.,]/g)).toHaveLength(12);
  const second = await client.chat.completions.create(ask);
  expect(second.choices[0]?.message.content).toBe(choice?.message.content);
});

it('streams the same answer token by token', async () => {
  const whole = await client.chat.completions.create(ask);
  const stream = await client.chat.completions.create({
    ...ask,
    stream: true,
    stream_options: { include_usage: true },
  });
  const texts: string[] = [];
  let usage;
  for await (const part of stream) {
    const text = part.choices[0]?.delta.content;
    if (text) texts.push(text);
    usage = part.usage ?? usage;
  }
  expect(texts).toHaveLength(12);
  expect(texts.join('')).toBe(whole.choices[0]?.message.content);
  expect(usage).toEqual(whole.usage);
});

it('is ready once the model is loaded', async () => {
  const reply = await fetch(`${url}/health`);
  expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }]);
});

it('stops writing when the client disconnects', async () => {
  let [begun, ended] = [0, 0];
  const endless: Engine = {
    ...engine,
    contextLength: 1e9,
    start: () => ({
      async *write() {
        for (begun += 1; ; await new Promise(setImmediate)) yield 300 as Token;
      },
      textOf: (tokens) => 'x'.repeat(tokens.length),
      end: async () => void (ended += 1),
    }),
  };
  const slow = modelServer({ alias: 'endless', apiKey: null, engine: Promise.resolve(endless) });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const leave = new AbortController();
  const gone = [true, false].map((stream) =>
    fetch(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'endless', messages, max_tokens: 1e8, stream }),
      signal: leave.signal,
    })
      .then((reply) => reply.text())
      .catch((error: unknown) => error),
  );
  await expect.poll(() => begun).toBe(2);
  expect(ended).toBe(0);
  leave.abort();
  await expect.poll(() => ended).toBe(2);
  expect(await Promise.all(gone)).toMatchObject([{ name: 'AbortError' }, { name: 'AbortError' }]);
  slow.close();
});

it('refuses other keys, other models and messages that don’t fit', async () => {
  const stranger = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wrong', maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
  const refused = (change: object) =>
    client.chat.completions.create({ ...ask, ...change }).catch((error: unknown) => error);
  expect(await refused({ model: 'gpt-5' })).toMatchObject({ status: 404, code: 'model_not_found' });
  expect(await refused({ n: 2 })).toMatchObject({ status: 400 });
  expect(await refused({ messages: [{ role: 'user', content: 'x'.repeat(CONTEXT) }] })).toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
  });
});

it('lists one model, stating that its weights are random', async () => {
  const { data } = await client.models.list();
  expect(data).toMatchObject([{ id: 'tiny-random', owned_by: 'random weights, for testing' }]);
});
