import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AdminAiUpstream, AiRequestPage, CreatedAiKey } from '../../../generated/api/types.gen';
import { noteAiUpstreamCheck } from '../../db/ai/aiUpstreams';
import { startModelServer, whole, type ModelServer } from '../../operations/ai/testing/modelServer';
import { countQueries, type QueryCounter } from '../../testing/queryCount';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* Database queries per AI gateway request, and freshness of its cache. */

let server: TestServer;
let counter: QueryCounter;
let model: ModelServer;
let owner: TestClient;
let secret: string;
beforeAll(async () => {
  counter = countQueries();
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  model = await startModelServer(whole);
  owner = await server.register('admin@example.test');
  const added = await owner.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const made = await owner.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: 10_000,
      input_price: '1',
      output_price: '0',
      upstreams: [{ upstream_id: (added.body as AdminAiUpstream).id, model: 'large' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const created = await owner.call('createAiKey', { body: { name: 'Bot' } });
  ({ secret } = created.body as CreatedAiKey);
});
afterAll(async () => {
  counter.stop();
  await server.stop();
  await model.stop();
});

const ask = async (headers: Record<string, string> = {}) => {
  const reply = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'acme/large', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await reply.arrayBuffer();
  return reply.status;
};
const lastCost = async () => {
  const { data } = (await owner.call('listAiRequests')).body as AiRequestPage;
  return Number(data[0]!.cost) / data[0]!.input_tokens;
};

it('queries once for the key and once for the record, while no model or upstream changes', async () => {
  await ask();
  // The key's first use is recorded meanwhile.
  await vi.waitFor(async () => {
    const { last_used_at } = await server.services.db
      .selectFrom('ai_keys')
      .select('last_used_at')
      .executeTakeFirstOrThrow();
    expect(last_used_at).not.toBeNull();
  });
  const asked = async () => (await counter.during(ask)).length;
  expect(await asked()).toBe(2);
  const upstream = await server.services.db.selectFrom('ai_upstreams').selectAll().executeTakeFirstOrThrow();
  await noteAiUpstreamCheck(server.services.db, upstream, { health: 'failing', last_error: 'It is down.' });
  // The model is reread once, because its upstream is now failing.
  expect(await asked()).toBe(3);
  await noteAiUpstreamCheck(server.services.db, upstream, {
    health: 'failing',
    last_error: 'It is still down.',
  });
  expect(await asked()).toBe(2);
});

it('uses a model’s current state, whichever process changed it', async () => {
  await ask();
  expect(await lastCost()).toBeCloseTo(1e-6, 12);
  const set = (change: ReturnType<typeof sql>) => change.execute(server.services.db);
  await set(sql`update ai_models set input_price_micros = 3000000, cached_input_price_micros = 3000000`);
  await ask();
  expect(await lastCost()).toBeCloseTo(3e-6, 12);
  await set(sql`update ai_upstreams set state = 'disabled'`);
  expect(await ask()).toBe(404);
  await set(sql`update ai_upstreams set state = 'active'`);
  expect(await ask()).toBe(200);
  await set(sql`update ai_models set state = 'disabled'`);
  expect(await ask()).toBe(404);
  await set(sql`update ai_models set state = 'active'`);
  expect(await ask()).toBe(200);
});

it('bills each of many concurrent requests once', async () => {
  const stored = async () =>
    (await server.services.db.selectFrom('ai_requests').select('receipt_id').distinct().execute()).length;
  const before = await stored();
  const statuses = await Promise.all(Array.from({ length: 40 }, () => ask()));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await stored()).toBe(before + 40);
  const { rows } = await sql<{ same: boolean }>`select (select sum(cost_picos) from ai_key_days)
    = (select sum(cost_picos) from ai_requests) as same`.execute(server.services.db);
  expect(rows[0]?.same).toBe(true);
});

it('removes a model server without writing the requests that it answered', async () => {
  expect(await ask()).toBe(200);
  const { db } = server.services;
  // Changes with every write of a row.
  const versions = async () =>
    (await sql<{ version: string }>`select xmin::text as version from ai_requests order by id`.execute(db))
      .rows;
  const before = await versions();
  expect(before.length).toBeGreaterThan(0);
  const { upstreams, id } = await db.selectFrom('ai_models').selectAll().executeTakeFirstOrThrow();
  const path = { id: upstreams[0]!.upstream_id };
  await db.updateTable('ai_models').set({ upstreams: '[{"upstream_id":0,"model":"none"}]' }).execute();
  expect((await owner.call('deleteAdminAiUpstream', { path })).status).toBe(204);
  expect(await versions()).toEqual(before);
  // The next test needs a model server.
  const body = { name: 'gpu-2', url: model.url };
  const added = (await owner.call('createAdminAiUpstream', { body })).body as AdminAiUpstream;
  const routes = JSON.stringify([{ upstream_id: added.id, model: 'large' }]);
  await db.updateTable('ai_models').set({ upstreams: routes }).where('id', '=', id).execute();
  expect(await ask()).toBe(200);
});

it('bills an answer whose model and model server were removed before it ended', async () => {
  model.script = async (res, call) => {
    await sql`delete from ai_models`.execute(server.services.db);
    await sql`delete from ai_upstreams`.execute(server.services.db);
    await whole(res, call);
  };
  expect(await ask()).toBe(200);
  const { rows } = await sql<{ is_billed: boolean }>`
    select cost_picos > 0 as is_billed from ai_requests order by id desc limit 1`.execute(server.services.db);
  expect(rows).toEqual([{ is_billed: true }]);
  expect(await ask()).toBe(404);
});
