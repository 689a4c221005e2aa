import type { EventKind } from '../../../console/lib/activity/eventKinds';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDb, createPool, withTransaction, type Db } from '../../db/core/client';
import { addEvent } from '../../db/activity/operations';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { createSeal } from '../../domain/core/seal';
import { NOTICED_EVENTS } from '../../domain/notifications/notices';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam, insertTestWebhook, type TestTeam } from '../../testing/teamFixtures';
import { fanOutEvents } from './notifyFeed';

const seal = createSeal(Buffer.from('s'.repeat(40)));

let database: TestDatabase;
let db: Db;
let team: TestTeam;
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  host = await insertHost(db);
  team = await insertTeam(db, 'fed');
  app = await insertApp(db, { team_id: team.id, host, name: 'web' });
  cvm = await insertCvm(db, { ...app, host });
});
beforeEach(async () => {
  await db.deleteFrom('webhooks').execute();
  await db.deleteFrom('event_feed').execute();
});
afterAll(() => database.drop());

const SITE = 'https://cloud.example.test';
const url = 'https://hooks.example.com/';
const bodies = async () => {
  const rows = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute();
  return rows.map(({ body }) => JSON.parse(body) as { event: string; data: Record<string, unknown> });
};
const happen = (kind: EventKind, severity: 'info' | 'error' = 'info', message: string = kind) =>
  addEvent(db, { cvm, kind, severity, message });

describe('webhook events', () => {
  it.each([
    ['deploy.succeeded', 'info', 'cvm.created'],
    ['start.succeeded', 'info', 'cvm.started'],
    ['restart.succeeded', 'info', 'cvm.restarted'],
    ['update.succeeded', 'info', 'cvm.updated'],
    ['resize.succeeded', 'info', 'cvm.updated'],
    ['stop.succeeded', 'info', 'cvm.stopped'],
    ['shutdown.succeeded', 'info', 'cvm.stopped'],
    ['delete.succeeded', 'info', 'cvm.deleted'],
    ['deploy.failed', 'error', 'cvm.create_failed'],
    ['cvm.lost', 'error', 'cvm.stopped'],
    ['cvm.recovered', 'info', 'cvm.started'],
  ] as const)('of %s', async (kind, severity, event) => {
    await insertTestWebhook(db, seal, { team, url, events: [event] });
    await happen(kind, severity, 'because');
    await fanOutEvents(db, SITE);
    const [body] = await bodies();
    expect(body).toMatchObject({
      event,
      version: '1',
      workspace: { id: 'fed', name: 'Team fed' },
      data: {
        cvm_id: cvm.vm_uuid,
        cvm_name: cvm.name,
        app_id: app.app.app_id,
        ...(severity === 'error' ? { status: 'error', error: 'because' } : { status: 'running' }),
      },
    });
    if (severity === 'info') expect(body!.data).not.toHaveProperty('error');
  });

  it('are the selected kinds of the team’s own events, while the webhook is on', async () => {
    const other = await insertTeam(db, 'not-fed');
    await insertTestWebhook(db, seal, { team, url, events: ['cvm.deleted'] });
    await insertTestWebhook(db, seal, { team: other, url, events: ['cvm.created'] });
    const { webhook: off } = await insertTestWebhook(db, seal, { team, url, events: ['cvm.created'] });
    await db
      .updateTable('webhooks')
      .set({ enabled: false, disabled_reason: 'person' })
      .where('id', '=', off.id)
      .execute();
    for (const kind of ['deploy.succeeded', 'update.failed', 'start.requested', 'boot.progress'] as const)
      await happen(kind);
    await fanOutEvents(db, SITE);
    expect(await bodies()).toEqual([]);
    expect(await db.selectFrom('event_feed').selectAll().execute()).toEqual([]);
  });

  it('are identical for each webhook, with the state at the time', async () => {
    await insertTestWebhook(db, seal, { team, url, events: ['cvm.started'] });
    await insertTestWebhook(db, seal, { team, url, events: ['cvm.started'] });
    await happen('start.succeeded');
    await db
      .updateTable('cvms')
      .set({ name: 'renamed', status: 'stopped' })
      .where('id', '=', cvm.id)
      .execute();
    await fanOutEvents(db, SITE);
    const [one, two] = await bodies();
    expect(one).toEqual(two);
    expect(one!.data).toMatchObject({ cvm_name: cvm.name, status: 'running' });
    await db
      .updateTable('cvms')
      .set({ name: cvm.name, status: 'running' })
      .where('id', '=', cvm.id)
      .execute();
  });
});

it.each([...NOTICED_EVENTS, 'update.succeeded', 'update.failed'] as const)(
  '%s reaches the feed, from which notifications are made',
  async (kind) => {
    await happen(kind);
    expect(await db.selectFrom('event_feed').select('kind').execute()).toEqual([{ kind }]);
  },
);

it('every committed event is delivered once and in order, whichever process is killed', async () => {
  await insertTestWebhook(db, seal, { team, url, events: ['cvm.started'] });
  const happened: string[] = [];
  let writing = true;
  // Several concurrently, committed in a different order than numbered; some roll back.
  const write = async (writer: number) => {
    for (let i = 0; i < 40; i++) {
      const message = `${writer}.${i}`;
      await withTransaction(db, async (trx) => {
        await addEvent(trx, { cvm, kind: 'start.succeeded', severity: 'error', message });
        await sql`select pg_sleep(${Math.random() / 100})`.execute(trx);
        if (i % 7 === 6) throw new Error('rolled back');
        happened.push(message);
      }).catch(() => undefined);
    }
  };
  const pools: ReturnType<typeof createPool>[] = [];
  const tell = async (teller: number) => {
    while (writing) {
      const pool = createPool(database.connection, { applicationName: `teller-${teller}`, size: 2 });
      pools.push(pool);
      const mine = createDb(pool);
      for (let i = 0; i < 5 && writing; i++) {
        await fanOutEvents(mine, SITE).catch(() => undefined);
        await wait(5);
      }
      await pool.end().catch(() => undefined);
    }
  };
  const kill = async () => {
    let killed = 0;
    while (writing) {
      const { rows } = await sql<{ n: boolean }>`select pg_terminate_backend(pid) as n from pg_stat_activity
        where application_name like 'teller-%' and datname = current_database() order by random() limit 1`.execute(
        db,
      );
      killed += rows.length;
      await wait(15);
    }
    return killed;
  };
  const tellers = [1, 2, 3].map(tell);
  const killer = kill();
  await Promise.all([1, 2, 3, 4].map(write));
  writing = false;
  await Promise.all(tellers);
  const killed = await killer;
  await fanOutEvents(db, SITE);
  expect(killed).toBeGreaterThan(5);
  const told = (await bodies()).map(({ data }) => String(data.error));
  expect([...told].sort()).toEqual([...happened].sort());
  for (const writer of [1, 2, 3, 4]) {
    const of = (list: string[]) => list.filter((one) => one.startsWith(`${writer}.`));
    expect(of(told)).toEqual(of(happened));
  }
  expect(await db.selectFrom('event_feed').selectAll().execute()).toEqual([]);
});
