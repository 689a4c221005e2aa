import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AiRequestPage, CreatedAiKey } from '../../generated/api/types.gen';
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
