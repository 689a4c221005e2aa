import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdminAiModel,
  AdminAiUpstream,
  AiRequestPage,
  CreatedAiKey,
} from '../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { EVENTS, startModelServer, streamed, whole, WHOLE, type ModelServer } from './testing/modelServer';

let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let spare: ModelServer;
let secret: string;
const ids = { model: 0, upstream: 0, spare: 0 };

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  [model, spare] = [await startModelServer(whole), await startModelServer(whole)];
  const added = async (id: 'createAdminAiUpstream' | 'createAdminAiModel', body: object) => {
    const reply = await admin.call(id, { body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return (reply.body as AdminAiUpstream | AdminAiModel).id;
  };
  ids.upstream = await added('createAdminAiUpstream', { name: 'gpu-1', url: model.url, timeout_seconds: 1 });
  ids.spare = await added('createAdminAiUpstream', { name: 'gpu-2', url: spare.url });
  ids.model = await added('createAdminAiModel', {
    model: 'acme/large',
    name: 'Large',
    context_length: 100_000,
    input_price: '3',
    output_price: '15',
    upstreams: [{ upstream_id: ids.upstream, model: 'large' }],
  });
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
beforeEach(async () => {
  await serveBy(ids.upstream);
  // An upstream that failed within the last seconds would be tried last, unless it has answered since.
  model.script = whole;
  expect(await (await chat(BODY)).text()).toBe(WHOLE);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([model.stop(), spare.stop()]);
});

/** Changes the model's upstreams, the preferred one first. */
async function serveBy(...upstreams: number[]): Promise<void> {
  const body = { upstreams: upstreams.map((upstream_id) => ({ upstream_id, model: 'large' })) };
  const changed = await admin.call('updateAdminAiModel', { path: { id: ids.model }, body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
}

const BODY = '{"model":"acme/large","messages":[{"role":"user","content":"Hi"}]}';
const STREAM = BODY.replace('{', '{"stream":true,');
const chat = (body: string) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });

/** Sends a comment every 50 ms until the connection closes. */
function comments(res: ServerResponse): void {
  const timer = setInterval(() => res.write(': keep-alive\n\n'), 50);
  res.once('close', () => clearInterval(timer));
}

describe('an upstream', () => {
  const silent: [string, (res: ServerResponse) => void, string][] = [
    ['breaks off', (res) => void res.destroy(), 'upstream_failed'],
    ['stalls', () => undefined, 'upstream_timeout'],
    ['sends nothing else', comments, 'upstream_timeout'],
    ['fails', (res) => void res.write('data: {"error":{"message":"out of memory"}}\n\n'), 'upstream_failed'],
    ['ends', (res) => void res.end(), 'upstream_failed'],
  ];
  it.each(silent)('that %s after comments is replaced by the next one', async (_, fail, code) => {
    spare.script = streamed;
    model.script = async (res) => {
      res.setHeader('content-type', 'text/event-stream');
      for (const text of [': keep-alive\n\n', ': keep-alive\n\n', 'event: ping\n\n'])
        await new Promise<void>((next) => res.write(text, () => next()));
      // Until the gateway has read them.
      await wait(100);
      fail(res);
    };
    await serveBy(ids.upstream, ids.spare);
    const tried = model.calls.length;
    const answered = await chat(STREAM);
    expect(answered.status).toBe(200);
    expect(await answered.text()).toBe(EVENTS.toSpliced(3, 1).join(''));
    expect(model.calls).toHaveLength(tried + 1);
    const { data } = (await admin.call('listAiRequests', { query: { limit: 1 } })).body as AiRequestPage;
    expect(data).toMatchObject([{ outcome: 'completed', status: 200 }]);

    // Without another one, its client gets an error instead of a stream.
    await serveBy(ids.upstream);
    const alone = await chat(STREAM);
    expect(alone.status).toBeGreaterThan(500);
    expect(await alone.json()).toMatchObject({ error: { code } });
  });

  it('that sends more comments than are kept still answers', async () => {
    model.script = async (res) => {
      res.setHeader('content-type', 'text/event-stream');
      for (let i = 0; i < 100; i++)
        await new Promise<void>((next) => res.write(`: ${'k'.repeat(1_000)}\n\n`, () => next()));
      res.end(EVENTS.slice(1).join(''));
    };
    const text = await (await chat(STREAM)).text();
    expect(text.length).toBeLessThan(70_000);
    expect(text.startsWith(': kkk')).toBe(true);
    expect(text.endsWith(EVENTS.slice(1).toSpliced(2, 1).join(''))).toBe(true);
  });

  const DATE = 'Mon, 30 Nov 2026 08:00:00 GMT';
  it.each([
    ['7', {}, '7'],
    ['0', {}, '1'],
    ['86400', {}, '60'],
    ['Mon, 30 Nov 2026 08:00:20 GMT', { date: DATE }, '20'],
    ['Monday, 30-Nov-26 08:00:20 GMT', { date: DATE }, '20'],
    ['Mon, 30 Nov 2026 09:00:00 GMT', { date: DATE }, '60'],
    ['Mon, 30 Nov 2026 07:00:00 GMT', { date: DATE }, '1'],
    ['soon', {}, '1'],
  ])('that is busy with Retry-After %j passes the wait on', async (value, headers, seconds) => {
    model.script = (res) => void res.writeHead(503, { ...headers, 'retry-after': value }).end();
    const reply = await chat(BODY);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe(seconds);
  });

  it('that names a time but sends no date is waited for by this server’s clock', async () => {
    model.script = (res) => {
      res.sendDate = false;
      res.writeHead(429, { 'retry-after': new Date(Date.now() + 31_000).toUTCString() }).end();
    };
    const seconds = Number((await chat(BODY)).headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(31);
  });
});
