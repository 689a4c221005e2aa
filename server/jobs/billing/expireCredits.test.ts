import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCredits } from '../../db/billing/adminBilling';
import { listGrants, reopenGrants, takeBack } from '../../db/billing/grants';
import { lockLedger } from '../../db/billing/ledger';
import { adminOne } from '../../db/core/adminList';
import { withTransaction } from '../../db/core/client';
import { creditOut } from '../../domain/billing/billingResponse';
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

it('differs from one that was used up before its date', async () => {
  const { db } = database;
  const team = await books.team();
  const given = (amount: number) => books.grant(team, amount, '2026-01-01T00:00:00.123Z');
  const expired = await given(3_000_000);
  await expire();
  const used = await given(2_000_000);
  const grants = await listGrants(db, team, 10);
  const spent = grants.find(({ public_id }) => public_id === used)!;
  await withTransaction(db, (trx) => takeBack(trx, spent, 'credit_revocation', 'Used'));
  const states = { [used]: 'used', [expired]: 'expired' };
  const listed = await listGrants(db, team, 10);
  const shown = listed.map((row) => creditOut(row, new Date()));
  expect(Object.fromEntries(shown.map(({ id, state }) => [id, state]))).toEqual(states);
  for (const { id, public_id } of listed)
    expect(await adminOne(db, adminCredits, id)).toMatchObject({ state: states[public_id] });
});
