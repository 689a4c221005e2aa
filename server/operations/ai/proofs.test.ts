import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { recoverMessageAddress, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, CreatedAiKey } from '../../../generated/api/types.gen';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { chunk, startModelServer, WHOLE, whole, type ModelServer } from './testing/modelServer';

/** Proofs in the formats before aci/1, and data that must be stored nowhere. */
let server: TestServer;
let admin: TestClient;
let model: ModelServer;
let secret: string;
const lines: string[] = [];

beforeAll(async () => {
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', LOG_LEVEL: 'debug' },
    write: (line) => void lines.push(line),
  });
  model = await startModelServer(whole);
  admin = await server.register('admin@example.test');
  const added = await admin.call('createAdminAiUpstream', {
    body: { name: 'gpu-1', url: model.url, api_key: UPSTREAM_KEY },
  });
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: 10_000,
      input_price: '0',
      cached_input_price: '0',
      output_price: '0',
      upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'large' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  secret = await keyOf('Bot');
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const UPSTREAM_KEY = 'canary-upstream-key-7d21';
const PROMPT = 'canary-prompt-7d21';
const ANSWER = 'canary-answer-7d21';

const keyOf = async (name: string) =>
  ((await admin.call('createAiKey', { body: { name } })).body as CreatedAiKey).secret;
const get = (path: string, key: string | null = secret) =>
  fetch(`${server.url}/v1${path}`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
const chat = (body: string, init: RequestInit = {}) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
    ...init,
  });
const bodyOf = (more: object = {}) =>
  JSON.stringify({ model: 'acme/large', messages: [{ role: 'user', content: PROMPT }], ...more });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a client that predates aci/1', () => {
  interface Signed {
    text: string;
    signature: string;
    signing_address: string;
    signing_algo: string;
  }
  const nonce = 'ab'.repeat(32);
  const report = async (query = '') =>
    (await (await get(`/attestation/report?model=acme/large&nonce=${nonce}${query}`, null)).json()) as Record<
      string,
      unknown
    >;

  it('verifies the signature over an answer’s bytes with the report’s address', async () => {
    const body = bodyOf();
    const received = await (await chat(body)).text();
    const { id } = JSON.parse(received) as { id: string };
    const signed = (await (await get(`/signature/${id}?model=acme/large`)).json()) as Signed;
    expect(signed).toMatchObject({ text: `${sha256(body)}:${sha256(received)}`, signing_algo: 'ecdsa' });
    const { signing_address, request_nonce, intel_quote, info } = await report();
    expect({ signing_address, request_nonce, intel_quote }).toEqual({
      signing_address: signed.signing_address,
      request_nonce: nonce,
      intel_quote: null,
    });
    expect(JSON.stringify(info)).toContain('does not run in a TEE');
    const { text, signature } = signed;
    expect(await recoverMessageAddress({ message: text, signature: signature as Hex })).toBe(signing_address);
    const other = (await (await get(`/signature/${id}?signing_algo=ed25519`)).json()) as Signed;
    expect(other).toMatchObject({ text, signing_algo: 'ed25519' });
    expect((await report('&signing_algo=ed25519')).signing_address).toBe(other.signing_address);
  });

  it('gets a fitting status for each invalid request', async () => {
    const { id } = (await (await chat(bodyOf())).json()) as { id: string };
    const other = await keyOf('Other');
    const statuses = await Promise.all([
      get(`/signature/${id}`, null),
      get(`/signature/${id}`, other),
      get('/signature/chatcmpl-unknown'),
      get(`/signature/${id}?signing_algo=rsa`),
      get('/attestation/report?nonce=ab', null),
      get(`/attestation/report?signing_address=0x${'00'.repeat(20)}`, null),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 400, 400, 404]);
  });
});

it('has no attested session, because it forwards prompts unverified', async () => {
  expect((await chat(bodyOf())).status).toBe(200);
  expect(await (await get('/aci/sessions', null)).json()).toMatchObject({ sessions: [] });
  const one = await get(`/aci/sessions/${'ab'.repeat(32)}`, null);
  expect(one.status).toBe(404);
  expect(await one.text()).toContain('forwards prompts without verifying the model server');
});

it('keeps no prompt, answer or key in the database, log, metrics or reports, however a request ends', async () => {
  const streamed = `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"${ANSWER}"}}]}\n\n`;
  model.script = (res) =>
    void res.setHeader('content-type', 'application/json').end(WHOLE.replace('Grüße', ANSWER));
  expect(await (await chat(bodyOf())).text()).toContain(ANSWER);
  model.script = (res) => void res.setHeader('content-type', 'text/event-stream').end(streamed);
  await (await chat(bodyOf({ stream: true }))).text();
  model.script = (res) => void res.setHeader('content-type', 'text/event-stream').end(`data: {${ANSWER}\n\n`);
  await (await chat(bodyOf({ stream: true }))).text();
  for (const status of [400, 401, 500]) {
    model.script = (res, { headers }) =>
      void res
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `${PROMPT} ${ANSWER} ${headers.authorization}` } }));
    // A model server may quote the prompt to its sender, but never the operator's key.
    expect(await (await chat(bodyOf())).text()).not.toContain(UPSTREAM_KEY);
  }
  await (await chat(`${bodyOf().slice(0, -1)},`)).text();
  await (await chat(bodyOf({ max_tokens: PROMPT }))).text();
  const left = new AbortController();
  model.script = async (res, call) => {
    res.setHeader('content-type', 'text/event-stream');
    res.write(chunk(ANSWER));
    await eventually('the model server is cut off', async () => call.isCut);
  };
  const reply = await chat(bodyOf({ stream: true }), { signal: left.signal });
  await reply.body!.getReader().read();
  left.abort();
  const { db } = server.services;
  const recorded = () => db.selectFrom('ai_requests').select('outcome').execute();
  await eventually('the last request is recorded', async () =>
    (await recorded()).some(({ outcome }) => outcome === 'aborted'),
  );

  const values = [PROMPT, ANSWER, UPSTREAM_KEY, secret];
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  expect(tables.length).toBeGreaterThan(50);
  const any = values.join('|');
  for (const { name } of tables) {
    const { rows } =
      await sql`select t::text as found from ${sql.table(name)} t where t::text ~ ${any}`.execute(db);
    expect([name, rows]).toEqual([name, []]);
  }
  expect(lines.length).toBeGreaterThan(5);
  const paths = ['/metrics', '/v1/aci/attestation', '/v1/attestation/report'];
  const shown = await Promise.all(paths.map(async (path) => (await fetch(`${server.url}${path}`)).text()));
  expect(shown[0]).toContain('# HELP');
  const log = [...lines, ...shown].join('\n');
  for (const value of values) expect([value, log.includes(value)]).toEqual([value, false]);
});
