import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { chunk, startModelServer, type ModelServer } from './testing/modelServer';

/** Completions of a prompt, and embeddings. */
let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let secret: string;
let upstream_id: number;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  model = await startModelServer((res) => void res.end('{}'));
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  upstream_id = (added.body as AdminAiUpstream).id;
  for (const endpoint of ['completions', 'embeddings'] as const) {
    const made = await admin.call('createAdminAiModel', {
      body: {
        model: `acme/${endpoint}`,
        name: endpoint,
        context_length: 1000,
        input_price: '3',
        cached_input_price: '3',
        output_price: '15',
        endpoints: [endpoint],
        upstreams: [{ upstream_id, model: 'base' }],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const post = (path: string, body: unknown) =>
  fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: Record<string, unknown> };
  return { status: reply.status, ...error };
};
const lastRequest = async () =>
  ((await admin.call('listAiRequests', { query: { limit: 1 } })).body as AiRequestPage).data[0];
const echo = 'teehouse/echo';

describe('POST /v1/completions', () => {
  it('completes a prompt as the OpenAI API does, with exact tokens', async () => {
    const reply = await post('completions', { model: echo, prompt: 'Hello, wörld!', max_tokens: 3 });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: 'text_completion',
      model: echo,
      choices: [{ index: 0, text: 'Hello, wörld', finish_reason: 'length', logprobs: null }],
      usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
    });
    expect(await lastRequest()).toMatchObject({
      endpoint: 'completions',
      outcome: 'completed',
      input_tokens: 4,
      output_tokens: 3,
    });
  });

  it('streams it', async () => {
    const text = await (await post('completions', { model: echo, prompt: 'a b', stream: true })).text();
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const parts = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)) as object);
    expect(parts).toMatchObject([
      { object: 'text_completion', choices: [{ text: 'a', finish_reason: null }] },
      { choices: [{ text: ' b' }] },
      { choices: [{ text: '', finish_reason: 'stop' }] },
    ]);
  });

  it('forwards the exact bytes of request and answer, and counts each prompt', async () => {
    const answer = `{ "id":"cmpl-1", "object":"text_completion","choices":[{"index":0,"text":"x"}], "usage":{"prompt_tokens":4,"completion_tokens":6} }`;
    model.script = (res) => void res.setHeader('content-type', 'application/json').end(answer);
    const body =
      '{"model":"acme/completions","prompt":["one","two"], "max_tokens":3,"seed":12345678901234567890}';
    const reply = await post('completions', body);
    expect(await reply.text()).toBe(answer);
    expect(model.calls.at(-1)).toMatchObject({
      path: '/v1/completions',
      body: body.replace('acme/completions', 'base'),
    });
    expect(await lastRequest()).toMatchObject({ input_tokens: 4, output_tokens: 6, cost: '0.000102' });
  });

  it('charges no more answers than a request with several prompts can produce', async () => {
    const answer = `{"id":"cmpl-2","choices":[],"usage":{"prompt_tokens":9000000,"completion_tokens":9000000}}`;
    model.script = (res) => void res.setHeader('content-type', 'application/json').end(answer);
    await post('completions', {
      model: 'acme/completions',
      prompt: ['one', 'two'],
      max_tokens: 3,
      best_of: 4,
    });
    expect(await lastRequest()).toMatchObject({ output_tokens: 2 * 4 * 3 });
  });

  it('refuses an invalid prompt, naming the field', async () => {
    for (const prompt of [undefined, null, 5, [], [[]], ['a', 5], Array.from({ length: 129 }, () => 'a')])
      expect(await errorOf(await post('completions', { model: echo, prompt })), String(prompt)).toMatchObject(
        {
          status: 400,
          type: 'invalid_request_error',
          param: expect.stringContaining('prompt') as string,
        },
      );
    expect(await errorOf(await post('completions', { model: echo, prompt: [1, 2] }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('text, not tokens') as string,
    });
  });
});

describe('POST /v1/embeddings', () => {
  const vectors = async (body: object) => {
    const reply = await post('embeddings', { model: echo, ...body });
    const answer = (await reply.json()) as { data: { embedding: number[] }[]; usage: object };
    expect(reply.status, JSON.stringify(answer)).toBe(200);
    return { usage: answer.usage, all: answer.data.map(({ embedding }) => embedding) };
  };
  const dot = (a: readonly number[] = [], b: readonly number[] = []) =>
    a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

  it('returns a vector per text; texts that share words are similar', async () => {
    const { usage, all } = await vectors({ input: ['the quick fox', 'a Quick fox', 'red balloons'] });
    expect(usage).toEqual({ prompt_tokens: 8, total_tokens: 8 });
    expect(all.map((vector) => vector.length)).toEqual([256, 256, 256]);
    for (const vector of all) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(dot(all[0], all[1])).toBeGreaterThan(dot(all[0], all[2]) + 0.3);
    expect(await lastRequest()).toMatchObject({ endpoint: 'embeddings', input_tokens: 8, output_tokens: 0 });
  });

  it('returns them as base64, and with fewer dimensions', async () => {
    const [floats] = (await vectors({ input: 'fox', dimensions: 8 })).all;
    const reply = await post('embeddings', {
      model: echo,
      input: 'fox',
      dimensions: 8,
      encoding_format: 'base64',
    });
    const { data } = (await reply.json()) as { data: { embedding: string }[] };
    const bytes = Buffer.from(data[0]!.embedding, 'base64');
    expect(bytes.length).toBe(32);
    expect([...Array(8).keys()].map((i) => bytes.readFloatLE(i * 4))).toEqual(floats);
  });

  it('forwards the exact bytes of the answer, and charges its input', async () => {
    const answer = `{ "object":"list","data":[{"embedding":[0.10]}],"usage":{"prompt_tokens":7, "total_tokens":7}}`;
    model.script = (res) => void res.setHeader('content-type', 'application/json').end(answer);
    const reply = await post('embeddings', { model: 'acme/embeddings', input: [[1, 2, 3]] });
    expect(await reply.text()).toBe(answer);
    expect(model.calls.at(-1)).toMatchObject({ path: '/v1/embeddings' });
    expect(await lastRequest()).toMatchObject({
      input_tokens: 7,
      output_tokens: 0,
      cost: '0.000021',
      id: expect.stringMatching(/^embd-/) as string,
    });
  });

  it('refuses streams, other encodings and invalid input', async () => {
    for (const [body, param] of [
      [{ input: 'a', stream: true }, 'stream'],
      [{ input: 'a', encoding_format: 'hex' }, 'encoding_format'],
      [{ input: 'a', dimensions: 0 }, 'dimensions'],
      [{ input: 'a', dimensions: 257 }, 'dimensions'],
      [{ input: '' + 'a '.repeat(8193) }, 'input'],
      [{ input: { text: 'a' } }, 'input'],
      [{}, 'input'],
    ] as const)
      expect(await errorOf(await post('embeddings', { model: echo, ...body })), param).toMatchObject({
        status: 400,
        param: expect.stringContaining(param) as string,
      });
  });
});

it('a model answers only its own endpoints, and says which', async () => {
  const chat = { model: 'acme/embeddings', messages: [{ role: 'user', content: 'Hi' }] };
  expect(await errorOf(await post('chat/completions', chat))).toMatchObject({
    status: 400,
    code: 'unsupported_endpoint',
    param: 'model',
    message:
      'The model “acme/embeddings” doesn’t answer POST /v1/chat/completions. It answers POST /v1/embeddings.',
  });
});

it('finds nothing under a name that can’t be stored or decoded, which is the client’s fault', async () => {
  const asked = async (path: string) => {
    const reply = await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${secret}` } });
    return errorOf(reply);
  };
  const missing = { status: 404, message: expect.any(String) as string };
  expect(await errorOf(await post('embeddings', { model: 'a\0b', input: 'x' }))).toMatchObject(missing);
  for (const path of ['models', 'aci/receipts', 'signature'])
    expect(await asked(`${path}/%00`)).toMatchObject(missing);
  for (const path of ['models/%zz', 'aci/receipts/%ff', 'signature/%ff'])
    expect(await asked(path)).toMatchObject({ status: 400, type: 'invalid_request_error' });
});

it('says in the refusal how much of a limit is left, and when it resets', async () => {
  const limited = async (limit: object) => {
    const key = (await admin.call('createAiKey', { body: { name: 'Limited', ...limit } }))
      .body as CreatedAiKey;
    const embed = () =>
      fetch(`${server.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.secret}` },
        body: JSON.stringify({ model: echo, input: 'one two' }),
      });
    await (await embed()).text();
    const { status, headers } = await embed();
    return {
      status,
      ...Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit-'))),
    };
  };
  expect(await limited({ requests_per_minute: 1 })).toEqual({
    status: 429,
    'x-ratelimit-limit-requests': '1',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': expect.stringMatching(/^\d+ms$/) as string,
  });
  expect(await limited({ tokens_per_minute: 1 })).toMatchObject({
    status: 429,
    'x-ratelimit-remaining-tokens': '0',
  });
});

it('lets official clients in browsers send their headers and see whether to retry', async () => {
  const { headers } = await fetch(`${server.url}/v1/embeddings`, { method: 'OPTIONS' });
  const list = (name: string) => headers.get(`access-control-${name}-headers`)?.split(', ');
  // Not every browser drops it.
  expect(list('allow')).toContain('User-Agent');
  expect(list('expose')).toEqual(expect.arrayContaining(['X-Should-Retry', 'Retry-After']));
});

it('an answer is read no faster than its client reads it', async () => {
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/long',
      name: 'Long',
      context_length: 1000,
      input_price: '0',
      output_price: '0',
      upstreams: [{ upstream_id, model: 'long' }],
    },
  });
  expect(made.status).toBe(201);
  const part = chunk('x'.repeat(64 * 1024));
  /** More than the connections of an unread answer can buffer, and less than the longest stream. */
  const parts = 700;
  let sent = 0;
  model.script = async (res) => {
    res.setHeader('content-type', 'text/event-stream');
    for (; sent < parts && !res.destroyed; sent++)
      await new Promise<void>((next) => res.write(part, () => next()));
    res.end('data: [DONE]\n\n');
  };
  const reply = await post('chat/completions', {
    model: 'acme/long',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
  });
  await expect
    .poll(async () => {
      const before = sent;
      await wait(200);
      return before > 0 ? sent - before : -1;
    })
    .toBe(0);
  expect(sent).toBeLessThan(parts);
  expect((await reply.arrayBuffer()).byteLength).toBe(parts * part.length + 'data: [DONE]\n\n'.length);
});

it('an answer ends soon after its key is revoked, and says why', async () => {
  const { key, secret: revoked } = (await admin.call('createAiKey', { body: { name: 'Short' } }))
    .body as CreatedAiKey;
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/slow',
      name: 'Slow',
      context_length: 1000,
      input_price: '3',
      cached_input_price: '3',
      output_price: '15',
      upstreams: [{ upstream_id, model: 'slow' }],
    },
  });
  expect(made.status).toBe(201);
  model.script = async (res) => {
    res.setHeader('content-type', 'text/event-stream');
    while (!res.destroyed) {
      res.write(chunk('more '));
      await wait(50);
    }
  };
  const reply = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${revoked}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/slow', messages: [{ role: 'user', content: 'Hi' }], stream: true }),
  });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('more');
  expect((await admin.call('revokeAiKey', { path: { ai_key_id: key.id } })).status).toBe(204);
  let last = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) last = part.value;
  expect(last).toContain('"invalid_api_key"');
  expect(last).not.toContain('[DONE]');
  await eventually('the model server is cut off', async () => model.calls.at(-1)?.isCut === true);
  expect(await lastRequest()).toMatchObject({
    key_id: key.id,
    status: 200,
    outcome: 'aborted',
    is_streamed: true,
  });
});
