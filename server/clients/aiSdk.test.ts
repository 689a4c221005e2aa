import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embedMany, generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../generated/api/types.gen';
import { startModelServer, type ModelServer, type Script } from '../operations/ai/testing/modelServer';
import { eventually, startTestServer, type TestClient, type TestServer } from '../testing/server';

/** The Vercel AI SDK with its provider for OpenAI-compatible APIs, unmodified. */
let server: TestServer;
let owner: TestClient;
let model: ModelServer;
let provider: ReturnType<typeof createOpenAICompatible>;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register('owner@example.test');
  model = await startModelServer((res) => void res.end('{}'));
  const added = await owner.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await owner.call('createAdminAiModel', {
    body: {
      model: 'acme/tools',
      name: 'Tools',
      context_length: 10_000,
      input_price: '0',
      cached_input_price: '0',
      output_price: '0',
      upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'base' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { body } = await owner.call('createAiKey', { body: { name: 'ai' } });
  provider = createOpenAICompatible({
    name: 'teehouse',
    baseURL: `${server.url}/v1`,
    apiKey: (body as CreatedAiKey).secret,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const ECHO = 'teehouse/echo';
const answerOf =
  (message: object, finish_reason = 'stop'): Script =>
  (res) =>
    void res.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'base',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    );

describe('the ai package', () => {
  it('generates a text and counts its tokens', async () => {
    const { text, usage } = await generateText({ model: provider(ECHO), prompt: 'One two three.' });
    expect([text, usage.inputTokens, usage.outputTokens]).toEqual(['One two three.', 4, 4]);
  });

  it('streams a text with its usage', async () => {
    const stream = streamText({ model: provider(ECHO), prompt: 'One two three.' });
    let text = '';
    for await (const part of stream.textStream) text += part;
    expect([text, (await stream.usage).totalTokens]).toEqual(['One two three.', 8]);
  });

  it('embeds texts', async () => {
    const { embeddings, usage } = await embedMany({
      model: provider.embeddingModel(ECHO),
      values: ['One two', 'three'],
    });
    expect(embeddings.map((one) => one.length)).toEqual([256, 256]);
    expect(usage.tokens).toBe(3);
  });

  it('calls a tool and answers with its result', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Zürich"}' },
    };
    model.script = (res, request) =>
      answerOf(
        request.body.includes('"role":"tool"')
          ? { content: 'It rains.' }
          : { content: null, tool_calls: [call] },
        request.body.includes('"role":"tool"') ? 'stop' : 'tool_calls',
      )(res, request);
    const asked: string[] = [];
    const { text, steps } = await generateText({
      model: provider('acme/tools'),
      prompt: 'How is the weather?',
      stopWhen: stepCountIs(3),
      tools: {
        weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            asked.push(city);
            return 'rain';
          },
        }),
      },
    });
    expect([text, steps.length, asked]).toEqual(['It rains.', 2, ['Zürich']]);
  });

  it('generates an object from a schema, which the model server receives', async () => {
    model.calls.length = 0;
    model.script = answerOf({ content: '{"name":"Ada"}' });
    const { output } = await generateText({
      model: provider('acme/tools'),
      prompt: 'Who?',
      output: Output.object({ schema: z.object({ name: z.string() }) }),
    });
    expect(output).toEqual({ name: 'Ada' });
    expect(JSON.parse(model.calls[0]?.body ?? '')).toMatchObject({
      response_format: { type: 'json_schema' },
    });
  });

  it('aborts a stream, which ends at the server too', async () => {
    const abort = new AbortController();
    const stream = streamText({
      model: provider(ECHO),
      prompt: 'word '.repeat(4000),
      abortSignal: abort.signal,
    });
    for await (const part of stream.textStream) if (part !== '') break;
    abort.abort();
    await eventually('the aborted request is recorded', async () => {
      const { data } = (await owner.call('listAiRequests')).body as AiRequestPage;
      return data[0]?.outcome === 'aborted';
    });
  });

  it('retries retryable errors, and reports why a request is refused', async () => {
    let tries = 0;
    model.script = (res, call) =>
      ++tries === 1
        ? void res
            .writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
            .end('{"error":{}}')
        : answerOf({ content: 'Done' })(res, call);
    expect((await generateText({ model: provider('acme/tools'), prompt: 'Hi' })).text).toBe('Done');
    expect(tries).toBe(2);
    const refused = await generateText({ model: provider('gpt-9'), prompt: 'Hi' }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(APICallError);
    expect(refused).toMatchObject({ statusCode: 404, message: expect.stringContaining('gpt-9') });
  });
});
