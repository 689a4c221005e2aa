import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startModelServer, type ModelServer, type Script } from './testing/modelServer';

/** POST /v1/responses, with the official client and a model server that supports it. */
let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let secret: string;
let openai: OpenAI;

const usage = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens_details: { reasoning_tokens: 5 },
};
const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const WHOLE = JSON.stringify({
  id: 'resp_upstream',
  object: 'response',
  status: 'completed',
  error: null,
  output: [message('Grüße')],
  usage,
});
const whole: Script = (res) => void res.setHeader('content-type', 'application/json').end(WHOLE);
const event = (data: { type: string } & object) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = event({ type: 'response.created', response: { id: 'resp_stream' } } as never);
const DELTA = event({ type: 'response.output_text.delta', delta: 'Hello' } as never);
const END = event({ type: 'response.completed', response: { id: 'resp_stream', usage } } as never);
const streamOf =
  (...events: string[]): Script =>
  (res) => {
    res.setHeader('content-type', 'text/event-stream');
    for (const one of events) res.write(one);
    res.end();
  };

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  model = await startModelServer(whole);
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const upstream_id = (added.body as AdminAiUpstream).id;
  for (const [name, endpoints] of [
    ['acme/new', ['responses']],
    ['acme/old', ['chat.completions']],
  ] as const) {
    const made = await admin.call('createAdminAiModel', {
      body: {
        model: name,
        name,
        context_length: 1000,
        input_price: '3',
        cached_input_price: '0.3',
        output_price: '15',
        endpoints: [...endpoints],
        upstreams: [{ upstream_id, model: 'base' }],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
  openai = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});
beforeEach(() => {
  model.script = whole;
  model.calls.length = 0;
});

const post = async (body: object) => {
  const reply = await fetch(`${server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/new', input: 'Hi', ...body }),
  });
  const text = await reply.text();
  const { error } = JSON.parse(text) as {
    error?: { message: string; param: string | null; code: string | null };
  };
  return { status: reply.status, text, error };
};
const lastRequest = async () =>
  ((await admin.call('listAiRequests', { query: { limit: 1 } })).body as AiRequestPage).data[0];

describe('POST /v1/responses', () => {
  it('forwards an answer unchanged, stores none, and bills the model server’s token counts', async () => {
    const { id, output_text } = await openai.responses.create({ model: 'acme/new', input: 'Hi' });
    expect({ id, output_text }).toEqual({ id: 'resp_upstream', output_text: 'Grüße' });
    expect(JSON.parse(model.calls[0]?.body ?? '')).toEqual({ model: 'base', input: 'Hi', store: false });
    expect(model.calls[0]?.path).toBe('/v1/responses');
    expect(await lastRequest()).toMatchObject({
      id: 'resp_upstream',
      endpoint: 'responses',
      input_tokens: 100,
      cached_tokens: 40,
      output_tokens: 20,
      reasoning_tokens: 5,
      // 60 tokens at $3, 40 at $0.30 and 20 at $15 per million.
      cost: '0.000492',
      outcome: 'completed',
    });
  });

  it('streams to the official client, through the last event', async () => {
    model.script = streamOf(START, DELTA, END, 'data: [DONE]\n\n');
    const stream = await openai.responses.create({ model: 'acme/new', input: 'Hi', stream: true });
    const seen: string[] = [];
    for await (const one of stream) seen.push(one.type);
    expect(seen).toEqual(['response.created', 'response.output_text.delta', 'response.completed']);
    expect(await lastRequest()).toMatchObject({
      id: 'resp_stream',
      is_streamed: true,
      output_tokens: 20,
      is_estimated: false,
    });
  });

  it.each([
    ['breaks off', [START, DELTA]],
    [
      'says that it failed',
      [START, event({ type: 'response.failed', response: { error: { message: 'cuda' } } } as never)],
    ],
  ])('tells the client when the model server %s', async (_what, events) => {
    model.script = streamOf(...events);
    const stream = await openai.responses.create({ model: 'acme/new', input: 'Hi', stream: true });
    const read = async () => {
      for await (const one of stream) expect(one.type).not.toBe('response.completed');
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(String(error)).not.toContain('cuda');
    expect(await lastRequest()).toMatchObject({ outcome: 'failed', is_estimated: true });
  });

  it.each([
    ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['a conversation', { conversation: 'conv_1' }, 'conversation'],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['answers that are kept', { store: true }, 'store'],
    ['answers that are fetched later', { background: true }, 'background'],
    [
      'tools that the model server runs',
      { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
      'tools[0].type',
    ],
    ['an item by its ID', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input'],
    ['an item by its ID alone', { input: [{ id: 'msg_1' }] }, 'input'],
    ['an image by its ID', { input: [{ type: 'image_generation_call', id: 'ig_1' }] }, 'input'],
    [
      'a file by its ID',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
      'input',
    ],
    [
      'a file by its ID in another spelling',
      { input: [{ role: 'user', content: [{ type: 'input_file', File_ID: 'file_1' }] }] },
      'input',
    ],
    ['another spelling of a tool’s type', { tools: [{ type: 'function', Type: 'file_search' }] }, 'tools[0]'],
    ['another spelling of a refused member', { Previous_Response_ID: 'resp_1' }, 'Previous_Response_ID'],
    ['no input', { input: undefined }, 'input'],
    ['a limit of nothing', { max_output_tokens: 0 }, 'max_output_tokens'],
  ])('refuses %s, before the model server sees it', async (_what, body, param) => {
    const { status, error } = await post(body);
    expect(status).toBe(400);
    expect(error?.param?.startsWith(param), error?.message).toBe(true);
    expect(model.calls).toEqual([]);
  });

  it('refuses duplicate members in an item or its parts', async () => {
    for (const input of [
      '[{"type":"message","role":"user","content":"Hi","type":"item_reference","type":"message"}]',
      '[{"role":"user","content":[{"type":"input_file","file_id":"file_1","file_id":null}]}]',
    ]) {
      const reply = await fetch(`${server.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: `{"model":"acme/new","input":${input}}`,
      });
      expect(reply.status).toBe(400);
      expect(await reply.text()).toContain('An object in the body has this field twice.');
    }
    expect(model.calls).toEqual([]);
  });

  it('counts the tools of a request whose answer breaks off', async () => {
    const description = 'Returns the weather. '.repeat(20);
    const tools = [
      { type: 'function' as const, name: 'weather', description, parameters: {}, strict: false },
    ];
    model.script = streamOf(START, DELTA);
    await post({ stream: true, tools }).catch(() => undefined);
    const request = await lastRequest();
    expect(request).toMatchObject({ outcome: 'failed', is_estimated: true });
    // About four bytes each.
    expect(request?.input_tokens).toBeGreaterThan(description.length / 4);
    expect(request?.input_tokens).toBeLessThan(description.length / 4 + 40);
  });

  it('states which endpoints a model answers', async () => {
    for (const [name, others] of [
      ['acme/old', 'POST /v1/chat/completions'],
      ['teehouse/echo', 'POST /v1/chat/completions'],
    ])
      expect(await post({ model: name })).toMatchObject({
        status: 400,
        error: { code: 'unsupported_endpoint', message: expect.stringContaining(others ?? '') },
      });
  });
});
