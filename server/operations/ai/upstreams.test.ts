import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminAiModel,
  AdminAiUpstream,
  AiGateway,
  AiRequest,
  AiRequestPage,
  CreatedAiKey,
} from '../../../generated/api/types.gen';
import { checkDueAiUpstreams } from '../../jobs/ai/checkUpstreams';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import {
  chunk,
  EVENTS,
  startModelServer,
  streamed,
  whole,
  WHOLE,
  type ModelServer,
} from './testing/modelServer';

let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let spare: ModelServer;
let secret: string;
const ids = { model: 0, upstream: 0, spare: 0 };

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  model = await startModelServer(whole);
  spare = await startModelServer(whole);
  ids.upstream = (await addUpstream({ name: 'gpu-1', url: `${model.url}/`, api_key: 'sk-upstream' })).id;
  ids.spare = (await addUpstream({ name: 'gpu-2', url: spare.url })).id;
  const added = await admin.call('createAdminAiModel', { body: modelBody });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  ids.model = (added.body as AdminAiModel).id;
  secret = ((await admin.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey).secret;
});
afterAll(async () => {
  await server.stop();
  await Promise.all([model.stop(), spare.stop()]);
});

const modelBody = {
  model: 'acme/large',
  name: 'Large',
  context_length: 100_000,
  input_price: '3',
  cached_input_price: '0.3',
  output_price: '15',
  get upstreams() {
    return [{ upstream_id: ids.upstream, model: 'Large-FP8' }];
  },
};

async function addUpstream(body: object): Promise<AdminAiUpstream> {
  const added = await admin.call('createAdminAiUpstream', { body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body as AdminAiUpstream;
}

const setModel = async (body: object) => {
  const changed = await admin.call('updateAdminAiModel', { path: { id: ids.model }, body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
};
const setUpstream = async (id: number, body: object) => {
  const changed = await admin.call('updateAdminAiUpstream', { path: { id }, body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
};

const BODY =
  '{"model":"acme/large", "seed": 12345678901234567890,"messages":[{"role":"user","content":"Hi"}]}';
const STREAM = BODY.replace('{', '{"stream":true,');
const chat = (body: string, init: RequestInit = {}) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
    ...init,
  });
const lastRequest = async (): Promise<AiRequest> => {
  const [row] = ((await admin.call('listAiRequests', { query: { limit: 1 } })).body as AiRequestPage).data;
  if (!row) throw new Error('no request was recorded');
  return row;
};
const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: Record<string, unknown> };
  return { status: reply.status, ...error };
};

describe('AI upstreams and models', () => {
  it('are checked, never reveal their key, and mask it in the audit log', async () => {
    const { status, body } = await admin.call('getAdminAiUpstream', { path: { id: ids.upstream } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ health: 'ok', has_api_key: true, url: model.url, model_count: 1 });
    await setUpstream(ids.upstream, { api_key: 'sk-upstream' });
    const audit = await server.services.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('target_kind', '=', 'ai_upstream')
      .execute();
    expect(audit.map(({ action }) => action)).toContain('ai_upstream.update');
    expect(JSON.stringify(audit)).not.toMatch(/sk-upstream|v1\./);
  });

  it('are checked each minute unless they are disabled', async () => {
    const { db, log, seal, ai } = server.services;
    const due = async () => {
      await db.updateTable('ai_upstreams').set({ checked_at: null }).execute();
      await checkDueAiUpstreams({ db, log, seal, ai });
      const rows = await db.selectFrom('ai_upstreams').select(['id', 'checked_at']).execute();
      return rows.filter(({ checked_at }) => checked_at !== null).map(({ id }) => id);
    };
    await setUpstream(ids.spare, { state: 'disabled' });
    expect(await due()).toEqual([ids.upstream]);
    await setUpstream(ids.spare, { state: 'active' });
    expect((await due()).sort()).toEqual([ids.upstream, ids.spare].sort());
  });

  it('refuse settings that cannot work', async () => {
    const refused = async (id: 'createAdminAiUpstream' | 'createAdminAiModel', body: object) => {
      const reply = await admin.call(id, { body });
      return `${reply.status} ${JSON.stringify(reply.body)}`;
    };
    expect(await refused('createAdminAiUpstream', { name: 'gpu-1', url: model.url })).toMatch(/^409 .*name/);
    expect(await refused('createAdminAiUpstream', { name: 'x1', url: 'http://a:b@host/v1' })).toMatch(
      /^422 /,
    );
    expect(await refused('createAdminAiModel', modelBody)).toMatch(/^409 /);
    expect(await refused('createAdminAiModel', { ...modelBody, model: 'teehouse/echo' })).toMatch(/^422 /);
    const other = { ...modelBody, model: 'acme/other', upstreams: [{ upstream_id: 999, model: 'x' }] };
    expect(await refused('createAdminAiModel', other)).toMatch(/^422 .*no AI upstream 999/);
    const used = await admin.call('deleteAdminAiUpstream', { path: { id: ids.upstream } });
    expect(used.status).toBe(409);
    const moved = await admin.call('updateAdminAiUpstream', {
      path: { id: ids.upstream },
      body: { url: 'https://elsewhere.example.com/v1' },
    });
    expect(moved.status).toBe(422);
    for (const [url, reason] of [
      ['http://169.254.169.254/v1', /^422 .*The URL must start with https/],
      ['https://169.254.169.254/v1', /^422 .*It points to a private network/],
    ] as const)
      expect(await refused('createAdminAiUpstream', { name: 'metadata', url })).toMatch(reason);
  });

  it('are offered to teams', async () => {
    const { models } = (await admin.call('getAiGateway')).body as AiGateway;
    expect(models.find(({ id }) => id === 'acme/large')).toMatchObject({
      is_built_in: false,
      price_per_million: { input: '3.00', cached_input: '0.30', output: '15.00' },
    });
    const limited = await admin.call('createAiKey', { body: { name: 'One', models: ['acme/large'] } });
    expect(limited.status).toBe(201);
  });
});

describe('an answer of an upstream', () => {
  it('arrives as it was sent, and is billed by its usage', async () => {
    model.script = whole;
    const reply = await chat(BODY);
    expect(await reply.text()).toBe(WHOLE);
    const call = model.calls.at(-1);
    expect(call?.headers.authorization).toBe('Bearer sk-upstream');
    expect(call?.path).toBe('/v1/chat/completions');
    expect(call?.body).toBe(BODY.replace('acme/large', 'Large-FP8'));
    expect(await lastRequest()).toMatchObject({
      id: 'chatcmpl-upstream',
      input_tokens: 1000,
      cached_tokens: 400,
      output_tokens: 200,
      reasoning_tokens: 50,
      is_estimated: false,
      // 600 × $3 + 400 × $0.30 + 200 × $15, per million
      cost: '0.00492',
    });
    // Whether or not funds are required.
    expect((await admin.call('getBilling')).body).toMatchObject({ balance: '-0.00492' });
  });

  it('streams unchanged however it is split, without usage that only the gateway requested', async () => {
    model.script = streamed;
    const quiet = await (await chat(STREAM)).text();
    expect(quiet).toBe(EVENTS.toSpliced(3, 1).join(''));
    expect(JSON.parse(model.calls.at(-1)?.body ?? '')).toMatchObject({
      stream_options: { include_usage: true },
    });
    expect(await lastRequest()).toMatchObject({ id: 'chatcmpl-stream', is_streamed: true, cost: '0.00492' });
    const wanted = STREAM.replace('{', '{"stream_options":{"include_usage":true},');
    expect(await (await chat(wanted)).text()).toBe(EVENTS.join(''));
  });

  it('has a receipt over the bytes sent and forwarded', async () => {
    model.script = streamed;
    const reply = await chat(STREAM.replace('{', '{"provider":{"aci_verified":false},'));
    await reply.text();
    expect(JSON.parse(model.calls.at(-1)?.body ?? '')).not.toHaveProperty('provider');
    const receipt = await fetch(`${server.url}/v1/aci/receipts/${reply.headers.get('x-receipt-id')}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const { event_log, chat_id } = (await receipt.json()) as {
      event_log: Record<string, unknown>[];
      chat_id: string;
    };
    const hashes = event_log.map(({ type, body_hash }) => [type, body_hash]);
    expect(chat_id).toBe('chatcmpl-stream');
    const sha = async (text: string) =>
      `sha256:${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')}`;
    expect(hashes).toEqual([
      ['request.received', await sha(STREAM.replace('{', '{"provider":{"aci_verified":false},'))],
      ['request.forwarded', await sha(model.calls.at(-1)?.body ?? '')],
      ['upstream.verified', undefined],
      ['response.returned', await sha(EVENTS.toSpliced(3, 1).join(''))],
    ]);
  });

  it('ends when its client disconnects, billed for the tokens sent', async () => {
    model.script = async (res, call) => {
      res.setHeader('content-type', 'text/event-stream');
      while (!call.isCut) {
        res.write(chunk('more '));
        await wait(1);
      }
    };
    const left = new AbortController();
    const reply = await chat(STREAM, { signal: left.signal });
    await reply.body?.getReader().read();
    left.abort();
    await eventually('the upstream notices', async () => model.calls.at(-1)?.isCut);
    await eventually('the request is recorded', async () => (await lastRequest()).outcome === 'aborted');
    const row = await lastRequest();
    expect(row).toMatchObject({ is_estimated: true, is_streamed: true });
    expect(row.output_tokens).toBeGreaterThan(0);
  });

  it('is not billed beyond the context, whatever usage it reports', async () => {
    model.script = (res) =>
      void res.end(WHOLE.replace('"completion_tokens":200', '"completion_tokens":9007199254740991'));
    await (await chat(BODY)).text();
    expect(await lastRequest()).toMatchObject({ input_tokens: 1000, output_tokens: 99_000 });
  });
});

describe('a failing upstream', () => {
  const broken: [string, (server: ModelServer) => void, number][] = [
    ['resets the connection', (one) => (one.script = (res) => void res.destroy()), 502],
    ['sends broken JSON', (one) => (one.script = (res) => void res.end('{"choices":[')), 502],
    [
      'refuses the key',
      (one) => (one.script = (res) => void res.writeHead(401).end('{"error":{"message":"sk-upstream"}}')),
      502,
    ],
    ['is busy', (one) => (one.script = (res) => void res.writeHead(429, { 'retry-after': '7' }).end()), 503],
    [
      'sends an endless answer',
      (one) =>
        (one.script = async (res, call) => {
          const part = Buffer.alloc(1024 * 1024, ' ');
          while (!call.isCut && !res.destroyed)
            await new Promise<void>((next) => res.write(part, () => next()));
        }),
      502,
    ],
    ['hangs', (one) => (one.script = () => undefined), 504],
  ];
  it.each(broken)(
    'that %s returns an error clients can parse, or the next one answers',
    async (_, fail, status) => {
      fail(model);
      await setUpstream(ids.upstream, { timeout_seconds: 1 });
      const error = await errorOf(await chat(BODY));
      expect(error).toMatchObject({ status, type: 'server_error' });
      expect(JSON.stringify(error)).not.toContain('sk-upstream');
      expect(await lastRequest()).toMatchObject({ outcome: 'failed', status, cost: '0.00' });

      await setModel({ upstreams: [...modelBody.upstreams, { upstream_id: ids.spare, model: 'large' }] });
      expect(await (await chat(BODY)).text()).toBe(WHOLE);
      await setModel({ upstreams: modelBody.upstreams });
    },
  );

  it('forwards request errors, and tries no other upstream', async () => {
    const before = spare.calls.length;
    await setModel({ upstreams: [...modelBody.upstreams, { upstream_id: ids.spare, model: 'large' }] });
    // The failover upstream is preferred for some seconds after the failures above.
    const refuse = (res: { writeHead: (status: number) => { end: (text: string) => void } }) =>
      res
        .writeHead(400)
        .end('{"error":{"message":"Too long.","code":"context_length_exceeded","param":"messages"}}');
    model.script = refuse as ModelServer['script'];
    spare.script = refuse as ModelServer['script'];
    expect(await errorOf(await chat(BODY))).toMatchObject({
      status: 400,
      message: 'Too long.',
      code: 'context_length_exceeded',
    });
    expect(spare.calls.length - before).toBeLessThanOrEqual(1);
    await setModel({ upstreams: modelBody.upstreams });
  });

  it.each([
    ['breaks off', 'upstream_failed', (res: { destroy: () => void }) => res.destroy()],
    [
      'sends a broken event',
      'upstream_failed',
      (res: { write: (text: string) => void }) => res.write('data: {"x\n\n'),
    ],
    ['stalls', 'upstream_timeout', () => undefined],
  ])('that %s after its first bytes ends the stream with an error', async (_, code, fail) => {
    await setUpstream(ids.upstream, { timeout_seconds: 1 });
    model.script = async (res) => {
      res.setHeader('content-type', 'text/event-stream');
      for (const text of ['One', 'two'])
        await new Promise<void>((next) => res.write(chunk(text), () => next()));
      // Until the gateway has read them.
      await wait(100);
      fail(res);
    };
    const events = (await (await chat(STREAM)).text()).split(/\r?\n\r?\n/).filter((event) => event !== '');
    expect(events[0]).toContain('One');
    expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toMatchObject({ error: { code } });
    expect(await lastRequest()).toMatchObject({ outcome: 'failed', status: 200, is_estimated: true });
  });

  it('gets no more requests than its limit', async () => {
    await setUpstream(ids.upstream, { max_concurrency: 1, timeout_seconds: 60 });
    let finish = () => {};
    model.script = (res, call) => {
      finish = () => void whole(res, call);
    };
    const before = model.calls.length;
    const first = chat(BODY);
    await eventually('the first request arrives', async () => model.calls.length > before);
    expect(await errorOf(await chat(BODY))).toMatchObject({ status: 503, code: 'overloaded' });
    finish();
    expect((await first).status).toBe(200);
    await setUpstream(ids.upstream, { max_concurrency: null });
  });

  it('is not called with members that servers interpret differently', async () => {
    const twice = BODY.replace('{', '{"Model":"acme/expensive",');
    expect(await errorOf(await chat(twice))).toMatchObject({ status: 400, param: 'model' });
    // A server that ignores case would return 50 answers, of which only one was held for and is charged.
    const spelled = BODY.replace('{', '{"N":50,');
    expect(await errorOf(await chat(spelled))).toMatchObject({ status: 400, param: 'N' });
  });
});
