import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOf } from '../../domain/core/outbound';
import { parseModelRequest } from '../../domain/ai/modelRequest';
import { createOutbound } from '../net/outbound';
import { createAiServers } from './openai';

let answer: (res: ServerResponse) => Promise<void>;
const server = createServer((_, res) => void answer(res.setHeader('content-type', 'text/event-stream')));
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const net = createOutbound({ allow: listOf([]), loopback: true });
const body = Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}');

const call = (hold_ms: number, timeout_ms: number) =>
  createAiServers(net, { hold_ms })
    .at({ url, api_key: null, timeout_ms })
    .complete({
      id: 'chatcmpl-1',
      request: parseModelRequest('chat.completions', body),
      body: [body],
      adds_usage: false,
      keep: () => undefined,
      signal: new AbortController().signal,
    });

/** Sends a comment every 20 ms until the connection closes. */
async function comments(res: ServerResponse): Promise<void> {
  while (!res.destroyed) {
    res.write(': keep-alive\n\n');
    await wait(20);
  }
}

it('passes comments on when the answer is long in coming, which keeps the connection open', async () => {
  let go = () => undefined as void;
  const asked = new Promise<void>((resolve) => (go = resolve));
  answer = async (res) => {
    void comments(res);
    await asked;
    res.end('data: {"id":"chatcmpl-2","choices":[]}\n\ndata: [DONE]\n\n');
  };
  const reply = await call(100, 60_000);
  let text = '';
  for await (const bytes of reply.body) {
    text += Buffer.from(bytes).toString();
    // The answer is sent only after the client has a comment.
    go();
  }
  expect(text).toMatch(/^(: keep-alive\n\n)+data: \{"id":"chatcmpl-2","choices":\[\]\}\n\n$/);
});

it.each([
  ['before any comment is passed on', 60_000, false],
  ['after comments were passed on', 0, true],
])('gives up on a server that sends only comments, %s', async (_, hold_ms, passes) => {
  answer = comments;
  let passed = '';
  const read = async () => {
    for await (const bytes of (await call(hold_ms, 300)).body) passed += Buffer.from(bytes).toString();
  };
  await expect(read()).rejects.toMatchObject({ answer: { status: 504, code: 'upstream_timeout' } });
  expect(passed).toMatch(passes ? /^(: keep-alive\n\n)+$/ : /^$/);
});

/** Answers with this JSON, not as a stream. */
const whole = (json: string) => async (res: ServerResponse) =>
  void res.setHeader('content-type', 'application/json').end(json);

it.each([
  ['levels', `{"id":"chatcmpl-1","usage":${'['.repeat(200)}${']'.repeat(200)}}`],
  ['objects', `{"id":"chatcmpl-1","usage":[{}${',{}'.repeat(500_000)}]}`],
  ['values', `{"id":"chatcmpl-1","usage":[1${',1'.repeat(2 ** 22)}]}`],
])('gives up on an answer that is nothing but %s', async (_, json) => {
  answer = whole(json);
  await expect(call(100, 60_000)).rejects.toMatchObject({ answer: { status: 502, code: 'upstream_failed' } });
});

it('reads as many numbers as the longest embeddings have', async () => {
  const vector = `[-0.01234${',-0.01234'.repeat(1023)}]`;
  const entry = `{"object":"embedding","index":0,"embedding":${vector}}`;
  answer = whole(`{"object":"list","data":[${Array(2048).fill(entry).join()}],"usage":{"prompt_tokens":7}}`);
  const reply = await call(100, 60_000);
  for await (const _ of reply.body);
  expect(reply.usage()).toMatchObject({ input_tokens: 7, is_estimated: false });
});

it('ends a stream of nothing but empty events', async () => {
  answer = async (res) => {
    res.write('data: {"id":"chatcmpl-2","choices":[]}\n\n');
    const many = ':\n\n'.repeat(2 ** 16);
    for (let sent = 0; sent < 20 && !res.destroyed; sent++)
      await new Promise<void>((next) => res.write(many, () => next()));
    if (!res.destroyed) res.end('data: [DONE]\n\n');
  };
  const reply = await call(100, 60_000);
  const read = async () => {
    for await (const _ of reply.body);
  };
  await expect(read()).rejects.toMatchObject({ answer: { status: 502, code: 'upstream_failed' } });
}, 60_000);
