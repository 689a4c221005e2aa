import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminAiGateway,
  AdminAiGatewayTokens,
  AdminAiUpstream,
  AiGateway,
  AiRequestPage,
  Billing,
  CreatedAiKey,
} from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { closeAiUsage } from '../../jobs/billing/closeAiUsage';
import { housekeeping } from '../../jobs/core/housekeeping';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { startModelServer, whole, type ModelServer } from '../../operations/ai/testing/modelServer';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** No worker runs: the tests close the hours. */
let server: TestServer;
let admin: TestClient;
let books: Books;
let model: ModelServer;
let tokens: AdminAiGatewayTokens;
let gateway_id: number;

const IMAGE = `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`;
const CONTEXT = 10_000;
/** Micro-dollars: a whole context at the price of answers. */
const WORST = CONTEXT * 15;

beforeAll(async () => {
  server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  books = await startBooks(server.services);
  model = await startModelServer(whole);
  const upstreams = [
    { name: 'gpu-1', url: model.url, api_key: 'sk-upstream' },
    { name: 'gpu-2', url: model.url.replace('/v1', '/openai') },
  ].map(async (body) => {
    const added = await admin.call('createAdminAiUpstream', { body });
    return (added.body as AdminAiUpstream).id;
  });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: CONTEXT,
      input_price: '3',
      cached_input_price: '0.3',
      output_price: '15',
      upstreams: (await Promise.all(upstreams)).map((upstream_id) => ({ upstream_id, model: 'Large-FP8' })),
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  gateway_id = (await addGateway('tee-1')).id;
  tokens = await issue(gateway_id);
});
afterAll(async () => {
  expect(await checkBooks(db())).toEqual([]);
  await server.stop();
  await model.stop();
});

const db = () => server.services.db;
const addGateway = async (name: string) => {
  const added = await admin.call('createAdminAiGateway', {
    body: { name, url: 'https://ai.example.com/v1/', image: IMAGE },
  });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body as AdminAiGateway;
};
const issue = async (id: number) => {
  const issued = await admin.call('issueAdminAiGatewayTokens', { path: { id } });
  expect(issued.status, JSON.stringify(issued.body)).toBe(200);
  return issued.body as AdminAiGatewayTokens;
};

async function send(path: string, body?: unknown, token = tokens.control_token) {
  const reply = await fetch(`${server.url}/ai-control${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

async function team(funds = 10_000_000, key: object = {}) {
  const client = await server.register();
  const { team_id } = await identityOf(db(), client.email!);
  if (funds > 0) await books.topUp(team_id, funds);
  const created = await client.call('createAiKey', { body: { name: 'Bot', ...key } });
  const { secret, key: made } = created.body as CreatedAiKey;
  const apiKeyHash = createHash('sha256').update(secret).digest('hex');
  return {
    client,
    team_id,
    key_id: made.id,
    apiKeyHash,
    pre: async (more: object = {}) =>
      (await send('/consult/pre', { apiKeyHash, model: 'acme/large', ...more })).body,
    billing: async () => (await client.call('getBilling')).body as Billing,
    requests: async () => ((await client.call('listAiRequests')).body as AiRequestPage).data,
    held: () => db().selectFrom('ai_holds').select('amount_micros').where('team_id', '=', team_id).execute(),
  };
}

let count = 0;
const reportOf = (more: object) => ({
  requestId: `req_${(count += 1)}`,
  endpoint: '/v1/chat/completions',
  status: 200,
  durationMs: 812,
  ttftMs: 94,
  isStreaming: true,
  attemptIndex: 0,
  selectedRouteId: 'gpu-1:acme/large',
  requestModel: 'acme/large',
  usage: { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } },
  pricing: null,
  ...more,
});
const post = async (more: object) => (await send('/consult/post', reportOf(more))).body;

describe('a gateway outside this server', () => {
  it('is allowed a request, reports it, and its team pays for it', async () => {
    const { client, team_id, pre, billing, requests, held, key_id } = await team();
    const allowed = await pre({ provider: { aci_verified: true }, request: { estimatedPromptTokens: 900 } });
    expect(allowed).toEqual({
      allow: true,
      pricing: {
        inputCostPerToken: '0.000003',
        outputCostPerToken: '0.000015',
        cacheReadCostPerToken: '0.0000003',
      },
      candidates: [
        { routeId: 'gpu-1:acme/large', format: 'openai' },
        { routeId: 'gpu-2:acme/large', format: 'openai' },
      ],
      virtualKeyId: expect.any(Number),
    });
    expect(await held()).toEqual([{ amount_micros: WORST }]);

    const { virtualKeyId } = allowed;
    // The first upstream fails, and the gateway tries the other.
    expect(await post({ virtualKeyId, status: 502, errorSource: 'upstream' })).toEqual({ recorded: false });
    expect(await held()).toEqual([{ amount_micros: WORST }]);
    const served = reportOf({ virtualKeyId, attemptIndex: 1, selectedRouteId: 'gpu-2:acme/large' });
    expect((await send('/consult/post', served)).body).toEqual({ recorded: true });
    expect(await held()).toEqual([]);
    expect(await requests()).toMatchObject([
      {
        id: served.requestId,
        key_id,
        gateway: 'tee-1',
        endpoint: 'chat.completions',
        status: 200,
        outcome: 'completed',
        is_streamed: true,
        input_tokens: 1000,
        cached_tokens: 400,
        output_tokens: 200,
        is_estimated: false,
        first_token_ms: 94,
        duration_ms: 812,
        // 600 × $3 + 400 × $0.30 + 200 × $15, per million
        cost: '0.00492',
      },
    ]);
    // Gateways repeat a report whose connection broke.
    expect((await send('/consult/post', served)).body).toEqual({ recorded: false });
    expect(await requests()).toHaveLength(1);
    expect(await billing()).toMatchObject({ balance: '9.99508' });

    await closeAiUsage({ ...server.services, now: new Date(Date.now() + 2 * 3_600_000) });
    expect(await books.charged(team_id)).toBe(4920);
    expect((await client.call('getCurrentUser')).status).toBe(200);
  });

  it('records a request once when it is reported many times concurrently', async () => {
    const { pre, requests, billing } = await team();
    const { virtualKeyId } = await pre();
    const reports = await Promise.all(Array.from({ length: 20 }, () => post({ virtualKeyId })));
    expect(reports.filter(({ recorded }) => recorded === true)).toHaveLength(1);
    expect(await requests()).toHaveLength(1);
    expect(await billing()).toMatchObject({ balance: '9.99508' });
  });

  it('charges the price of when the request was allowed, whatever the report says of prices', async () => {
    const { pre, requests } = await team();
    const { virtualKeyId } = await pre();
    await post({ virtualKeyId, pricing: { inputCostPerToken: '0' }, requestModel: 'acme/free' });
    expect(await requests()).toMatchObject([{ cost: '0.00492', model: 'acme/large' }]);
  });

  it('records how requests ended that got no whole answer', async () => {
    const { pre, requests, held } = await team();
    const estimate = { request: { estimatedPromptTokens: 100 } };
    const ended = async (more: object) => post({ virtualKeyId: (await pre(estimate)).virtualKeyId, ...more });
    const failed = { selectedRouteId: null, errorSource: 'upstream', usage: null, ttftMs: undefined };
    expect(await ended({ ...failed, status: 502 })).toEqual({ recorded: true });
    // Before the first byte it is free; afterwards, without usage, what the gateway estimated is charged.
    expect(await ended({ status: 499, usage: null, ttftMs: undefined })).toEqual({ recorded: true });
    expect(await ended({ status: 499, usage: null })).toEqual({ recorded: true });
    expect(await ended({ usage: null, endpoint: '/v1/messages' })).toEqual({ recorded: true });
    const rows = (await requests()).map((one) => [
      one.outcome,
      one.status,
      one.endpoint,
      one.cost,
      one.is_estimated,
    ]);
    expect(rows).toEqual([
      ['completed', 200, 'other', '0.0003', true],
      ['aborted', 499, 'chat.completions', '0.0003', true],
      ['aborted', 499, 'chat.completions', '0.00', true],
      ['failed', 502, 'chat.completions', '0.00', false],
    ]);
    expect(await held()).toEqual([]);
  });

  it('holds what requests in progress can cost together', async () => {
    // Money for 10 whole contexts, and 200 concurrent requests.
    const { pre, requests, billing } = await team(WORST * 10);
    const replies = await Promise.all(Array.from({ length: 200 }, () => pre()));
    const allowed = replies.filter(({ allow }) => allow === true);
    expect(allowed).toHaveLength(10);
    const denied = replies.find(({ allow }) => allow === false);
    expect(denied).toMatchObject({
      status: 402,
      message: expect.stringMatching(/^This request can cost up to/),
    });
    const usage = { prompt_tokens: 0, completion_tokens: CONTEXT };
    await Promise.all(allowed.map(({ virtualKeyId }) => post({ virtualKeyId, usage })));
    expect(await requests()).toHaveLength(10);
    expect(await billing()).toMatchObject({ balance: '0.00' });
  });

  it('is denied what a client may not have, with the reason for it', async () => {
    const { pre, client, key_id, apiKeyHash } = await team();
    expect((await send('/consult/pre', { model: 'acme/large' })).body).toEqual({
      allow: false,
      status: 401,
      message: 'Send an AI key: Authorization: Bearer thk_ai_….',
    });
    expect(await pre({ apiKeyHash: 'ab'.repeat(32) })).toMatchObject({ allow: false, status: 401 });
    expect(await pre({ model: undefined })).toMatchObject({ status: 404 });
    expect(await pre({ model: 'acme/none' })).toMatchObject({
      status: 404,
      message: "The model “acme/none” doesn't exist here, or this key may not use it.",
    });
    // Only this server has the built-in model.
    expect(await pre({ model: 'teehouse/echo' })).toMatchObject({ status: 404 });
    // None of the model servers is in a TEE.
    expect(await pre({ tee: true })).toMatchObject({ status: 404 });
    expect(await pre({ provider: { only: ['a'] } })).toMatchObject({
      status: 400,
      message: "This service doesn't route by “provider.only”. Leave it out.",
    });
    for (const provider of ['all', [], 3]) expect(await pre({ provider })).toMatchObject({ status: 400 });
    await client.call('revokeAiKey', { path: { ai_key_id: key_id } });
    expect((await send('/consult/pre', { apiKeyHash, model: 'acme/large' })).body).toMatchObject({
      status: 401,
      message: 'This AI key is not valid. It may have been revoked, or have expired.',
    });
  });

  it('applies the limits of keys: models, requests and tokens per minute, budgets', async () => {
    const few = await team(10_000_000, { models: ['teehouse/echo'] });
    expect(await few.pre()).toMatchObject({ status: 404 });

    const slow = await team(10_000_000, { requests_per_minute: 1 });
    expect(await slow.pre()).toMatchObject({ allow: true });
    const { rateLimit, ...denied } = await slow.pre();
    expect(denied).toEqual({ allow: false, status: 429, message: 'This key may send 1 request per minute.' });
    const { limit, resetAt } = rateLimit as { limit: number; resetAt: number };
    expect(limit).toBe(1);
    expect(resetAt).toBeGreaterThan(Date.now() / 1000);
    expect(resetAt).toBeLessThan(Date.now() / 1000 + 62);

    const small = await team(10_000_000, { tokens_per_minute: 100 });
    await post({ virtualKeyId: (await small.pre()).virtualKeyId });
    expect(await small.pre()).toMatchObject({ status: 429, rateLimit: { limit: 100 } });

    const poor = await team(10_000_000, { budget: '0.2', budget_period: 'month' });
    expect(await poor.pre()).toMatchObject({ allow: true });
    expect(await poor.pre()).toMatchObject({ status: 402, message: expect.stringContaining('budget') });
  });

  it('lists the models it can route, and reads its configuration with its other token', async () => {
    const expected = {
      id: 'acme/large',
      context_length: CONTEXT,
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
    };
    expect((await send('/models')).body).toMatchObject({ data: [expected] });
    expect((await send('/models?tee=true')).body).toEqual({ object: 'list', data: [] });
    expect((await send('/embeddings/models')).body).toEqual({ object: 'list', data: [] });
    expect((await send('/upstreams')).status).toBe(401);
    const base = model.url.replace('/v1', '');
    expect((await send('/upstreams', undefined, tokens.config_token)).body).toEqual({
      schema_version: 1,
      generated_at: expect.any(String),
      upstreams: [
        {
          name: 'gpu-1',
          base_url: base,
          models: { 'acme/large': 'Large-FP8' },
          read_timeout_seconds: 300,
          bearer_token: 'sk-upstream',
        },
        {
          name: 'gpu-2',
          base_url: base,
          path: '/openai/chat/completions',
          models: { 'acme/large': 'Large-FP8' },
          read_timeout_seconds: 300,
        },
      ],
    });
    expect((await send('/models', undefined, tokens.config_token)).status).toBe(401);
  });

  it('gets clear errors for what it should not send', async () => {
    const error = async (path: string, body: unknown, token?: string) => {
      const reply = await send(path, body, token);
      return `${reply.status} ${(reply.body.error as { message: string }).message}`;
    };
    const token = 'Send the control token of an AI gateway of this server.';
    expect(await error('/consult/pre', {}, 'thk_aig_nothing')).toBe(`401 ${token}`);
    expect(await error('/consult/pre', {}, '')).toBe(`401 ${token}`);
    expect(await error('/consult/pre', '{')).toBe('400 The body is not valid JSON.');
    expect(await error('/consult/pre', '[]')).toMatch(/^400 body: /);
    expect(await error('/consult/pre', { apiKeyHash: 'AB' })).toBe(
      '400 apiKeyHash: It must be a SHA-256 in lower-case hexadecimal.',
    );
    expect(await error('/consult/pre', { model: 'x'.repeat(201) })).toMatch(/^400 model: /);
    expect(await error('/consult/pre', { model: 'x'.repeat(70_000) })).toBe(
      '413 The body is larger than 64 KiB.',
    );
    expect(await error('/consult/post', reportOf({ status: 'ok' }))).toMatch(/^400 status: /);
    expect(await error('/consult/post', reportOf({ durationMs: -1 }))).toMatch(/^400 durationMs: /);
    expect(await error('/nothing', {})).toMatch(/^404 Unknown request: POST \/nothing/);
    // Reports of requests that were never allowed, or by another gateway, record nothing.
    expect(await post({})).toEqual({ recorded: false });
    const { pre, requests } = await team();
    const { virtualKeyId } = await pre();
    const other = await issue((await addGateway('tee-2')).id);
    const stolen = await send('/consult/post', reportOf({ virtualKeyId }), other.control_token);
    expect(stolen.body).toEqual({ recorded: false });
    expect(await requests()).toEqual([]);
  });

  it('charges no more than a model can answer, whatever is reported', async () => {
    const { pre, requests } = await team();
    const { virtualKeyId } = await pre();
    await post({ virtualKeyId, usage: { prompt_tokens: 9e15, completion_tokens: 9e15 } });
    const [row] = await requests();
    expect(row!.input_tokens + row!.output_tokens).toBe(CONTEXT * 128);
  });
});

describe('AI gateways in the admin area', () => {
  it('show how to run one, and whether it calls', async () => {
    const { body } = await admin.call('getAdminAiGateway', { path: { id: gateway_id } });
    const shown = body as AdminAiGateway;
    expect(shown).toMatchObject({ name: 'tee-1', url: 'https://ai.example.com', state: 'active' });
    expect(shown.last_seen_at).not.toBeNull();
    expect(shown.request_count).toBeGreaterThan(0);
    expect(shown.compose).toContain(`image: ${IMAGE}`);
    expect(shown.compose).toContain(`"control_url": "${tokens.control_url}"`);
    expect(shown.compose).not.toMatch(/thk_aig_/);
    const { others } = (await admin.call('getAiGateway')).body as AiGateway;
    expect(others).toContainEqual({
      name: 'tee-1',
      base_url: 'https://ai.example.com/v1',
      report_url: 'https://ai.example.com/v1/aci/attestation',
    });
  });

  it('issue new tokens that replace the others, which appear nowhere', async () => {
    const { id } = await addGateway('tee-3');
    const first = await issue(id);
    const second = await issue(id);
    expect((await send('/models', undefined, first.control_token)).status).toBe(401);
    expect((await send('/models', undefined, second.control_token)).status).toBe(200);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(a)::text as row from audit_log a where target_kind = 'ai_gateway'
      union all select to_jsonb(g)::text from ai_gateways g`.execute(db());
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [second.control_token, second.config_token]) expect(stored).not.toContain(secret);
    expect(stored).toContain('ai_gateway.issue_tokens');
  });

  it('stop a disabled one, whose requests in progress still count, and remove only a disabled one', async () => {
    const { id } = await addGateway('tee-4');
    const { control_token } = await issue(id);
    const { apiKeyHash, requests } = await team();
    const asked = { apiKeyHash, model: 'acme/large' };
    const { virtualKeyId } = (await send('/consult/pre', asked, control_token)).body;
    expect((await admin.call('deleteAdminAiGateway', { path: { id } })).status).toBe(409);
    await admin.call('updateAdminAiGateway', { path: { id }, body: { state: 'disabled' } });
    expect((await send('/consult/pre', asked, control_token)).body).toMatchObject({
      allow: false,
      status: 503,
    });
    expect((await send('/consult/post', reportOf({ virtualKeyId }), control_token)).body).toEqual({
      recorded: true,
    });
    expect((await admin.call('deleteAdminAiGateway', { path: { id } })).status).toBe(204);
    expect(await requests()).toMatchObject([{ gateway: null, cost: '0.00492' }]);
    expect((await send('/models', undefined, control_token)).status).toBe(401);
  });

  it('refuse images without a digest, names that are taken, and addresses that carry more', async () => {
    const create = async (more: object) => {
      const body = { name: 'tee-9', url: 'https://ai.example.com', image: IMAGE, ...more };
      const reply = await admin.call('createAdminAiGateway', { body });
      return `${reply.status} ${JSON.stringify(reply.body)}`;
    };
    expect(await create({ image: 'gateway:latest' })).toMatch(/^422 .*image/);
    expect(await create({ name: 'tee-1' })).toMatch(/^409 .*An AI gateway with this name already exists/);
    expect(await create({ url: 'https://a:b@ai.example.com' })).toMatch(/^422 .*without a user name/);
    expect(await create({ url: 'https://ai.example.com/?a=1' })).toMatch(/^422 /);
    const member = await server.register();
    expect((await member.call('listAdminAiGateways')).status).toBe(403);
    expect((await member.call('issueAdminAiGatewayTokens', { path: { id: gateway_id } })).status).toBe(403);
  });

  it('forget what they allowed after a day', async () => {
    const { pre } = await team();
    await pre();
    await sql`update ai_consults set created_at = now() - interval '25 hours'`.execute(db());
    await housekeeping(db());
    expect(await db().selectFrom('ai_consults').select('id').execute()).toEqual([]);
  });
});
