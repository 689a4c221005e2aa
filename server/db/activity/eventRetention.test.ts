import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { announceDeletions } from '../../testing/announceDeletions';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { appendAudit } from '../audit/auditLog';
import { announceEventExpiry, forgetEvents } from './eventRetention';
import type { CvmRow } from '../cvms/cvmsTable';

let database: TestDatabase;
let busy: CvmRow;
let quiet: CvmRow;
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
  busy = await insertCvm(db, { ...app, host });
  quiet = await insertCvm(db, { ...app, host });
  await announceDeletions(db);
});
afterAll(() => database.drop());

const add = (cvm: CvmRow, count: number, days: number) =>
  sql`insert into events (team_id, cvm_id, kind, message, created_at)
    select ${cvm.team_id}, ${cvm.id}, 'a.b', n::text, now() - make_interval(days => ${days})
    from generate_series(1, ${count}::int) n`.execute(database.db);
const messages = async (cvm: CvmRow) =>
  (
    await database.db
      .selectFrom('events')
      .select('message')
      .where('cvm_id', '=', cvm.id)
      .orderBy('id')
      .execute()
  ).map(({ message }) => Number(message));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
/** A minute that selects no CVM, so that only the age of events counts. */
const minute = () => (busy.id + 1) % 60;

const limitEntries = async () =>
  database.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'team_id', 'target_id', 'after'])
    .where('action', '=', 'events.limit')
    .orderBy('id')
    .execute();

async function announcements() {
  const rows = await database.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'team_id', 'after'])
    .where('action', '=', 'events.expiry')
    .orderBy('id')
    .execute();
  return rows.map(({ after, ...row }) => ({ ...row, after: after as Record<string, string> }));
}

it('announces two weeks ahead which events are deleted, and how to export them', async () => {
  const { db } = database;
  await add(quiet, 5, 385);
  expect(await announceEventExpiry(db)).toBe(false);
  await add(quiet, 5, 20);
  // Announced after the events were due, as on an upgrade: nothing is deleted before the two weeks are over.
  const late = inDays(20);
  expect(await announceEventExpiry(db, late)).toBe(true);
  expect(await announceEventExpiry(db, late)).toBe(false);
  const [first] = await announcements();
  expect(first).toMatchObject({ actor_kind: 'system', team_id: null });
  expect(first!.after.export).toContain('GET /workspaces/{slug}/events/export');
  expect(Date.parse(first!.after.deleted_from!)).toBe(late.getTime() + 14 * 86_400_000);
  await forgetEvents(db, { now: inDays(13), minute: minute() });
  expect(await messages(quiet)).toHaveLength(10);
  await forgetEvents(db, { now: inDays(16), minute: minute() });
  expect(await messages(quiet)).toHaveLength(5);
  // The next month of events is announced in time, and not earlier.
  const next = Math.round((Date.parse(first!.after.created_before!) - Date.now()) / 86_400_000) + 386;
  await add(quiet, 1, 386);
  await sql`delete from events where created_at > now() - interval '30 days'`.execute(db);
  expect(await announceEventExpiry(db, inDays(next - 1))).toBe(false);
  expect(await announceEventExpiry(db, inDays(next + 1))).toBe(true);
  await sql`delete from events`.execute(db);
});

it('keeps events younger than 400 days and the newest of each CVM', async () => {
  // The first test's announcement is two weeks old by then.
  const now = inDays(15);
  await add(quiet, 30, 386);
  await add(quiet, 20, 384);
  await add(busy, 150, 1);
  await forgetEvents(database.db, { per_cvm: 100, now, minute: minute() });
  expect(await messages(quiet)).toHaveLength(20);
  expect(await messages(busy)).toHaveLength(150);
  await forgetEvents(database.db, { per_cvm: 100, now, minute: busy.id % 60 });
  expect(await messages(busy), 'the team is notified first').toHaveLength(150);
  await forgetEvents(database.db, {
    per_cvm: 100,
    now: new Date(now.getTime() + 3_700_000),
    minute: busy.id % 60,
  });
  expect(await messages(busy)).toEqual(Array.from({ length: 100 }, (_, i) => 51 + i));
  expect(await messages(quiet)).toHaveLength(20);
});

it("records in the team's audit log, once a month, that events beyond a CVM's limit are deleted", async () => {
  await sql`delete from events`.execute(database.db);
  await sql`delete from retention_notices where kind = 'events_limit'`.execute(database.db);
  const before = (await limitEntries()).length;
  const forget = (days: number) =>
    forgetEvents(database.db, { per_cvm: 100, now: inDays(days), minute: quiet.id % 60 });
  await add(quiet, 100, 1);
  // Close to the limit: the team is notified, and nothing is deleted.
  await forget(-1);
  await forget(0);
  expect(await limitEntries()).toHaveLength(before);
  const told = await database.db
    .selectFrom('audit_log')
    .select(['team_id', 'target_id'])
    .where('action', '=', 'retention.limit')
    .orderBy('id', 'desc')
    .execute();
  expect(told[0]).toEqual({ team_id: quiet.team_id, target_id: 'events' });
  for (let hour = 0; hour < 3; hour++) {
    await add(quiet, 10, 1);
    await forget(hour / 24);
    expect(await messages(quiet)).toHaveLength(100);
  }
  const [entry, ...more] = (await limitEntries()).slice(before);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    actor_kind: 'system',
    team_id: quiet.team_id,
    target_id: quiet.public_id,
    after: { kept_events: 100, export: expect.stringContaining('/events/export') },
  });
  // After the month that the entry covers.
  await add(quiet, 10, 1);
  await forget(31);
  expect(await limitEntries()).toHaveLength(before + 2);
  await sql`delete from events`.execute(database.db);
});

it('keeps up with more old events than one batch', async () => {
  await add(quiet, 12_000, 402);
  await sql`update events set created_at = now() - interval '402 days' where cvm_id = ${quiet.id}`.execute(
    database.db,
  );
  await add(quiet, 1, 1);
  await forgetEvents(database.db, { now: inDays(15), minute: minute() });
  expect(await messages(quiet)).toEqual([1]);
});

it('keeps the events of a team that was not notified', async () => {
  const { db } = database;
  await sql`delete from events`.execute(db);
  await sql`delete from retention_notices where kind = 'events'`.execute(db);
  await add(quiet, 3, 402);
  const forget = () => forgetEvents(db, { now: inDays(15), minute: minute() });
  await forget();
  expect(await messages(quiet)).toHaveLength(3);
  await announceDeletions(db);
  await forget();
  expect(await messages(quiet)).toEqual([]);
});

it('keeps the events that were not announced to administrators two weeks before', async () => {
  const { db } = database;
  await sql`delete from events`.execute(db);
  await add(quiet, 3, 402);
  const announcing = (days: number) =>
    appendAudit(db, [
      {
        actor_kind: 'system',
        action: 'events.expiry',
        target_kind: 'events',
        after: { created_before: inDays(days).toISOString() },
      },
    ]);
  const left = async (days: number) => {
    await forgetEvents(db, { now: inDays(days), minute: minute() });
    return (await messages(quiet)).length;
  };
  // Older ones were.
  await announcing(-403);
  expect(await left(15)).toBe(3);
  await announcing(-401);
  expect(await left(13)).toBe(3);
  expect(await left(15)).toBe(0);
});
