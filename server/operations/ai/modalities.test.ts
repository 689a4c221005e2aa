import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdminAiModel,
  AdminAiUpstream,
  AiGateway,
  CreatedAiKey,
} from '../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startModelServer, whole, type ModelServer } from './testing/modelServer';

/* What models read and write, as set by administrators. */

let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let secret: string;
let id: number;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  model = await startModelServer(whole);
  const upstream = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/eyes',
      name: 'Eyes',
      context_length: 100_000,
      endpoints: ['chat.completions', 'responses'],
      input_price: '3',
      output_price: '15',
      upstreams: [{ upstream_id: (upstream.body as AdminAiUpstream).id, model: 'eyes' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body).toMatchObject({ input_modalities: [], output_modalities: [] });
  id = (made.body as AdminAiModel).id;
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});
beforeEach(() => {
  model.calls.length = 0;
});

const set = async (change: object) => {
  const changed = await admin.call('updateAdminAiModel', { path: { id }, body: change });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  expect(changed.body).toMatchObject(change);
};
const send = async (path: string, body?: object) => {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` } };
const look = (of = 'acme/eyes') =>
  send('chat/completions', {
    model: of,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
  });
const offered = async () =>
  ((await admin.call('getAiGateway')).body as AiGateway).models.find((one) => one.id === 'acme/eyes');
const listed = async () =>
  ((await send('models')).body.data as { id: string }[]).find((one) => one.id === 'acme/eyes');

describe('a model of unknown input', () => {
  it('gets every request, and its lists say nothing about it', async () => {
    expect((await look()).status).toBe(200);
    expect(model.calls).toHaveLength(1);
    expect(await offered()).toMatchObject({ input_modalities: [], output_modalities: ['text'] });
    expect(await listed()).toMatchObject({ output_modalities: ['text'] });
    expect(await listed()).not.toHaveProperty('input_modalities');
    expect(await listed()).not.toHaveProperty('architecture');
  });
});

describe('a model that reads only text', () => {
  it('gets no image: the request is refused in the shape of the API', async () => {
    await set({ input_modalities: ['text'] });
    expect(await look()).toEqual({
      status: 400,
      body: {
        error: {
          message: 'The model “acme/eyes” doesn’t read images. It reads text.',
          type: 'invalid_request_error',
          param: 'messages[0].content[1]',
          code: 'unsupported_modality',
        },
      },
    });
    const content = [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }];
    expect(await send('responses', { model: 'acme/eyes', input: [{ role: 'user', content }] })).toMatchObject(
      { status: 400, body: { error: { param: 'input[0].content[0]' } } },
    );
    expect(model.calls).toEqual([]);
    const text = { model: 'acme/eyes', messages: [{ role: 'user', content: 'Hi' }] };
    expect((await send('chat/completions', text)).status).toBe(200);
  });

  it('is listed as catalogs do, as soon as it also reads images', async () => {
    await set({ input_modalities: ['text', 'image'], output_modalities: ['text', 'audio'] });
    expect((await look()).status).toBe(200);
    const modalities = { input_modalities: ['text', 'image'], output_modalities: ['text', 'audio'] };
    expect(await offered()).toMatchObject(modalities);
    const shown = { ...modalities, architecture: { ...modalities, modality: 'text+image->text+audio' } };
    expect(await listed()).toMatchObject(shown);
    expect((await send('models/acme/eyes')).body).toMatchObject(shown);
    const unknown = await admin.call('updateAdminAiModel', {
      path: { id },
      body: { input_modalities: ['smell' as 'text'] },
    });
    expect(unknown.status).toBe(422);
  });

  it('includes the built-in one', async () => {
    expect(await look('teehouse/echo')).toMatchObject({
      status: 400,
      body: { error: { code: 'unsupported_modality' } },
    });
  });
});

it('holds the price of the whole context for an image, whatever its size, and charges what was read', async () => {
  await set({ input_modalities: ['text', 'image'], output_modalities: [] });
  // 100,000 tokens of context at $15 per million at most.
  const limited = async (budget: string) =>
    ((await admin.call('createAiKey', { body: { name: 'Limited', budget } })).body as CreatedAiKey).secret;
  const old = secret;
  secret = await limited('1.49');
  expect(await look()).toMatchObject({ status: 402 });
  secret = await limited('1.51');
  expect((await look()).status).toBe(200);
  secret = old;
});

it('counts an image as 1,000 tokens if the model server reports none', async () => {
  model.script = (res) => void res.end('{"id":"a","choices":[{"index":0,"message":{"content":"A cat"}}]}');
  expect((await look()).status).toBe(200);
  const { body } = await admin.call('listAiRequests', { query: { limit: 1 } });
  expect(body).toMatchObject({ data: [{ is_estimated: true, input_tokens: 1004 }] });
});
