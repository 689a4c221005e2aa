import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAiRequests } from '../../jobs/billing/testing/aiRequests';
import { startBooks } from '../../jobs/billing/testing/books';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { monthOf } from '../../domain/billing/forecast';
import { dayStart } from '../../domain/billing/usageDays';
import { cloudSpend } from '../billing/adminSpend';
import { keysSpent } from '../billing/adminUsage';
import { openAiHours } from './aiTotals';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("costs the same wherever it is shown: parts of a micro-dollar add up, including the last hour's remainder", async () => {
  const { db } = database;
  const books = await startBooks(database);
  const team_id = await books.team();
  const request = startAiRequests(db);
  const now = new Date();
  for (const model of ['acme/a', 'acme/b', 'acme/c', 'acme/d', 'acme/e'])
    await request(team_id, { at: now.toISOString(), cost_picos: 700_000, model });
  await db.insertInto('ai_meters').values({ team_id, closed_until: now, carry_picos: 600_000 }).execute();
  const { id } = await db
    .selectFrom('ai_keys')
    .select('id')
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  const hours = await openAiHours(db, team_id);
  // 5 × 0.7 and 0.6: each alone would be 0.
  expect(hours.map(({ amount_micros }) => amount_micros)).toEqual([1, 1, 0, 1, 1]);
  expect((await keysSpent(db, [id])).get(id)).toBe(4);
  const since = { month: monthOf(now).from, day: dayStart(now), to: new Date(now.getTime() + 1000) };
  const { all, top } = await cloudSpend(db, since);
  expect(top.find((team) => team.team_id === team_id)).toMatchObject({ ai: 4, month: 4, today: 4 });
  expect(all).toMatchObject({ ai: 4 });
});
