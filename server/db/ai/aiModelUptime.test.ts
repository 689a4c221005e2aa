import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aiModelUptimeOut } from '../../domain/ai/modelUptime';
import { insertApp, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { toJson } from '../core/json';
import { countUptime } from './aiModelUptime';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
afterEach(async () => {
  await database.db.deleteFrom('ai_models').execute();
  await database.db.deleteFrom('ai_upstreams').execute();
});

/** Checks and failed ones by hour: "2026-11-28T09" is from 9 to 10 in UTC. */
type Hours = Record<string, [checks: number, failed: number]>;

async function addUpstream(name: string, hours: Hours, change: object = {}): Promise<number> {
  const { id } = await database.db
    .insertInto('ai_upstreams')
    .values({ name, url: `https://${name}.example.com/v1`, timeout_seconds: 300, ...change })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [hour, [checks, failed_checks]] of Object.entries(hours))
    await database.db
      .insertInto('ai_upstream_hours')
      .values({ upstream_id: id, hour: new Date(`${hour}:00:00Z`), checks, failed_checks })
      .execute();
  return id;
}

const addModel = (model: string, upstream_ids: number[], change: object = {}) =>
  database.db
    .insertInto('ai_models')
    .values({
      model,
      name: model,
      description: '',
      context_length: 8192,
      endpoints: ['chat.completions'],
      input_price_micros: 1,
      cached_input_price_micros: 1,
      output_price_micros: 1,
      upstreams: toJson(upstream_ids.map((upstream_id) => ({ upstream_id, model }))),
      created_at: new Date('2026-01-01T00:00:00Z'),
      ...change,
    })
    .execute();

/** Returns the uptime of the model `acme/large`. */
async function uptime(now: string, team_id: number | null = null) {
  const counts = await countUptime(database.db, team_id, new Date(now));
  return aiModelUptimeOut(counts.find(({ model }) => model === 'acme/large'));
}

it('counts the current hour and those before it, by the number of checks', async () => {
  await addModel('acme/large', [
    await addUpstream('a', {
      '2026-11-21T09': [60, 60],
      '2026-11-21T10': [60, 30],
      '2026-11-27T09': [60, 60],
      '2026-11-27T10': [60, 30],
      '2026-11-28T09': [2, 1],
      // The clock of another database server, before a failover.
      '2026-11-28T10': [60, 60],
    }),
  ]);
  // The current hour has two checks, and the one of the day before at 9 is over.
  expect(await uptime('2026-11-28T09:02:00Z')).toEqual({
    last_24_hours: { share: 0.5, measured_hours: 2 },
    last_7_days: { share: Math.floor((61 / 182) * 10_000) / 10_000, measured_hours: 4 },
    last_30_days: { share: Math.floor((61 / 242) * 10_000) / 10_000, measured_hours: 5 },
    days: [
      { date: '2026-11-21', share: 0.25, measured_hours: 2 },
      ...['22', '23', '24', '25', '26'].map((day) => ({
        date: `2026-11-${day}`,
        share: null,
        measured_hours: 0,
      })),
      { date: '2026-11-27', share: 0.25, measured_hours: 2 },
      { date: '2026-11-28', share: 0.5, measured_hours: 1 },
    ],
  });
  // Hours end exactly.
  const at = async (now: string) => (await uptime(now)).last_24_hours;
  expect(await at('2026-11-28T08:59:59.999Z')).toEqual({ share: 0.25, measured_hours: 2 });
  expect(await at('2026-11-28T09:00:00Z')).toMatchObject({ measured_hours: 2 });
  expect(await at('2026-11-29T08:59:59.999Z')).toMatchObject({ measured_hours: 2 });
  expect(await at('2026-11-29T10:00:00Z')).toEqual({ share: null, measured_hours: 0 });
});

it('is 1 only without a failed check', async () => {
  await addModel('acme/large', [
    await addUpstream('a', { '2026-11-28T08': [60, 0], '2026-11-01T00': [100_000, 1] }),
  ]);
  const { last_24_hours, last_30_days, days } = await uptime('2026-11-28T09:02:00Z');
  expect([last_24_hours.share, last_30_days.share]).toEqual([1, 0.9999]);
  expect(days).toHaveLength(28);
  // Thirty days, of which the first is over.
  expect((await uptime('2026-11-30T23:59:00Z')).days).toHaveLength(30);
  expect((await uptime('2026-12-01T00:00:00Z')).days).toHaveLength(4);
});

it('is that of the best server in each hour, and never more than was measured', async () => {
  const a = await addUpstream('a', {
    '2026-11-28T06': [60, 60],
    '2026-11-28T07': [60, 30],
    '2026-11-28T08': [60, 60],
  });
  // It failed when the other didn't, and was added ten minutes before an hour was over.
  const b = await addUpstream('b', {
    '2026-11-28T06': [60, 0],
    '2026-11-28T07': [60, 20],
    '2026-11-28T08': [10, 0],
  });
  await addModel('acme/large', [a, b]);
  const at = async () => (await uptime('2026-11-28T09:00:00Z')).last_24_hours;
  expect(await at()).toEqual({ share: Math.floor((110 / 180) * 10_000) / 10_000, measured_hours: 3 });
  // Only those that are used now.
  await database.db.updateTable('ai_upstreams').set({ state: 'disabled' }).where('id', '=', b).execute();
  expect(await at()).toEqual({ share: Math.floor((30 / 180) * 10_000) / 10_000, measured_hours: 3 });
  await database.db
    .updateTable('ai_models')
    .set({ upstreams: toJson([{ upstream_id: b, model: 'x' }]) })
    .execute();
  expect(await at()).toEqual({ share: null, measured_hours: 0 });
  await database.db.updateTable('ai_upstreams').set({ state: 'active' }).execute();
  expect(await at()).toMatchObject({ share: Math.floor((110 / 130) * 10_000) / 10_000 });
  await database.db.deleteFrom('ai_upstreams').where('id', '=', b).execute();
  expect(await at()).toEqual({ share: null, measured_hours: 0 });
});

it('begins with the hour in which the model was added', async () => {
  await addModel(
    'acme/large',
    [
      await addUpstream('a', {
        '2026-11-28T05': [60, 60],
        '2026-11-28T06': [60, 30],
        '2026-11-28T07': [60, 0],
      }),
    ],
    { created_at: new Date('2026-11-28T06:40:00Z') },
  );
  expect((await uptime('2026-11-28T09:00:00Z')).last_24_hours).toEqual({ share: 0.75, measured_hours: 2 });
});

it('is counted for a team’s own models apart from the platform’s and other teams’', async () => {
  const [own, other] = [await insertTeam(database.db, 'own'), await insertTeam(database.db, 'other')];
  const host = await insertHost(database.db, { name: 'models' });
  const { app } = await insertApp(database.db, { team_id: own.id, host, name: 'models' });
  const server = { team_id: own.id, app_id: app.id };
  await addModel('acme/large', [await addUpstream('a', { '2026-11-28T08': [60, 30] }, server)], {
    team_id: own.id,
    public_id: 'aim_1',
    state: 'team',
    input_price_micros: 0,
    cached_input_price_micros: 0,
    output_price_micros: 0,
  });
  const counted = async (team_id: number | null) =>
    (await countUptime(database.db, team_id, new Date('2026-11-28T09:00:00Z'))).map(({ model }) => model);
  expect(await counted(own.id)).toEqual(['acme/large']);
  expect(await counted(other.id)).toEqual([]);
  expect(await counted(null)).toEqual([]);
  expect((await uptime('2026-11-28T09:00:00Z', own.id)).last_24_hours.share).toBe(0.5);
  await sql`delete from ai_models`.execute(database.db);
  expect(await counted(own.id)).toEqual([]);
});
