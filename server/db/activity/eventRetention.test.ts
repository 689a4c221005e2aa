import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { forgetEvents } from './eventRetention';
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

it('keeps events younger than 400 days and the newest of each CVM', async () => {
  await add(quiet, 30, 401);
  await add(quiet, 20, 399);
  await add(busy, 150, 1);
  await forgetEvents(database.db, 100, (busy.id + 1) % 60);
  expect(await messages(quiet)).toHaveLength(20);
  expect(await messages(busy)).toHaveLength(150);
  await forgetEvents(database.db, 100, busy.id % 60);
  expect(await messages(busy)).toEqual(Array.from({ length: 100 }, (_, i) => 51 + i));
  expect(await messages(quiet)).toHaveLength(20);
});

it('keeps up with more old events than one batch', async () => {
  await add(quiet, 12_000, 402);
  await sql`update events set created_at = now() - interval '402 days' where cvm_id = ${quiet.id}`.execute(
    database.db,
  );
  await add(quiet, 1, 1);
  await forgetEvents(database.db, 100_000, (busy.id + 1) % 60);
  expect(await messages(quiet)).toEqual([1]);
});
