import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiModel, AiCatalog, CreatedAiKey } from '../../../generated/api/types.gen';
import { aiModelServers, measureAiModels } from '../../db/ai/aiModelFacts';
import { settleAiRequests, type EndedRequest } from '../../db/ai/aiRequests';
import { publicId } from '../../domain/core/publicId';
import { identityOf } from '../../testing/cvmFixtures';
import type { TestClient } from '../../testing/server';
import { startTeamModelTest, type TeamModelTest } from './testing/teamModels';

const DAY_MS = 86_400_000;
let world: TeamModelTest;
/** The team and key of a request. */
let asked: { team_id: number; key_id: number };
beforeAll(async () => {
  world = await startTeamModelTest();
  asked = await keyOf(world.owner);
});
afterEach(async () => {
  await world.clear();
  await world.db.deleteFrom('ai_requests').execute();
  await world.db.deleteFrom('gpus').execute();
});
afterAll(() => world?.stop());

async function keyOf(client: TestClient) {
  const { team_id } = await identityOf(world.db, client.email!);
  const { key } = (await client.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey;
  const { id } = await world.db
    .selectFrom('ai_keys')
    .select('id')
    .where('public_id', '=', key.id)
    .executeTakeFirstOrThrow();
  return { team_id, key_id: id };
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** Records requests as gateways do: streamed answers of 50 tokens in a second after 100 ms. */
const record = (count: number, change: Partial<EndedRequest> & { model: string }, of = asked) =>
  settleAiRequests(
    world.db,
    Array.from({ length: count }, () => ({
      ...of,
      hold_id: publicId('chatcmpl'),
      public_id: publicId('chatcmpl'),
      receipt_id: publicId('rcpt'),
      created_at: new Date(),
      endpoint: 'chat.completions' as const,
      upstream_id: 1,
      status: 200,
      outcome: 'completed' as const,
      is_streamed: true,
      input_tokens: 10,
      cached_tokens: 0,
      output_tokens: 50,
      reasoning_tokens: 0,
      first_token_ms: 100,
      duration_ms: 1100,
      cost_picos: 0,
      ...change,
    })),
  );

/** Adds a platform model with an upstream at the address; both as if they were a day old. */
async function addModel(upstream: { url?: string; evidence_required?: boolean }): Promise<AdminAiModel> {
  const { id } = await world.db
    .insertInto('ai_upstreams')
    .values({
      name: 'gpu-1',
      url: 'https://models.example.com/v1',
      timeout_seconds: 300,
      accepted_app_ids: ['a1'.repeat(20)],
      accepted_kms_keys: [`02${'b1'.repeat(32)}`],
      ...upstream,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { status, body } = await world.admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: 8192,
      input_price: '1',
      output_price: '2',
      upstreams: [{ upstream_id: id, model: 'large' }],
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const at = new Date(Date.now() - DAY_MS);
  await world.db.updateTable('ai_upstreams').set({ updated_at: at }).execute();
  await world.db.updateTable('ai_models').set({ created_at: at, updated_at: at }).execute();
  return body as AdminAiModel;
}

const measured = async (model: string) =>
  (await measureAiModels(world.db)).find((one) => one.model === model);
const servers = async (model: string) => (await aiModelServers(world.db)).find((one) => one.model === model);

describe('the measurements of a model', () => {
  it('come from its requests, without those that fail through their client', async () => {
    await addModel({});
    await record(17, { model: 'acme/large' });
    await record(1, { model: 'acme/large', first_token_ms: 5000, duration_ms: 6000, is_streamed: false });
    // Cut short by its client, or because its key was revoked.
    await record(1, { model: 'acme/large', outcome: 'aborted', first_token_ms: 9000 });
    await record(1, { model: 'acme/large', outcome: 'failed', status: 502 });
    // Refused, left before the answer, with a key revoked before it, and never sent to a server.
    await record(5, { model: 'acme/large', outcome: 'failed', status: 429 });
    await record(5, { model: 'acme/large', outcome: 'aborted', status: 499 });
    await record(5, { model: 'acme/large', outcome: 'aborted', status: 401 });
    await record(5, { model: 'acme/large', outcome: 'failed', status: 503, upstream_id: null });
    expect(await measured('acme/large')).toEqual({
      model: 'acme/large',
      team_id: null,
      requests: 20,
      answered: 19,
      streams: 17,
      first_token_ms: 100,
      timed: 17,
      tokens_per_second: 50,
    });
  });

  it('leave out requests from before the model was added, and from more than a week ago', async () => {
    await addModel({});
    await record(3, { model: 'acme/large', created_at: hoursAgo(48) });
    await record(3, { model: 'acme/gone' });
    await record(3, { model: 'teehouse/echo', upstream_id: null, created_at: hoursAgo(24 * 8) });
    expect(await measureAiModels(world.db)).toEqual([]);
  });

  it('of a team’s model are not mixed with another team’s requests to the same name', async () => {
    await world.published();
    await record(2, { model: world.id });
    await record(2, { model: world.id, outcome: 'failed', status: 502 }, await keyOf(world.other));
    expect(await measured(world.id)).toMatchObject({ requests: 2, answered: 2 });
  });
});

describe('the servers of a model', () => {
  it('have the GPUs of their running CVMs on this cloud', async () => {
    const { teepod_id, id: cvm_id } = world.cvm;
    const { id: reservation_id } = await world.db
      .insertInto('reservations')
      .values({
        teepod_id,
        team_id: asked.team_id,
        cvm_id,
        provision_id: null,
        vcpu: 1,
        memory_mb: 1,
        disk_gb: 1,
        expires_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addModel({ url: world.engine.url(world.app_id) });
    expect((await servers('acme/large'))?.gpus).toEqual([]);
    const card = {
      teepod_id,
      product_id: '10de:2335',
      description: 'NVIDIA H200',
      reserved_team_id: null,
      fault: null,
      last_seen_at: null,
    };
    await world.db
      .insertInto('gpus')
      .values([
        { ...card, slot: '0000:01:00.0', reservation_id },
        { ...card, slot: '0000:02:00.0', reservation_id },
        { ...card, slot: '0000:03:00.0', reservation_id: null },
      ])
      .execute();
    expect((await servers('acme/large'))?.gpus).toEqual([{ name: 'NVIDIA H200', count: 2 }]);
    // The same app at another cloud's address.
    await world.db
      .updateTable('ai_upstreams')
      .set({ url: `https://${world.app_id}-8080.other.example.com/v1` })
      .execute();
    expect((await servers('acme/large'))?.gpus).toBeNull();
  });

  it('responded or not at their last check', async () => {
    await addModel({});
    expect(await servers('acme/large')).toMatchObject({ is_responding: null, checked_at: null });
    const checked_at = new Date();
    await world.db.updateTable('ai_upstreams').set({ health: 'failing', checked_at }).execute();
    expect(await servers('acme/large')).toMatchObject({ is_responding: false, checked_at });
    await world.db.updateTable('ai_upstreams').set({ health: 'ok' }).execute();
    expect(await servers('acme/large')).toMatchObject({ is_responding: true });
  });

  it('are attested since the first answer through a gateway after their last change', async () => {
    await addModel({ evidence_required: true });
    expect((await servers('acme/large'))?.attested_since).toBeNull();
    const first = hoursAgo(5);
    await record(1, { model: 'acme/large', gateway: 'tee-1', created_at: hoursAgo(30) });
    await record(1, {
      model: 'acme/large',
      gateway: 'tee-1',
      created_at: hoursAgo(9),
      outcome: 'failed',
      status: 503,
    });
    await record(1, { model: 'acme/large', created_at: hoursAgo(8) });
    await record(1, { model: 'acme/large', gateway: 'tee-1', created_at: first });
    await record(1, { model: 'acme/large', gateway: 'tee-1', created_at: hoursAgo(1) });
    expect((await servers('acme/large'))?.attested_since).toEqual(first);
    await world.db.updateTable('ai_upstreams').set({ updated_at: new Date() }).execute();
    expect((await servers('acme/large'))?.attested_since).toBeNull();
    await world.db
      .updateTable('ai_upstreams')
      .set({ updated_at: hoursAgo(24), evidence_required: false })
      .execute();
    expect((await servers('acme/large'))?.attested_since).toBeNull();
  });
});

it('returns what is known of the models that the team can use, without numbers of requests', async () => {
  await world.published();
  await record(19, { model: world.id });
  await record(1, { model: world.id, outcome: 'failed', status: 502 });
  await record(9, { model: 'teehouse/echo', upstream_id: null });
  await sql`
    insert into ai_upstream_hours (upstream_id, hour, checks, failed_checks)
    select id, date_trunc('hour', now(), 'UTC'), 8, 2 from ai_upstreams`.execute(world.db);
  const { status, body } = await world.owner.call('getAiCatalog');
  expect(status, JSON.stringify(body)).toBe(200);
  const nothing = { answered_share: null, first_token_ms: null, tokens_per_second: null };
  const unmeasured = { share: null, measured_hours: 0 };
  const uptime = { share: 0.75, measured_hours: 1 };
  expect(body).toEqual({
    days: 7,
    min_requests: 10,
    models: [
      {
        id: 'teehouse/echo',
        gpus: [],
        attested_since: null,
        is_responding: null,
        checked_at: null,
        uptime: {
          last_24_hours: unmeasured,
          last_7_days: unmeasured,
          last_30_days: unmeasured,
          days: [],
        },
        ...nothing,
      },
      {
        id: world.id,
        gpus: [],
        attested_since: null,
        is_responding: true,
        checked_at: expect.any(String),
        uptime: {
          last_24_hours: uptime,
          last_7_days: uptime,
          last_30_days: uptime,
          days: [{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...uptime }],
        },
        answered_share: 0.95,
        first_token_ms: 100,
        tokens_per_second: 50,
      },
    ],
  });
  expect(((await world.other.call('getAiCatalog')).body as AiCatalog).models.map(({ id }) => id)).toEqual([
    'teehouse/echo',
  ]);
  expect((await world.viewer.call('getAiCatalog')).status).toBe(200);
  expect((await world.server.anonymous.call('getAiCatalog')).status).toBe(401);
});
