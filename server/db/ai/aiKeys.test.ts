import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBooks } from '../../jobs/billing/testing/books';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { listAiKeys } from './aiKeys';

let database: TestDatabase;
let team: number;

beforeAll(async () => {
  database = await createTestDatabase();
  team = await (await startBooks(database)).team();
  const add = (name: string, count: number, revoked_at: Date | null) =>
    sql`
      insert into ai_keys (public_id, team_id, name, secret_hash, secret_prefix, secret_last4, revoked_at)
      select 'aik_' || ${name}::text || n, ${team}, ${name}, sha256(convert_to(${name}::text || n, 'UTF8')), 'thk_ai_', '0000',
        ${revoked_at}
      from generate_series(1, ${count}) as n`.execute(database.db);
  await add('live', 2, null);
  await add('revoked', 600, new Date());
});
afterAll(() => database.drop());

it('lists live keys although more than its limit were revoked since', async () => {
  const keys = await listAiKeys(database.db, team);
  expect(keys).toHaveLength(500);
  // Newest first: the live ones are the oldest.
  expect(keys.slice(-2).map(({ name }) => name)).toEqual(['live', 'live']);
  const ids = keys.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});
