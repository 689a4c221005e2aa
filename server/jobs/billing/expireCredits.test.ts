import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reopenGrants } from '../../db/billing/grants';
import { lockLedger } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { expireCredits } from './expireCredits';
import { startBooks, type Books } from './testing/books';

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const expire = () => expireCredits({ db: database.db, log: pino({ level: 'silent' }), now: new Date() });

/** Waits until the job waits for a lock. */
const isWaiting = () =>
  eventually('the job waits', async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    return (rows[0]?.count ?? 0) > 0;
  });

it('takes an expired credit, but not one that a reversal gave more time in between', async () => {
  const [team, other] = [await books.team(), await books.team()];
  const reopened = await books.grant(team, 5_000_000, '2026-01-01T00:00:00Z');
  const expired = await books.grant(other, 3_000_000, '2026-01-01T00:00:00Z');
  const { job } = await withTransaction(database.db, async (trx) => {
    await lockLedger(trx, team);
    const job = expire();
    await isWaiting();
    await reopenGrants(trx, [{ account: 'credits', amount: 1, grant: reopened }]);
    return { job };
  });
  await job;
  expect(await books.remaining(expired)).toBe(0);
  expect(await books.remaining(reopened)).toBe(5_000_000);
});
