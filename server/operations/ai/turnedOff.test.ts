import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AdminAiUpstream, AiGateway, CreatedAiKey } from '../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { chunk, startModelServer, type ModelServer } from './testing/modelServer';

/* A team's switch for the AI API. */

let server: TestServer;
let owner: TestClient;
let other: TestClient;
let model: ModelServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  // The first user is an administrator.
  owner = await server.register();
  other = await server.register();
  // Its answers never end.
  model = await startModelServer(async (res, { body }) => {
    const isStreamed = body.includes('"stream":true');
    res.setHeader('content-type', isStreamed ? 'text/event-stream' : 'application/json');
    while (!res.destroyed) {
      res.write(isStreamed ? chunk('more ') : ' ');
      await wait(20);
    }
  });
  const upstream = await owner.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await owner.call('createAdminAiModel', {
    body: {
      model: 'acme/slow',
      name: 'Slow',
      context_length: 1000,
      input_price: '0',
      output_price: '0',
      upstreams: [{ upstream_id: (upstream.body as AdminAiUpstream).id, model: 'slow' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const keyOf = async (client: TestClient) => {
  const { status, body } = await client.call('createAiKey', { body: { name: 'Bot' } });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as CreatedAiKey).secret;
};
const turn = async (confidential_models_enabled: boolean) => {
  const path = { slug: owner.slug! };
  const changed = await owner.call('updateWorkspace', { path, body: { confidential_models_enabled } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
};
const send = (secret: string, path: string, body?: object) =>
  fetch(`${server.url}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
const ask = (secret: string) =>
  send(secret, 'chat/completions', {
    model: 'teehouse/echo',
    messages: [{ role: 'user', content: 'Hi' }],
  });
const isEnabled = async (client: TestClient) =>
  ((await client.call('getAiGateway')).body as AiGateway).is_enabled;

it('refuses all of the team’s keys, and no others, until the API is on again', async () => {
  const [first, second, others] = [await keyOf(owner), await keyOf(owner), await keyOf(other)];
  expect(await isEnabled(owner)).toBe(true);
  await turn(false);
  for (const secret of [first, second]) {
    const refused = await ask(secret);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.json()).toMatchObject({
      error: {
        type: 'permission_error',
        code: 'ai_api_off',
        message: expect.stringContaining('turned') as string,
      },
    });
    expect((await send(secret, 'models')).status).toBe(403);
  }
  expect([await isEnabled(owner), await isEnabled(other)]).toEqual([false, true]);
  expect((await ask(others)).status).toBe(200);
  await turn(true);
  for (const secret of [first, second]) expect((await ask(secret)).status).toBe(200);
});

it('ends answers in progress, which a client can tell from a key that no longer works', async () => {
  const secret = await keyOf(owner);
  const begin = (stream: boolean) =>
    send(secret, 'chat/completions', {
      model: 'acme/slow',
      messages: [{ role: 'user', content: 'Hi' }],
      stream,
    });
  const whole = begin(false);
  const reader = (await begin(true)).body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('more');
  await vi.waitFor(() => expect(model.calls).toHaveLength(2));
  await turn(false);
  let last = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) last = part.value;
  expect(last).toContain('turned the AI API off');
  expect(last).toContain('"code":"ai_api_off"');
  const ended = await whole;
  expect([ended.status, await ended.json()]).toMatchObject([403, { error: { code: 'ai_api_off' } }]);
  await turn(true);
});
