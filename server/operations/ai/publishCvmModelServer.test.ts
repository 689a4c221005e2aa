import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminAiModel, AdminAiUpstream } from '../../../generated/api/types.gen';
import { hashToken, newToken, tokenPrefix } from '../../domain/teams/token';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { whole } from './testing/modelServer';

const COMPOSE = 'services:\n  model:\n    image: engine:1\n    ports: ["8080:8080"]\n';

let server: TestServer;
let admin: TestClient;
let cvm_id: string;
let stopped_id: string;
let url: string;

/** The model server in the CVM: like llama.cpp, it lists its models without a key. */
const engine = { key: 'right', model: 'qwen3', status: 200, requests: [] as string[] };
let gateway: Server;

beforeAll(async () => {
  gateway = createServer((req, res) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      engine.requests.push(`${req.method} ${req.headers.host}${req.url}`);
      if (req.url === '/v1/models') return res.end('{"object":"list","data":[]}');
      if (req.headers.authorization !== `Bearer ${engine.key}`) return res.writeHead(401).end();
      const { model } = JSON.parse(body) as { model: string };
      if (model !== engine.model) return res.writeHead(404).end();
      if (engine.status !== 200) return res.writeHead(engine.status).end();
      return whole(res, { path: req.url ?? '', headers: req.headers, body, isCut: false });
    })();
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  // The first user is an administrator.
  admin = await server.register();
  const { db } = server.services;
  const host = await insertHost(db, { name: 'models' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `cvm.localhost:${port}` })
    .where('id', '=', host.teepod.id)
    .execute();
  const who = await identityOf(db, admin.email!);
  const app = await insertApp(db, { ...who, host, name: 'models', compose: COMPOSE });
  url = `http://${app.app.app_id}-8080.cvm.localhost:${port}/v1`;
  const insert = async (status: 'running' | 'stopped') =>
    (await insertCvm(db, { ...app, host, user_id: who.user_id, change: { status } })).vm_uuid;
  [cvm_id, stopped_id] = [await insert('running'), await insert('stopped')];
});
afterAll(async () => {
  await server?.stop();
  gateway.closeAllConnections();
  gateway.close();
});
beforeEach(async () => {
  Object.assign(engine, { key: 'right', model: 'qwen3', status: 200, requests: [] });
  for (const table of ['ai_models', 'ai_upstreams'] as const)
    await server.services.db.deleteFrom(table).execute();
});

const BODY = {
  port: 8080,
  served_name: 'qwen3',
  api_key: 'right',
  model: 'acme/qwen3',
  name: 'Qwen3',
  context_length: 8192,
  input_modalities: ['text' as const, 'image' as const],
  input_price: '0.2',
  output_price: '1',
};

const publish = (change: object = {}, { id = cvm_id, client = admin } = {}) =>
  client.call('publishCvmModelServer', { path: { cvm_id: id }, body: { ...BODY, ...change } });
const read = async () => ({
  upstreams: (await admin.call('listAdminAiUpstreams')).body as AdminAiUpstream[],
  models: (await admin.call('listAdminAiModels')).body as AdminAiModel[],
});
const auditOf = () =>
  server.services.db
    .selectFrom('audit_log')
    .select(['action', 'target_id', 'team_id', 'before', 'after'])
    .where('target_kind', 'in', ['ai_upstream', 'ai_model'])
    .orderBy('id')
    .execute();
/** Adds an upstream at the address, as an administrator does. */
async function addUpstream(change: object = {}): Promise<AdminAiUpstream> {
  const { status, body } = await admin.call('createAdminAiUpstream', {
    body: { name: 'by-hand', url, api_key: 'old', ...change },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as AdminAiUpstream;
}
async function ask(): Promise<number> {
  const { body } = await admin.call('createAiKey', { body: { name: 'Bot' } });
  const reply = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(body as { secret: string }).secret}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'acme/qwen3', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await reply.text();
  return reply.status;
}

describe('a model of a CVM', () => {
  it('is published behind the API and answers', async () => {
    const { status, body } = await publish();
    expect(status, JSON.stringify(body)).toBe(201);
    const { upstreams, models } = await read();
    expect(upstreams).toMatchObject([
      { url, state: 'active', health: 'ok', has_api_key: true, model_count: 1, evidence_required: false },
    ]);
    expect(models).toEqual([body]);
    expect(models).toMatchObject([
      {
        model: 'acme/qwen3',
        input_price: '0.20',
        cached_input_price: '0.20',
        upstreams: [{ upstream_id: upstreams[0]?.id, model: 'qwen3' }],
      },
    ]);
    expect(await ask()).toBe(200);
    const audit = (await auditOf()).slice(-2);
    expect(audit).toMatchObject([
      { action: 'ai_upstream.create', team_id: null, after: { url } },
      { action: 'ai_model.create', team_id: null, after: { model: 'acme/qwen3' } },
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/right|v1\./);
  });

  it('gives an unused upstream at its address the new key, and keeps its other settings', async () => {
    const { id } = await addUpstream({ state: 'disabled', max_concurrency: 3 });
    expect((await publish()).status).toBe(201);
    const { upstreams } = await read();
    expect(upstreams).toMatchObject([
      { id, name: 'by-hand', state: 'active', max_concurrency: 3, model_count: 1, health: 'ok' },
    ]);
    expect(await ask()).toBe(200);
    const [changed] = (await auditOf()).slice(-2);
    expect(changed).toMatchObject({
      action: 'ai_upstream.update',
      target_id: String(id),
      before: { state: 'disabled' },
      after: { state: 'active' },
    });
  });

  it('is added once, however often the request is repeated', async () => {
    const send = () =>
      admin.with({ 'idempotency-key': 'publish-1' }).call('publishCvmModelServer', {
        path: { cvm_id },
        body: BODY,
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await read()).models).toHaveLength(1);
  });
});

describe('nothing changes', () => {
  /** Expects the existing upstream to be unchanged, with its key, and no log entry. */
  async function changesNothing(work: () => Promise<void>): Promise<void> {
    const state = async () => ({
      ...(await read()),
      keys: await server.services.db.selectFrom('ai_upstreams').select(['id', 'sealed_api_key']).execute(),
      audit: await auditOf(),
    });
    const before = await state();
    await work();
    expect(await state()).toEqual(before);
  }

  it('with a wrong key, even if the server lists its models to anyone', async () => {
    await addUpstream();
    await changesNothing(async () => {
      const { status, body } = await publish({ api_key: 'wrong' });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'ERR-00-005',
        details: [{ field: 'api_key', message: 'The model server rejected the API key.' }],
      });
    });
  });

  it('with a model that the server lacks, and while it fails or is unreachable', async () => {
    await addUpstream();
    await changesNothing(async () => {
      const unknown = await publish({ served_name: 'other' });
      expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([
        502,
        expect.stringMatching(/ERR-00-045.*no chat model “other”/),
      ]);
      engine.status = 503;
      const failing = await publish();
      expect([failing.status, JSON.stringify(failing.body)]).toEqual([
        502,
        expect.stringMatching(/ERR-00-045.*status 503/),
      ]);
    });
  });

  it('with invalid values, without contacting the server', async () => {
    await changesNothing(async () => {
      for (const change of [
        { model: 'teehouse/echo' },
        { api_key: 'two words' },
        { served_name: 'big\u202e-llams' },
        { port: 9000 },
        { input_price: 'free' },
      ])
        expect((await publish(change)).status, JSON.stringify(change)).toBe(422);
      const stopped = await publish({}, { id: stopped_id });
      expect([stopped.status, stopped.body]).toMatchObject([409, { code: 'ERR-00-026' }]);
    });
    expect(engine.requests).toEqual([]);
  });

  it('with an upstream in use by a model, without sending the key', async () => {
    expect((await publish()).status).toBe(201);
    engine.requests = [];
    await changesNothing(async () => {
      const { status, body } = await publish({ model: 'acme/second' });
      expect([status, JSON.stringify(body)]).toEqual([409, expect.stringMatching(/ERR-00-021.*acme\/qwen3/)]);
    });
    expect(engine.requests).toEqual([]);
  });

  it('with an upstream that requires evidence, without sending the key', async () => {
    const setKind = (kind: 'local' | 'dstack_vmm') =>
      server.services.db.updateTable('teepods').set({ kind }).where('name', '=', 'models').execute();
    // Its gateway uses TLS.
    await setKind('dstack_vmm');
    await addUpstream({
      url: url.replace('http:', 'https:'),
      evidence_required: true,
      accepted_app_ids: ['a'.repeat(40)],
      accepted_kms_keys: [`02${'b'.repeat(64)}`],
    });
    await changesNothing(async () => {
      const { status, body } = await publish();
      expect([status, JSON.stringify(body)]).toEqual([409, expect.stringMatching(/ERR-00-021.*by-hand/)]);
    });
    expect(engine.requests).toEqual([]);
    await setKind('local');
  });

  it('with another model’s ID, without leaving an upstream behind', async () => {
    const elsewhere = await addUpstream({ url: 'http://127.0.0.1:9/v1' });
    const other = await admin.call('createAdminAiModel', {
      body: {
        model: 'acme/qwen3',
        name: 'Other',
        context_length: 10,
        input_price: '0',
        output_price: '0',
        upstreams: [{ upstream_id: elsewhere.id, model: 'x' }],
      },
    });
    expect(other.status).toBe(201);
    await changesNothing(async () => {
      const { status, body } = await publish();
      expect([status, body]).toMatchObject([409, { code: 'ERR-00-015', details: [{ field: 'model' }] }]);
    });
  });

  it('for anyone but an administrator, and for CVMs of other teams', async () => {
    const stranger = await server.register();
    await changesNothing(async () => {
      // Administrators of a team aren't administrators of the platform, and `*` leaves out admin:*.
      for (const client of [stranger, await tokenOf(admin, '*')])
        expect((await publish({}, { client })).status).toBe(403);
      expect((await publish({}, { client: server.anonymous })).status).toBe(401);
      const { db } = server.services;
      const { user_id } = await identityOf(db, stranger.email!);
      await db.updateTable('users').set({ platform_role: 'infra' }).where('id', '=', user_id).execute();
      // A token acts for its own team, whatever its owner may do.
      for (const client of [stranger, await tokenOf(stranger, 'admin:*')])
        expect((await publish({}, { client })).status).toBe(404);
    });
    expect(engine.requests).toEqual([]);
    const team = { 'x-admin-workspace': admin.slug!, 'x-workspace': admin.slug! };
    expect((await publish({}, { client: stranger.with(team) })).status).toBe(201);
  });
});

async function tokenOf(client: TestClient, scope: string): Promise<TestClient> {
  const { db } = server.services;
  const token = newToken('api');
  await db
    .insertInto('api_tokens')
    .values({
      ...(await identityOf(db, client.email!)),
      public_id: `tok_${randomUUID().slice(0, 16)}`,
      name: scope,
      token_hash: hashToken(token),
      token_prefix: tokenPrefix(token),
      scopes: [scope],
    })
    .execute();
  return server.anonymous.with({ 'x-api-key': token });
}
