import { Kysely, PostgresDialect, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../db/core/schema';
import { closeAiUsage } from '../../../jobs/billing/closeAiUsage';
import { startAiRequests } from '../../../jobs/billing/testing/aiRequests';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import type { SheetRow } from '../../../domain/core/sheet';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { TEAM_COLUMNS, teamUsageRows } from './teamUsageRows';

let database: TestDatabase;
let books: Books;
let request: ReturnType<typeof startAiRequests>;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
  request = startAiRequests(database.db);
});
afterAll(() => database.drop());

const at = (time: string) => `2026-11-02T${time}Z`;
const WINDOW = { from: new Date('2026-11-01'), to: new Date('2026-12-01') };
const close = (now: string) =>
  closeAiUsage({ db: database.db, log: pino({ level: 'fatal' }), now: new Date(at(now)) });
const cell = (row: SheetRow, column: (typeof TEAM_COLUMNS)[number]) => row[TEAM_COLUMNS.indexOf(column)];
/** Hour, state and price of AI requests. */
const ofAi = (rows: readonly SheetRow[]) =>
  rows
    .filter((row) => cell(row, 'kind') === 'ai')
    .map((row) => [
      (cell(row, 'from') as Date).toISOString().slice(11, 13),
      cell(row, 'state'),
      (cell(row, 'usd') as { decimal: string }).decimal,
    ]);

/** A team with a posted hour that a late request belongs to, and an unposted hour. */
async function late(): Promise<number> {
  const team_id = await books.team();
  await request(team_id, { at: at('08:10:00'), cost_picos: 1_000_000_000_000 });
  await close('09:06:00');
  await request(team_id, { at: at('08:50:00'), cost_picos: 2_000_000_000_000 });
  await request(team_id, { at: at('09:30:00'), cost_picos: 4_000_000_000_000 });
  return team_id;
}

it('includes late requests of a posted hour', async () => {
  const team_id = await late();
  const rows: SheetRow[] = [];
  for await (const batch of teamUsageRows(database.db, team_id, WINDOW)) rows.push(...batch);
  expect(ofAi(rows)).toEqual([
    ['08', 'posted', '1.00'],
    ['08', 'not posted yet', '2.00'],
    ['09', 'not posted yet', '4.00'],
  ]);
});

it('includes each request once if it is posted while the file is written', async () => {
  const team_id = await late();
  const batches = teamUsageRows(database.db, team_id, WINDOW);
  const first = await batches.next();
  await close('10:06:00');
  const rows = [...(first.value ?? [])];
  for await (const batch of batches) rows.push(...batch);
  expect(ofAi(rows)).toEqual([
    ['08', 'posted', '1.00'],
    ['08', 'not posted yet', '2.00'],
    ['09', 'not posted yet', '4.00'],
  ]);
  const again: SheetRow[] = [];
  for await (const batch of teamUsageRows(database.db, team_id, WINDOW)) again.push(...batch);
  expect(ofAi(again)).toEqual([
    ['08', 'posted', '1.00'],
    ['08', 'posted', '2.00'],
    ['09', 'posted', '4.00'],
  ]);
});

it('reads posted lines a thousand at a time, at the reader’s pace', async () => {
  const team_id = await books.team();
  const cvm_id = await books.cvm(team_id, [['running', at('00:00:00')]]);
  await sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb,
      rate_micros, carry, amount_micros)
    select ${cvm_id}, ${team_id}, 'size', ${WINDOW.from}::timestamptz + i * interval '1 second',
      ${WINDOW.from}::timestamptz + (i + 1) * interval '1 second', 'running', 1, 1, 1, 0, 0, 0
    from generate_series(0, 4499) i`.execute(database.db);
  let asked = 0;
  const counted = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void (asked += query.sql.includes('"usage_lines" as "l"') ? 1 : 0),
  });
  const seen: [rows: number, asked: number][] = [];
  for await (const batch of teamUsageRows(counted, team_id, WINDOW))
    if (batch.some((row) => cell(row, 'kind') === 'cvm' && cell(row, 'state') === 'posted'))
      seen.push([batch.length, asked]);
  expect(seen).toEqual([
    [1000, 1],
    [1000, 2],
    [1000, 3],
    [1000, 4],
    [500, 5],
  ]);
});
