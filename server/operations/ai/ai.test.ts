import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyExchange } from '../../../console/lib/ai/verifyAci';
import type { AiKey, AiRequestPage, AiUsage, CreatedAiKey } from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
let other: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register('owner@example.test');
  other = await server.register('other@example.test');
});
afterAll(() => server.stop());

const created = async (body: object = {}): Promise<CreatedAiKey> => {
  const { status, body: made } = await owner.call('createAiKey', { body: { name: 'Bot', ...body } });
  expect(status, JSON.stringify(made)).toBe(201);
  return made as CreatedAiKey;
};
const v1 = (path: string, secret: string | null, body?: unknown, init: RequestInit = {}) =>
  fetch(`${server.url}/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...init,
  });
const hello = { model: 'teehouse/echo', messages: [{ role: 'user', content: 'Hello, wörld!' }] };
const chat = (secret: string | null, body: unknown = hello, init?: RequestInit) =>
  v1('/chat/completions', secret, body, init);
const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: Record<string, unknown> };
  return { status: reply.status, ...error };
};
const requests = async (query: object = {}) =>
  ((await owner.call('listAiRequests', { query: { ...query } })).body as AiRequestPage).data;

describe('AI keys', () => {
  it('are created, listed without their secret, changed and revoked, each with its audit entry', async () => {
    const { secret, key } = await created({ requests_per_minute: 100, expires_in_hours: 24 });
    expect(secret).toMatch(/^thk_ai_\w{38}$/);
    expect(key.hint).toBe(`${secret.slice(0, 12)}…${secret.slice(-4)}`);
    const list = await owner.call('listAiKeys');
    expect((list.body as AiKey[]).map(({ id }) => id)).toContain(key.id);
    expect(JSON.stringify(list.body)).not.toContain(secret);

    const change = await owner.call('updateAiKey', {
      path: { ai_key_id: key.id },
      body: { name: 'Support', tokens_per_minute: 5000 },
      headers: { 'if-match': key.etag },
    });
    expect(change.body).toMatchObject({ name: 'Support', tokens_per_minute: 5000, requests_per_minute: 100 });
    const stale = await owner.call('updateAiKey', {
      path: { ai_key_id: key.id },
      body: { name: 'Lost' },
      headers: { 'if-match': key.etag },
    });
    expect(stale.status).toBe(412);

    expect((await owner.call('revokeAiKey', { path: { ai_key_id: key.id } })).status).toBe(204);
    expect((await owner.call('revokeAiKey', { path: { ai_key_id: key.id } })).status).toBe(204);
    const late = await owner.call('updateAiKey', { path: { ai_key_id: key.id }, body: { name: 'Late' } });
    expect(late.status).toBe(409);
    expect((await chat(secret)).status).toBe(401);
    const entries = await server.services.db
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', key.id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['ai_key.create', 'ai_key.update', 'ai_key.revoke']);
  });

  it('keep their old secret for the grace period of a rotation', async () => {
    const { secret, key } = await created();
    const rotate = async (grace_hours: number) => {
      const { status, body } = await owner.call('rotateAiKey', {
        path: { ai_key_id: key.id },
        body: { grace_hours },
      });
      expect(status).toBe(200);
      return (body as CreatedAiKey).secret;
    };
    const second = await rotate(24);
    expect([(await chat(secret)).status, (await chat(second)).status]).toEqual([200, 200]);
    const third = await rotate(0);
    const statuses = await Promise.all([secret, second, third].map(async (one) => (await chat(one)).status));
    expect(statuses).toEqual([401, 401, 200]);
  });

  it('work until they expire, and show when they were last used', async () => {
    const { secret, key } = await created({ expires_in_hours: 1 });
    expect(key.last_used_at).toBeNull();
    expect((await chat(secret)).status).toBe(200);
    const listed = async () =>
      ((await owner.call('listAiKeys')).body as AiKey[]).find(({ id }) => id === key.id);
    await eventually('the use is recorded', async () => (await listed())?.last_used_at !== null);
    await server.services.db
      .updateTable('ai_keys')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('public_id', '=', key.id)
      .execute();
    expect(await errorOf(await chat(secret))).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('are inaccessible to other teams', async () => {
    const { key } = await created();
    const path = { ai_key_id: key.id };
    expect((await other.call('revokeAiKey', { path })).status).toBe(404);
    expect((await other.call('updateAiKey', { path, body: { name: 'Mine' } })).status).toBe(404);
    expect((await other.call('rotateAiKey', { path, body: {} })).status).toBe(404);
    expect((await other.call('listAiKeys')).body).toEqual([]);
    expect(
      ((await other.call('listAiRequests', { query: { key_id: key.id } })).body as AiRequestPage).data,
    ).toEqual([]);
  });

  it('accept only existing models', async () => {
    const refused = await owner.call('createAiKey', { body: { name: 'Bot', models: ['gpt-9'] } });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('gpt-9');
  });

  it('for the playground last an hour, five per member, outside the limit', async () => {
    const guest = await server.register('playground@example.test');
    const secrets: string[] = [];
    for (let i = 0; i < 7; i++) {
      const { body } = await guest.call('createAiKey', {
        body: { name: 'Playground', purpose: 'playground', expires_in_hours: 500 },
      });
      const { secret, key } = body as CreatedAiKey;
      expect(Date.parse(key.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(3_600_000);
      secrets.push(secret);
    }
    const statuses = await Promise.all(secrets.map(async (one) => (await chat(one)).status));
    expect(statuses).toEqual([401, 401, 200, 200, 200, 200, 200]);
    // Expired keys don't fill the list.
    expect((await guest.call('listAiKeys')).body).toHaveLength(5);
    expect((await guest.call('createAiKey', { body: { name: 'Bot' } })).status).toBe(201);
    expect((await guest.call('listAiKeys')).body).toHaveLength(6);
  });

  it('are limited to 100 active ones per team', async () => {
    const before = ((await other.call('listAiKeys')).body as AiKey[]).length;
    for (let i = before; i < 100; i++) await other.call('createAiKey', { body: { name: `Key ${i}` } });
    const refused = await other.call('createAiKey', { body: { name: 'One more' } });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'ERR-10-001' });
  });
});

describe('receipts', () => {
  const nonce = 'ab'.repeat(32);
  const aci = async (path: string, secret: string | null) => {
    const reply = await v1(`/aci/${path}`, secret);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const exchange = async (secret: string, body: object) => {
    const sent = JSON.stringify(body);
    const reply = await chat(secret, sent);
    const response = new Uint8Array(await reply.arrayBuffer());
    const receipt_id = reply.headers.get('x-receipt-id') ?? '';
    const { body: report } = await aci(`attestation?nonce=${nonce}`, null);
    expect(reply.headers.get('x-aci-keyset-digest')).toBe(report.workload_keyset_digest);
    const { body: receipt } = await aci(`receipts/${receipt_id}`, secret);
    const checks = verifyExchange({ report, nonce, receipt, request: Buffer.from(sent), response });
    return {
      status: reply.status,
      receipt,
      failures: checks.flatMap(({ id, state }) => (state === 'failed' ? [id] : [])),
    };
  };

  it.each([false, true])(
    'sign the exact bytes of an answer, and state that no TEE backs them (stream: %s)',
    async (stream) => {
      const { secret } = await created();
      expect((await exchange(secret, { ...hello, stream })).failures).toEqual(['tee']);
    },
  );

  it('are stored for a refused request, which was not forwarded', async () => {
    const { secret } = await created();
    const refused = await exchange(secret, { ...hello, provider: { aci_verified: true } });
    expect(refused).toMatchObject({ status: 503, failures: ['tee'] });
    expect(refused.receipt.event_log).toMatchObject([
      { type: 'request.received' },
      { type: 'upstream.verified', result: 'failed', required: true },
      { type: 'response.returned' },
    ]);
  });

  it('are readable with the key that made the request, also by the answer’s ID', async () => {
    const { secret } = await created();
    const { id } = (await (await chat(secret)).json()) as { id: string };
    expect((await aci(`receipts/${id}`, secret)).body.chat_id).toBe(id);
    const error = (status: number, type: string) => ({ status, body: { error: { type } } });
    expect(await aci(`receipts/${id}`, null)).toMatchObject(error(401, 'unauthorized'));
    expect(await aci(`receipts/${id}`, (await created()).secret)).toMatchObject(error(404, 'not_found'));
    expect(await aci(`receipts/${id}`, 'wrong')).toMatchObject(error(404, 'not_found'));
  });

  it('refuses malformed challenges and constraints', async () => {
    expect((await aci('attestation?nonce=AB', null)).status).toBe(400);
    const { secret } = await created();
    const refused = async (provider: unknown) => errorOf(await chat(secret, { ...hello, provider }));
    const session = 'ab'.repeat(32);
    expect(await refused({ aci_session_ids: [session] })).toMatchObject({
      status: 412,
      type: 'session_not_accepted',
    });
    expect(await refused({ aci_session_ids: [] })).toMatchObject({ status: 400 });
    expect(await refused({ aci_verified: false, aci_session_ids: [session] })).toMatchObject({ status: 400 });
    expect(await refused({ aci_unknown: 1 })).toMatchObject({ status: 400 });
    expect((await chat(secret, { ...hello, provider: { aci_verified: false, sort: 'price' } })).status).toBe(
      200,
    );
  });
});

describe('the gateway', () => {
  it('answers as the OpenAI API does, and counts exact tokens', async () => {
    const { secret, key } = await created();
    const reply = await chat(secret);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-teehouse-gateway')).toBe('built-in; not in a TEE');
    const answer = (await reply.json()) as { id: string };
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: 'teehouse/echo',
      choices: [{ message: { role: 'assistant', content: 'Hello, wörld!' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 },
    });
    // Stored before the last byte was sent.
    expect(await requests({ key_id: key.id })).toMatchObject([
      { id: answer.id, status: 200, outcome: 'completed', input_tokens: 4, output_tokens: 4, cost: '0.00' },
    ]);
    const [recorded] = await requests({ key_id: key.id });
    expect(recorded?.receipt_id).toBe(reply.headers.get('x-receipt-id'));
    const { days } = (await owner.call('getAiUsage')).body as AiUsage;
    expect(days.at(-1)).toMatchObject({ model: 'teehouse/echo', cost: '0.00' });
    expect(
      ((await owner.call('listAiKeys')).body as AiKey[]).find(({ id }) => id === key.id)?.last_used_at,
    ).not.toBeNull();
  });

  it('streams events, with usage if requested', async () => {
    const { secret } = await created();
    const text = await (
      await chat(secret, { ...hello, stream: true, stream_options: { include_usage: true } })
    ).text();
    const events = text.split('\n\n').filter((event) => event !== '');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)) as Chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello, wörld!');
    expect(chunks.at(-1)?.usage).toEqual({ prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('stops at the requested maximum of tokens', async () => {
    const { secret } = await created();
    const answer = (await (await chat(secret, { ...hello, max_tokens: 2 })).json()) as {
      choices: { finish_reason: string; message: { content: string } }[];
    };
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Hello,' } });
  });

  it('lists the models a key may use', async () => {
    const { secret } = await created({ models: ['teehouse/echo'] });
    const list = (await (await v1('/models', secret)).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(['teehouse/echo']);
    expect((await v1('/models/teehouse/echo', secret)).status).toBe(200);
    expect(await errorOf(await v1('/models/gpt-9', secret))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('records an abandoned answer, with the tokens sent by then', async () => {
    const { secret, key } = await created();
    const left = new AbortController();
    const content = 'word '.repeat(4000);
    const reply = await chat(
      secret,
      { model: 'teehouse/echo', stream: true, messages: [{ role: 'user', content }] },
      { signal: left.signal },
    );
    await reply.body?.getReader().read();
    left.abort();
    await eventually('it is recorded', async () => (await requests({ key_id: key.id })).length === 1);
    const [recorded] = await requests({ key_id: key.id });
    expect(recorded).toMatchObject({ outcome: 'aborted', is_streamed: true });
    expect(recorded?.output_tokens).toBeLessThan(4000);
    const { first_token_ms, duration_ms = 0, receipt_id } = recorded ?? {};
    expect(first_token_ms).toBeLessThanOrEqual(duration_ms);
    const receipt = await v1(`/aci/receipts/${receipt_id ?? ''}`, secret);
    expect(await receipt.json()).toMatchObject({ receipt_id, signature: expect.any(String) as string });
  });

  it('refuses in the shape that OpenAI clients parse', async () => {
    const { secret } = await created();
    const refused = async (reply: Promise<Response>) => errorOf(await reply);
    expect(await refused(chat(null))).toMatchObject({
      status: 401,
      type: 'authentication_error',
      code: 'invalid_api_key',
    });
    expect(await refused(chat(`${secret}x`))).toMatchObject({ status: 401 });
    expect(await refused(chat(secret, '{'))).toMatchObject({
      status: 400,
      message: 'The body is not valid JSON.',
    });
    expect(await refused(chat(secret, '['.repeat(200)))).toMatchObject({ status: 400 });
    expect(await refused(chat(secret, { model: 'teehouse/echo' }))).toMatchObject({
      status: 400,
      param: 'messages',
    });
    expect(await refused(chat(secret, { ...hello, n: 2 }))).toMatchObject({ status: 400, param: 'n' });
    expect(await refused(chat(secret, { ...hello, model: 'gpt-9' }))).toMatchObject({
      status: 404,
      param: 'model',
    });
    const long = [{ role: 'user', content: 'a '.repeat(9000) }];
    expect(await refused(chat(secret, { ...hello, messages: long }))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    const huge = [{ role: 'user', content: 'x'.repeat(2_000_000) }];
    expect(await refused(chat(secret, { ...hello, messages: huge }))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      message: expect.stringMatching(/^This model reads up to 1.000.000 characters\.$/) as string,
    });
    expect(await refused(v1('/images', secret, {}))).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  it('enforces a key’s requests and tokens per minute', async () => {
    const { secret } = await created({ requests_per_minute: 2 });
    const first = await chat(secret);
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    await chat(secret);
    const third = await chat(secret);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await errorOf(third)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });

    const frugal = await created({ tokens_per_minute: 8 });
    expect((await chat(frugal.secret)).status).toBe(200);
    expect(await errorOf(await chat(frugal.secret))).toMatchObject({ status: 429 });
  });

  it('allows cross-origin pages, without cookies', async () => {
    const preflight = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Stainless-OS');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflight.headers.get('x-teehouse-gateway')).toBe('built-in; not in a TEE');
    // Like every response of an aci/1 service.
    expect(preflight.headers.get('x-aci-version')).toBe('aci/1');
    expect(preflight.headers.get('x-aci-keyset-digest')).toMatch(/^sha256:/);
    expect((await fetch(`${server.url}/v1/models`, { headers: { cookie: owner.cookie ?? '' } })).status).toBe(
      401,
    );
  });

  // Last, because it uses up this address's rate limit.
  it('serves a key, regardless of other clients at its address', async () => {
    const { secret } = await created();
    const wrong = await Promise.all(
      Array.from({ length: 70 }, async () => (await v1('/models', 'x')).status),
    );
    expect(new Set(wrong)).toEqual(new Set([401, 429]));
    expect((await v1('/models', secret)).status).toBe(200);
  });
});

interface Chunk {
  choices: { delta: { content?: string } }[];
  usage?: object | null;
}
