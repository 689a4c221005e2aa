import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { toJson } from './json';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function stored(value: unknown): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${toJson(value)}::jsonb as value`.execute(
    database.db,
  );
  return rows[0]?.value;
}

it.each([
  ['a text that was cut in the middle of an emoji', `disk full ${'🚫'.slice(0, 1)}`, 'disk full \ufffd'],
  ['the other half', `${'🚫'.slice(1)} disk full`, '\ufffd disk full'],
  ['a NUL', 'a\0b', 'a\ufffdb'],
  ['whole emoji, quotes and lines', '🚫 "full"\n', '🚫 "full"\n'],
  ['a backslash that is none of JSON', String.raw`C:\u0000 \ud83d`, String.raw`C:\u0000 \ud83d`],
])('stores %s', async (_what, given, kept) => {
  const value = { message: given, list: [{ deep: given }], n: 1, none: null };
  expect(await stored(value)).toEqual({ message: kept, list: [{ deep: kept }], n: 1, none: null });
});
