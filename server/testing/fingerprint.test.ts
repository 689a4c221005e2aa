import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database';
import { fingerprint } from './fingerprint';
import { insertTeam } from './teamFixtures';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('changes with every inserted, updated or deleted row, and returns to its former value', async () => {
  const { db } = database;
  const empty = await fingerprint(db);
  expect(await fingerprint(db)).toBe(empty);
  const { id } = await insertTeam(db, 'one');
  const one = await fingerprint(db);
  expect(one).not.toBe(empty);
  await db.updateTable('teams').set({ name: 'Another' }).where('id', '=', id).execute();
  const renamed = await fingerprint(db);
  expect(renamed).not.toBe(one);
  await db.updateTable('teams').set({ name: 'Team one' }).where('id', '=', id).execute();
  await db.updateTable('teams').set({ name: 'Never' }).where('id', '=', -1).execute();
  expect(await fingerprint(db)).toBe(one);
  await db.deleteFrom('teams').where('id', '=', id).execute();
  expect(await fingerprint(db)).toBe(empty);
});

it('includes a write that was in progress while it read', async () => {
  const { db } = database;
  const before = await fingerprint(db);
  await db.transaction().execute(async (trx) => {
    await insertTeam(trx, 'slow');
    expect(await fingerprint(db)).toBe(before);
  });
  expect(await fingerprint(db)).not.toBe(before);
});
