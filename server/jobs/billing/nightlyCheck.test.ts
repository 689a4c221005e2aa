import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { watchAlerts } from '../platform/alerts';
import { checkBooksDaily } from './nightlyCheck';
import { startBooks } from './testing/books';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const HOUR = 3_600_000;

it('check 20: a cached balance that differs from its entries raises an alert, which ends once it is right', async () => {
  const { db } = database;
  const log = pino({ level: 'silent' });
  const books = await startBooks(database);
  const team_id = await books.team();
  await books.topUp(team_id, 1_000);
  await sql`alter table ledger_balances disable trigger user`.execute(db);
  const night = async (hours: number) => {
    await checkBooksDaily({ db, log, now: new Date(Date.now() + hours * HOUR) });
    await watchAlerts({ db, dataDir: '/tmp' });
    return db
      .selectFrom('alerts')
      .select(['severity', 'message', 'resolved_at'])
      .where('kind', '=', 'books_unbalanced')
      .orderBy('id')
      .execute();
  };
  expect(await night(0)).toEqual([]);
  await sql`update ledger_balances set amount_micros = 999 where account = 'prepaid'`.execute(db);
  // Once a day.
  expect(await night(23)).toEqual([]);
  expect(await night(25)).toMatchObject([
    {
      severity: 'critical',
      message: expect.stringContaining(`balance of prepaid of team ${team_id}`),
      resolved_at: null,
    },
  ]);
  await sql`update ledger_balances set amount_micros = 1000 where account = 'prepaid'`.execute(db);
  expect(await night(50)).toMatchObject([{ resolved_at: expect.any(Date) }]);
});
