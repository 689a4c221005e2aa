import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keepEventPartitions } from '../../db/activity/eventPartitions';
import { createDb, createPool, type Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { keepHostEvents, type SeenVm } from './hostEvents';

let database: TestDatabase;
let cvm: CvmRow;
let make: () => Promise<CvmRow>;
const NOW = Date.now();

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { id: team_id } = await db
    .insertInto('teams')
    .values({ public_id: 'tm_1', slug: 't', name: 't', wallet_address: '0x1' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const host = await insertHost(db);
  const app = await insertApp(db, { team_id, host, name: 'one' });
  make = () => insertCvm(db, { ...app, host });
});
beforeEach(async () => (cvm = await make()));
afterAll(() => database.drop());

type HostEvent = SeenVm['vm']['events'][number];
const boot = (n: number): HostEvent => ({
  event: 'boot.progress',
  body: `stage ${n}`,
  timestamp: NOW - 60_000 + n * 100,
});
const ring = (events: HostEvent[], more: Partial<SeenVm['vm']> = {}): SeenVm[] => [
  { cvm_id: cvm.id, vm: { events, status: 'running', exited_at: null, ...more } },
];
const keep = (db: Db, seen: readonly SeenVm[]) => keepHostEvents(db, cvm.teepod_id, seen);
const kept = () =>
  database.db.selectFrom('events').selectAll().where('cvm_id', '=', cvm.id).orderBy('id').execute();

/** The ring advances by a few events at a time; two processes see each of its states concurrently. */
async function seenByTwo(each = () => Promise.resolve()): Promise<void> {
  const other = createPool(database.connection, { applicationName: 'other', size: 4 });
  const databases = [database.db, createDb(other)];
  for (let n = 0; n < 60; n += 3) {
    const events = Array.from({ length: 20 }, (_, i) => n - 20 + i + 3)
      .filter((i) => i >= 0)
      .map(boot);
    await Promise.all([...databases, ...databases].map((db) => keep(db, ring(events))));
    await each();
  }
  await other.end();
}

it('records each event once, in order, no matter how often and by how many processes it is seen', async () => {
  await seenByTwo();
  const rows = await kept();
  expect(rows.map(({ message }) => message)).toEqual(
    Array.from({ length: 60 }, (_, i) => `Boot: stage ${i}`),
  );
  expect(rows[7]).toMatchObject({
    kind: 'host.boot.progress',
    severity: 'info',
    team_id: cvm.team_id,
    app_id: cvm.app_id,
    created_at: new Date(boot(7).timestamp),
    data: { event: 'boot.progress', body: 'stage 7' },
  });
});

it('sends each event to the database once, even after the host forgot its events', async () => {
  const sent: string[] = [];
  const dialect = new PostgresDialect({ pool: database.pool });
  const db = new Kysely<Database>({
    dialect,
    log({ query: { parameters } }) {
      sent.push(...messagesIn(parameters));
    },
  });
  await keep(db, ring([]));
  await keep(db, ring([boot(1)]));
  await keep(db, ring([boot(1), boot(2), boot(3)]));
  await keep(db, ring([boot(1), boot(2), boot(3)]));
  // Its VMM has restarted.
  await keep(db, ring([]));
  await keep(db, ring([boot(4)]));
  // It keeps the last two.
  await keep(db, ring([boot(5), boot(6)]));
  await keep(db, ring([boot(6), boot(7)]));
  const all = [1, 2, 3, 4, 5, 6, 7].map((n) => `Boot: stage ${n}`);
  expect(sent).toEqual(all);
  expect((await kept()).map(({ message }) => message)).toEqual(all);
});

/** Returns the event messages among a statement's parameters. */
const messagesIn = (parameters: readonly unknown[]): string[] =>
  parameters
    .filter((value): value is string => typeof value === 'string' && value.startsWith('[{'))
    .flatMap((json) => (JSON.parse(json) as { message: string }[]).map(({ message }) => message));

it('links events during an operation to it, and nothing else', async () => {
  const { db } = database;
  const operation = await insertOperation(db, cvm, { state: 'succeeded', type: 'start' });
  await db
    .updateTable('operations')
    .set({ created_at: new Date(NOW - 60_000), finished_at: new Date(NOW - 59_000) })
    .where('id', '=', operation.id)
    .execute();
  await keep(db, ring([{ ...boot(0), timestamp: NOW - 61_000 }, boot(5), boot(500)]));
  expect((await kept()).map(({ operation_id }) => operation_id)).toEqual([null, operation.id, null]);
});

it('sets the severity and a readable message', async () => {
  const at = NOW - 1000;
  await keep(
    database.db,
    ring([
      { event: 'boot.error', body: 'no\u0000 \u001b[31mim\udc00age\ud800', timestamp: at },
      { event: 'vmm.auto_restart', body: 'restart 1 of 5', timestamp: at + 1 },
      { event: 'vmm.auto_restart.exhausted', body: 'gave up', timestamp: at + 2 },
      {
        event: 'instance.info',
        body: `{"instance_id_seed": "${'11'.repeat(20)}", "instance_id": "${'ab'.repeat(20)}"}`,
        timestamp: at + 3,
      },
      { event: 'Strange-Thing.42', body: 'x'.repeat(5000), timestamp: at + 4 },
    ]),
  );
  const rows = await kept();
  expect(rows.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
    'host.boot.error error',
    'host.vmm.auto_restart warning',
    'host.vmm.auto_restart.exhausted error',
    'host.instance.info info',
    'host.strange_thing info',
  ]);
  expect(rows[0]?.message).toBe('Boot error: no im\ufffdage');
  expect(rows[3]?.message).toBe(`Instance ID received: ${'ab'.repeat(20)}`);
  expect(rows[4]?.message.length).toBeLessThanOrEqual(500);
});

it("records a VM's exit for hosts without an event for it, and not twice for those with one", async () => {
  const exited_at = '30s';
  await keep(database.db, ring([boot(1)], { status: 'exited', exited_at }));
  await keep(database.db, ring([boot(1), boot(2)], { status: 'exited', exited_at: '31s' }));
  expect((await kept()).map(({ kind }) => kind)).toEqual([
    'host.boot.progress',
    'host.vmm.exited',
    'host.boot.progress',
  ]);
  cvm = await make();
  const told = { event: 'vmm.exited', body: 'code 1', timestamp: NOW - 30_100 };
  await keep(database.db, ring([told], { status: 'exited', exited_at }));
  expect((await kept()).map(({ message }) => message)).toEqual(['The VM exited: code 1']);
});

it('handles a wrong clock without losing events', async () => {
  const day = 86_400_000;
  await keep(
    database.db,
    ring([
      { ...boot(1), timestamp: NOW - 500 * day },
      { ...boot(2), timestamp: NOW - 3 * day },
      { ...boot(3), timestamp: NOW + 3 * day },
      { ...boot(4), timestamp: 0 },
    ]),
  );
  const rows = await kept();
  expect(rows.map(({ message }) => message)).toEqual(['Boot: stage 2', 'Boot: stage 3', 'Boot: stage 4']);
  for (const { created_at } of rows) expect(Math.abs(created_at.getTime() - Date.now())).toBeLessThan(60_000);
  expect(rows[0]?.data).toMatchObject({ happened_at: new Date(NOW - 3 * day).toISOString() });
});

it('bounds the events of a noisy guest, and reports that once', async () => {
  for (let n = 0; n < 600; n += 20)
    await keep(database.db, ring(Array.from({ length: 20 }, (_, i) => boot(n + i))));
  const rows = await kept();
  expect(rows.length).toBeLessThanOrEqual(330);
  expect(rows.filter(({ kind }) => kind === 'host.events_dropped')).toHaveLength(1);
});

it('records each event once across the boundary of two partitions', async () => {
  const { db } = database;
  await seenByTwo(async () => void (await keepEventPartitions(db, 10)));
  expect((await kept()).map(({ message }) => message)).toEqual(
    Array.from({ length: 60 }, (_, i) => `Boot: stage ${i}`),
  );
  const { rows } = await sql`select distinct tableoid from events where cvm_id = ${cvm.id}`.execute(db);
  expect(rows.length).toBeGreaterThan(3);
});
