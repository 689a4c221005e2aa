import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../generated/api/types.gen';
import { chunk, startModelServer, type ModelServer } from '../operations/ai/testing/modelServer';
import { eventually, startTestServer, type TestClient, type TestServer } from '../testing/server';

/** The official OpenAI client, unmodified, against the built-in gateway. */
let server: TestServer;
let owner: TestClient;
let openai: OpenAI;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register('owner@example.test');
  const { body } = await owner.call('createAiKey', { body: { name: 'openai' } });
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: (body as CreatedAiKey).secret, maxRetries: 0 });
});
afterAll(() => server.stop());

const model = 'teehouse/echo';
const messages = [{ role: 'user' as const, content: 'One two three.' }];

describe('the openai package', () => {
  it('completes a chat', async () => {
    const answer = await openai.chat.completions.create({ model, messages });
    expect(answer.choices[0]?.message.content).toBe('One two three.');
    expect(answer.usage?.total_tokens).toBe(8);
    expect(answer._request_id).toMatch(/^req_/);
  });

  it('streams a chat with its usage', async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let total: number | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total]).toEqual(['One two three.', 8]);
  });

  it('completes a prompt, and embeds texts', async () => {
    const answer = await openai.completions.create({ model, prompt: 'One two three.', max_tokens: 2 });
    expect(answer.choices[0]).toMatchObject({ text: 'One two', finish_reason: 'length' });
    // It requests base64 and decodes it.
    const { data, usage } = await openai.embeddings.create({ model, input: ['One two', 'three'] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
    expect(usage.prompt_tokens).toBe(3);
  });

  it('lists and retrieves models', async () => {
    const list = await openai.models.list();
    expect(list.data.map(({ id }) => id)).toEqual([model]);
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
  });

  it('aborts a stream, which ends at the server too', async () => {
    const content = 'word '.repeat(4000);
    const stream = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content }],
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await eventually('the aborted request is recorded', async () => {
      const { data } = (await owner.call('listAiRequests')).body as AiRequestPage;
      return data[0]?.outcome === 'aborted';
    });
  });

  it('maps errors to its classes', async () => {
    const unknown = openai.chat.completions.create({ model: 'gpt-9', messages });
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const invalid = openai.chat.completions.create({ model, messages: [] });
    await expect(invalid).rejects.toMatchObject({
      status: 400,
      param: 'messages',
      type: 'invalid_request_error',
    });
    const refused = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-nothing', maxRetries: 0 });
    await expect(refused.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

describe('the openai package, with a model server', () => {
  let upstream: ModelServer;
  const name = 'acme/tools';
  beforeAll(async () => {
    upstream = await startModelServer((res) => void res.end('{}'));
    const added = await owner.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: upstream.url } });
    const made = await owner.call('createAdminAiModel', {
      body: {
        model: name,
        name: 'Tools',
        context_length: 10_000,
        input_price: '0',
        output_price: '0',
        upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'base' }],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  });
  afterAll(() => upstream.stop());

  /** Has the model server answer with this message. */
  const answer = (message: object, finish_reason: string) => {
    const choices = [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const json = JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'base',
      choices,
      usage,
    });
    upstream.script = (res) => void res.setHeader('content-type', 'application/json').end(json);
  };
  const lastBody = () => JSON.parse(upstream.calls.at(-1)?.body ?? '') as unknown;

  it('calls a tool', async () => {
    const call = { name: 'weather', arguments: '{"city":"Zürich"}' };
    answer({ content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] }, 'tool_calls');
    const tool = {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    };
    const { choices } = await openai.chat.completions.create({
      model: name,
      messages,
      tools: [{ type: 'function', function: tool }],
    });
    expect(choices[0]?.message.tool_calls).toMatchObject([{ id: 'call_1', function: call }]);
    expect(lastBody()).toMatchObject({ tools: [{ function: tool }] });
  });

  it('reads an object of a schema, which the model server receives', async () => {
    answer({ content: '{"name":"Ada"}' }, 'stop');
    const { choices } = await openai.chat.completions.parse({
      model: name,
      messages,
      response_format: zodResponseFormat(z.object({ name: z.string() }), 'person'),
    });
    expect(choices[0]?.message.parsed).toEqual({ name: 'Ada' });
    expect(lastBody()).toMatchObject({ response_format: { type: 'json_schema' } });
  });

  it('retries what may succeed later, and nothing else', async () => {
    const retrying = openai.withOptions({ maxRetries: 2 });
    let tries = 0;
    upstream.script = (res) => {
      if (++tries === 1) return void res.writeHead(503, { 'retry-after': '1' }).end();
      answer({ content: 'Done' }, 'stop');
      return upstream.script(res, upstream.calls.at(-1)!);
    };
    const { choices } = await retrying.chat.completions.create({ model: name, messages });
    expect([choices[0]?.message.content, tries]).toEqual(['Done', 2]);
    const count = async () => ((await owner.call('listAiRequests')).body as AiRequestPage).data.length;
    const before = await count();
    // Only a gateway in a TEE could serve this.
    const verified = { model: name, messages, provider: { aci_verified: true } };
    await expect(retrying.chat.completions.create(verified)).rejects.toMatchObject({
      status: 503,
      type: 'upstream_verification_failed',
    });
    expect(await count()).toBe(before + 1);
  });

  it('gets the error of a stream that breaks off', async () => {
    upstream.script = (res) =>
      void res.setHeader('content-type', 'text/event-stream').end(`${chunk('One')}${chunk('two')}`);
    const stream = await openai.chat.completions.create({ model: name, messages, stream: true });
    let text = '';
    const read = async () => {
      for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(text).toBe('Onetwo');
  });
});
