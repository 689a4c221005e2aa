import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, CreatedAiKey } from '../../../generated/api/types.gen';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { startTestServer, type TestServer } from '../../testing/server';
import { startModelServer, whole, type ModelServer } from '../../operations/ai/testing/modelServer';

/* Fields and URLs that would cost the operator of a model server, or reach what it or other teams keep. */

let server: TestServer;
let model: ModelServer;
let dns: TestDns;
let secret: string;

beforeAll(async () => {
  dns = await startDnsServer();
  dns.set('images.example.com', { type: 'A', value: '93.184.215.14' });
  dns.set('inside.example.com', { type: 'A', value: '93.184.215.14' }, { type: 'A', value: '10.0.0.7' });
  dns.set('metadata.example.com', { type: 'A', value: '169.254.169.254' });
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', DNS_SERVERS: dns.address } });
  model = await startModelServer(whole);
  const admin = await server.register('admin@example.test');
  const upstream = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/eyes',
      name: 'Eyes',
      context_length: 100_000,
      endpoints: ['chat.completions', 'completions', 'embeddings', 'responses'],
      input_price: '0',
      output_price: '0',
      upstreams: [{ upstream_id: (upstream.body as AdminAiUpstream).id, model: 'acme/eyes' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
afterAll(async () => {
  await server.stop();
  await model.stop();
  await dns.close();
});
beforeEach(() => {
  model.calls.length = 0;
  dns.asked.length = 0;
});

const send = async (path: string, body: string) => {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
  const { error } = (await reply.json()) as {
    error?: { message: string; type: string; param: string; code: string | null };
  };
  return { status: reply.status, error };
};
const messages = [{ role: 'user', content: 'Hi' }];
const BODIES = {
  'chat/completions': { model: 'acme/eyes', messages },
  completions: { model: 'acme/eyes', prompt: 'Hi' },
  embeddings: { model: 'acme/eyes', input: 'Hi' },
  responses: { model: 'acme/eyes', input: 'Hi' },
};
type Path = keyof typeof BODIES;
const post = (path: Path, more: object) => send(path, JSON.stringify({ ...BODIES[path], ...more }));

describe('a model server shared by all teams', () => {
  it('stores no answer: the official client is refused with the reason', async () => {
    const openai = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1` });
    const stored = openai.chat.completions.create({
      model: 'acme/eyes',
      messages: [{ role: 'user', content: 'Hi' }],
      store: true,
    });
    await expect(stored).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(stored).rejects.toMatchObject({
      param: 'store',
      error: { message: 'store: This gateway doesn’t store answers. Send false or leave it out.' },
    });
    expect((await post('completions', { store: true })).status).toBe(400);
    expect((await post('chat/completions', { Store: true })).status).toBe(400);
    expect(model.calls).toEqual([]);
  });

  it.each(Object.keys(BODIES) as Path[])('answers %s only at the price of its model', async (path) => {
    for (const tier of ['priority', 'flex', 'scale', 'Default', 1])
      expect(await post(path, { service_tier: tier })).toMatchObject({
        status: 400,
        error: {
          message: 'service_tier: Only the service tiers auto and default are available.',
          type: 'invalid_request_error',
          param: 'service_tier',
        },
      });
    expect(model.calls).toEqual([]);
  });

  it('gets every other request byte by byte', async () => {
    for (const tail of [
      '"store" : false,"service_tier":"auto" }',
      '"store":null, "service_tier":"default"}',
      '"metadata":{"a": 1e2}}',
    ]) {
      const body = `{ "model":"acme/eyes", "messages":${JSON.stringify(messages)},${tail}`;
      expect((await send('chat/completions', body)).status).toBe(200);
      expect(model.calls.pop()?.body).toBe(body);
    }
  });
});

const look = (url: string) =>
  `{"model":"acme/eyes",  "messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${url}"}}]}]}`;

describe('a URL that a model server would fetch', () => {
  it.each(['https://images.example.com/a.png', 'https://8.8.8.8:8443/', 'data:image/png;base64,AA=='])(
    'is passed on unchanged if it is %s',
    async (url) => {
      expect(await send('chat/completions', look(url))).toEqual({ status: 200, error: undefined });
      expect(model.calls.map(({ body }) => body)).toEqual([look(url)]);
    },
  );

  it.each([
    ['https://10.0.0.7/', 'a private address'],
    ['https://127.0.0.1:8000/', 'the model server’s own'],
    ['https://[::1]/', 'the model server’s own'],
    ['https://localhost/', 'the model server’s own'],
    ['https://169.254.169.254/latest/meta-data', 'the cloud’s metadata'],
    ['https://metadata.example.com/', 'the cloud’s metadata by a name'],
    ['https://inside.example.com/a.png', 'a name that has a private address, too'],
    ['https://nowhere.example.com/', 'a name without an address'],
    ['http://images.example.com/a.png', 'not encrypted'],
    ['file:///etc/passwd', 'a file of the model server'],
  ])('is refused if it is %s, %s', async (url) => {
    expect(await send('chat/completions', look(url))).toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error', code: 'url_not_allowed', param: 'messages[0].content[0]' },
    });
    const input = [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }];
    expect(await post('responses', { input })).toMatchObject({
      status: 400,
      error: { code: 'url_not_allowed', param: 'input[0].content[0]' },
    });
    expect(model.calls).toEqual([]);
  });

  it('costs one lookup while many requests name its host', async () => {
    dns.set('busy.example.com', { type: 'A', value: '93.184.215.14' });
    const body = look('https://busy.example.com/a.png');
    const replies = await Promise.all(Array.from({ length: 30 }, () => send('chat/completions', body)));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(dns.asked.filter((one) => one === 'busy.example.com A')).toHaveLength(1);
  });
});
