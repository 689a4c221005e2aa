import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { housekeeping } from './housekeeping';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('keeps the newest error reports that fit in the room there is for them', async () => {
  const { db } = database;
  for (const name of ['old', 'middle', 'new'])
    await db
      .insertInto('monitoring_events')
      .values({ organization: '1', project: '2', kind: 'event', message: name, envelope: 'x'.repeat(1000) })
      .execute();
  await housekeeping(db, 2_500);
  const kept = await db.selectFrom('monitoring_events').select('message').orderBy('id').execute();
  expect(kept.map(({ message }) => message)).toEqual(['middle', 'new']);
});
