import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeAiUsage } from '../../jobs/billing/closeAiUsage';
import { eventually } from '../../testing/server';
import { CONTEXT, reportOf, startControlTest, WORST, type ControlTest } from './testing/control';

/** Resolves when this process notices that the client of the next request for this path has disconnected. */
const closedByClient = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const seen = (message: unknown) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (request.url !== path) return;
      diagnostics.unsubscribe('http.server.request.start', seen);
      response.once('close', resolve);
    };
    diagnostics.subscribe('http.server.request.start', seen);
  });

let world: ControlTest;
beforeAll(async () => {
  world = await startControlTest();
});
afterAll(() => world.stop());

describe('a gateway outside this server', () => {
  it('gets a request admitted, reports it, and charges its team', async () => {
    const { client, team_id, pre, billing, requests, held, key_id } = await world.team();
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
    // The first upstream fails, and the gateway tries the other, whose cost is charged.
    const failed = { status: 502, errorSource: 'upstream', usage: null, ttftMs: undefined };
    expect(await world.post({ virtualKeyId, ...failed })).toEqual({ recorded: false });
    expect(await held()).toEqual([{ amount_micros: WORST }]);
    const served = reportOf({ virtualKeyId, attemptIndex: 1, selectedRouteId: 'gpu-2:acme/large' });
    expect((await world.send('/consult/post', served)).body).toEqual({ recorded: true });
    expect(await held()).toEqual([]);
    expect(await requests()).toMatchObject([
      {
        id: served.requestId,
        key_id,
        gateway: 'tee-1',
        receipt_id: null,
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
    // Gateways repeat a report if its connection broke.
    expect((await world.send('/consult/post', served)).body).toEqual({ recorded: false });
    expect(await requests()).toHaveLength(1);
    expect(await billing()).toMatchObject({ balance: '9.99508' });

    await closeAiUsage({ ...world.server.services, now: new Date(Date.now() + 2 * 3_600_000) });
    expect(await world.books.charged(team_id)).toBe(4920);
    expect((await client.call('getCurrentUser')).status).toBe(200);
  });

  it('gets no request of a team that turned the AI API off admitted', async () => {
    const { team_id, pre, held } = await world.team();
    const turn = (confidential_models_enabled: boolean) =>
      world.db.updateTable('teams').set({ confidential_models_enabled }).where('id', '=', team_id).execute();
    await turn(false);
    expect(await pre()).toMatchObject({
      allow: false,
      status: 403,
      message: expect.stringContaining('turned the AI API off') as string,
    });
    expect(await held()).toEqual([]);
    await turn(true);
    expect(await pre()).toMatchObject({ allow: true });
  });

  it('records a request once despite many concurrent reports', async () => {
    const { pre, requests, billing } = await world.team();
    const { virtualKeyId } = await pre();
    const reports = await Promise.all(Array.from({ length: 20 }, () => world.post({ virtualKeyId })));
    expect(reports.filter(({ recorded }) => recorded === true)).toHaveLength(1);
    expect(await requests()).toHaveLength(1);
    expect(await billing()).toMatchObject({ balance: '9.99508' });
  });

  it('charges the price at admission, whatever prices the report states', async () => {
    const { pre, requests } = await world.team();
    const { virtualKeyId } = await pre();
    await world.post({ virtualKeyId, pricing: { inputCostPerToken: '0' }, requestModel: 'acme/free' });
    expect(await requests()).toMatchObject([{ cost: '0.00492', model: 'acme/large' }]);
  });

  it('records the outcome of requests without a complete answer', async () => {
    const { pre, requests, held } = await world.team();
    const estimate = { request: { estimatedPromptTokens: 100 } };
    const ended = async (more: object) =>
      world.post({ virtualKeyId: (await pre(estimate)).virtualKeyId, ...more });
    const failed = { selectedRouteId: null, errorSource: 'upstream', usage: null, ttftMs: undefined };
    expect(await ended({ ...failed, status: 502 })).toEqual({ recorded: true });
    // Free before the first byte.
    expect(await ended({ status: 499, usage: null, ttftMs: undefined })).toEqual({ recorded: true });
    // Afterwards an estimate is charged: 100 tokens in, and 72 out in 0.718 s.
    expect(await ended({ status: 499, usage: null })).toEqual({ recorded: true });
    expect(await ended({ usage: null, endpoint: '/v1/messages' })).toEqual({ recorded: true });
    // A stream that breaks off after the upstream reported usage.
    expect(await ended({ status: 502 })).toEqual({ recorded: true });
    // An estimate is at most one context.
    expect(await ended({ status: 499, usage: null, durationMs: 1e300 })).toEqual({ recorded: true });
    const rows = (await requests()).map((one) => [
      one.outcome,
      one.status,
      one.endpoint,
      one.cost,
      one.is_estimated,
    ]);
    expect(rows).toEqual([
      ['aborted', 499, 'chat.completions', '0.1488', true],
      ['failed', 502, 'chat.completions', '0.00492', false],
      ['completed', 200, 'other', '0.00138', true],
      ['aborted', 499, 'chat.completions', '0.00138', true],
      ['aborted', 499, 'chat.completions', '0.00', false],
      ['failed', 502, 'chat.completions', '0.00', false],
    ]);
    expect(await held()).toEqual([]);
  });

  it('holds the cost of another attempt after a failure, for ten minutes if there is none', async () => {
    // Money for one request at a time.
    const { pre, team_id } = await world.team(WORST);
    const failed = { errorSource: 'upstream', usage: null, ttftMs: undefined };
    const first = await pre();
    await world.post({ virtualKeyId: first.virtualKeyId, ...failed, status: 502 });
    expect(await pre()).toMatchObject({ allow: false, status: 402 });
    const later = (minutes: number) =>
      sql`update ai_holds set created_at = created_at - make_interval(mins => ${minutes})
        where team_id = ${team_id}`.execute(world.db);
    await later(9);
    // Repeating the report doesn't extend the hold.
    await world.post({ virtualKeyId: first.virtualKeyId, ...failed, status: 503 });
    expect(await pre()).toMatchObject({ allow: false, status: 402 });
    await later(1);
    const second = await pre();
    expect(second).toMatchObject({ allow: true });
    // An invalid request fails at every upstream.
    await world.post({ virtualKeyId: second.virtualKeyId, ...failed, status: 400 });
    expect(await pre()).toMatchObject({ allow: true });
  });

  it('releases the hold of a gateway that did not wait for the answer', async () => {
    const { apiKeyHash, team_id, held } = await world.team();
    const left = new AbortController();
    const writers = async () => {
      const { rows } = await sql<{ granted: boolean }>`select granted from pg_locks
        where relation = 'ai_consults'::regclass and mode = 'RowExclusiveLock'`.execute(world.db);
      return rows;
    };
    await world.db.transaction().execute(async (trx) => {
      await sql`lock table ai_consults in share mode`.execute(trx);
      const closed = closedByClient('/ai-control/consult/pre');
      const asked = fetch(`${world.server.url}/ai-control/consult/pre`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.tokens.control_token}` },
        body: JSON.stringify({ apiKeyHash, model: 'acme/large' }),
        signal: left.signal,
      }).catch(() => undefined);
      await eventually('the money is set aside, and the record of the request waits', async () =>
        (await writers()).some(({ granted }) => !granted),
      );
      left.abort();
      await Promise.all([asked, closed]);
    });
    // Both are stored now.
    await eventually('the request is allowed', async () => (await writers()).length === 0);
    const open = () =>
      world.db.selectFrom('ai_consults').select('id').where('team_id', '=', team_id).execute();
    await eventually('it is forgotten', async () => (await open()).length + (await held()).length === 0);
  });

  it('holds the total possible cost of requests in progress', async () => {
    // Money for 10 whole contexts, and 200 concurrent requests.
    const { pre, requests, billing } = await world.team(WORST * 10);
    const replies = await Promise.all(Array.from({ length: 200 }, () => pre()));
    const allowed = replies.filter(({ allow }) => allow === true);
    expect(allowed).toHaveLength(10);
    const denied = replies.find(({ allow }) => allow === false);
    expect(denied).toMatchObject({
      status: 402,
      message: expect.stringMatching(/^This request can cost up to/),
    });
    const usage = { prompt_tokens: 0, completion_tokens: CONTEXT };
    await Promise.all(allowed.map(({ virtualKeyId }) => world.post({ virtualKeyId, usage })));
    expect(await requests()).toHaveLength(10);
    expect(await billing()).toMatchObject({ balance: '0.00' });
  });

  it('is denied requests that a client may not make, with the reason', async () => {
    const { pre, client, key_id, apiKeyHash } = await world.team();
    expect((await world.send('/consult/pre', { model: 'acme/large' })).body).toEqual({
      allow: false,
      status: 401,
      message: 'Send an AI key: Authorization: Bearer thk_ai_….',
    });
    expect(await pre({ apiKeyHash: 'ab'.repeat(32) })).toMatchObject({ allow: false, status: 401 });
    expect(await pre({ model: undefined })).toMatchObject({ status: 404 });
    expect(await pre({ model: 'acme/none' })).toMatchObject({
      status: 404,
      message: "The model “acme/none” doesn't exist here, or this key doesn't have access to it.",
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
    expect((await world.send('/consult/pre', { apiKeyHash, model: 'acme/large' })).body).toMatchObject({
      status: 401,
      message: 'Invalid AI key. It may have expired or been revoked.',
    });
  });

  it('applies the limits of keys: models, requests and tokens per minute, budgets', async () => {
    const few = await world.team(10_000_000, { models: ['teehouse/echo'] });
    expect(await few.pre()).toMatchObject({ status: 404 });

    const slow = await world.team(10_000_000, { requests_per_minute: 1 });
    expect(await slow.pre()).toMatchObject({ allow: true });
    const { rateLimit, ...denied } = await slow.pre();
    expect(denied).toEqual({ allow: false, status: 429, message: 'This key may send 1 request per minute.' });
    const { limit, resetAt } = rateLimit as { limit: number; resetAt: number };
    expect(limit).toBe(1);
    expect(resetAt).toBeGreaterThan(Date.now() / 1000);
    expect(resetAt).toBeLessThan(Date.now() / 1000 + 62);

    const small = await world.team(10_000_000, { tokens_per_minute: 100 });
    await world.post({ virtualKeyId: (await small.pre()).virtualKeyId });
    expect(await small.pre()).toMatchObject({ status: 429, rateLimit: { limit: 100 } });

    const poor = await world.team(10_000_000, { budget: '0.2', budget_period: 'month' });
    expect(await poor.pre()).toMatchObject({ allow: true });
    expect(await poor.pre()).toMatchObject({ status: 402, message: expect.stringContaining('budget') });
  });

  it('lists its routable models, and reads its configuration with its other token', async () => {
    const expected = {
      id: 'acme/large',
      context_length: CONTEXT,
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
    };
    expect((await world.send('/models')).body).toMatchObject({ data: [expected] });
    expect((await world.send('/models?tee=true')).body).toEqual({ object: 'list', data: [] });
    expect((await world.send('/embeddings/models')).body).toEqual({ object: 'list', data: [] });
    expect((await world.send('/upstreams')).status).toBe(401);
    const base = world.model.url.replace('/v1', '');
    expect((await world.send('/upstreams', undefined, world.tokens.config_token)).body).toEqual({
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
    expect((await world.send('/models', undefined, world.tokens.config_token)).status).toBe(401);
  });

  it('gets clear errors for invalid requests', async () => {
    const error = async (path: string, body: unknown, token?: string) => {
      const reply = await world.send(path, body, token);
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
    const broken = ': It contains a NUL character or an unpaired surrogate.';
    expect(await error('/consult/post', reportOf({ requestId: 'a\0b' }))).toBe(`400 requestId${broken}`);
    expect(await error('/consult/pre', { provider: { 'a\ud800': 1 } })).toBe(`400 provider${broken}`);
    expect(await error('/nothing', {})).toMatch(/^404 Unknown request: POST \/nothing/);
    // Reports of requests never admitted, or from another gateway, record nothing.
    expect(await world.post({})).toEqual({ recorded: false });
    const { pre, requests } = await world.team();
    const { virtualKeyId } = await pre();
    const other = await world.issue((await world.addGateway('tee-2')).id);
    const stolen = await world.send('/consult/post', reportOf({ virtualKeyId }), other.control_token);
    expect(stolen.body).toEqual({ recorded: false });
    expect(await requests()).toEqual([]);
  });

  it('charges no more than a model can answer, whatever is reported', async () => {
    const { pre, requests } = await world.team();
    const { virtualKeyId } = await pre();
    await world.post({ virtualKeyId, usage: { prompt_tokens: 9e15, completion_tokens: 9e15 } });
    const [row] = await requests();
    expect(row!.input_tokens + row!.output_tokens).toBe(CONTEXT * 128);
  });

  // Last, because it uses up this address's rate limit.
  it('is served, regardless of other clients at its address', async () => {
    const wrong = Array.from(
      { length: 70 },
      async () => (await world.send('/consult/post', reportOf({}), 'wrong')).status,
    );
    expect(new Set(await Promise.all(wrong))).toEqual(new Set([401, 429]));
    expect((await world.send('/consult/post', reportOf({}))).status).toBe(200);
  });
});
