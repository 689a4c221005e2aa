import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { draftInvoice, linesOfInvoice } from '../../db/billing/invoices';
import { usageTotals } from '../../db/billing/usageTotals';
import { createDb, createPool, withTransaction, type Db } from '../../db/core/client';
import { periodOf } from '../../domain/billing/budget';
import { completedMonth } from '../../domain/billing/invoice';
import { meter } from '../../domain/billing/metering';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeMonths } from './closeMonth';
import { closeUsage } from './closeUsage';
import { startBooks, UNCOVERED, type Books } from './testing/books';

/*
 * Months are UTC, wherever the server and its database run. Both run here in zones with daylight saving time.
 */

const HOST_ZONE = 'Europe/Berlin';
const DATABASE_ZONE = 'America/New_York';

let database: TestDatabase;
let db: Db;
let books: Books;
let end: () => Promise<void>;
const zone = process.env.TZ;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool(
    { ...database.connection, options: `-c TimeZone=${DATABASE_ZONE}` },
    { applicationName: 'zones', size: 4 },
  );
  db = createDb(pool);
  end = () => pool.end();
  books = await startBooks({ db });
});
beforeEach(() => {
  process.env.TZ = HOST_ZONE;
  return () => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  };
});
afterAll(async () => {
  await end();
  await database.drop();
});

const log = pino({ level: 'fatal' });
const HOUR = 3_600_000;

describe('a month', () => {
  it('is set up in zones with daylight saving time', async () => {
    const offset = (text: string) => new Date(text).getTimezoneOffset();
    expect([offset('2026-10-25T00:30:00Z'), offset('2026-10-25T01:30:00Z')]).toEqual([-120, -60]);
    const { rows } = await database.pool.query<{ zone: string }>(
      `select current_setting('TimeZone') as zone`,
    );
    expect(rows[0]?.zone).not.toBe(DATABASE_ZONE);
  });

  it.each([
    ['2027-02', 28],
    ['2028-02', 29],
    ['2027-03', 31],
    ['2026-10', 31],
    ['2026-11', 30],
  ])('check 12: %s has the seconds of its %i days, by the hour and as one window', (month, days) => {
    const from = new Date(`${month}-01T00:00:00Z`);
    const next = new Date(from.getTime() + days * 24 * HOUR);
    expect(completedMonth(new Date(next.getTime() + 1))).toEqual({ start: from, end: next });
    expect(completedMonth(next)).toEqual({ start: from, end: next });
    expect(completedMonth(new Date(next.getTime() - 1)).end).toEqual(from);
    expect(periodOf('month', new Date(next.getTime() - 1))).toEqual({ from, to: next });
    const change = {
      status: 'running',
      vcpu: 1,
      memory_mb: 1024,
      disk_gb: 20,
      hourly_rate_micros: 58_001,
      gpu_rate_micros: 0,
      ...UNCOVERED,
      at: new Date(from.getTime() - 5 * HOUR),
    };
    const whole = meter([change], { from, to: next });
    const ofSize = ({ basis }: { basis: string }) => basis === 'size';
    expect(whole.lines.map(({ basis, seconds }) => [basis, seconds])).toEqual([
      ['size', days * 86_400],
      ['disk', days * 86_400],
    ]);
    let [before, seconds, amount] = [{}, 0, 0];
    for (let at = from.getTime(); at < next.getTime(); at += HOUR) {
      const hour = meter([change], { from: new Date(at), to: new Date(at + HOUR) }, before);
      seconds += hour.lines.filter(ofSize).reduce((sum, line) => sum + line.seconds, 0);
      amount += hour.amount_micros;
      before = hour;
    }
    expect([seconds, amount]).toEqual([days * 86_400, whole.amount_micros]);
  });

  it('check 12: with a clock change is posted, totaled by day and invoiced in UTC', async () => {
    const team_id = await books.team();
    // Europe's clocks change on 25 October, America's on 1 November.
    await books.cvm(team_id, [
      ['running', '2026-10-24T22:00:00Z'],
      ['deleted', '2026-10-26T02:00:00Z'],
    ]);
    await books.cvm(team_id, [
      ['running', '2026-10-31T22:00:00Z'],
      ['deleted', '2026-11-01T12:00:00Z'],
    ]);
    const now = new Date('2026-11-03T00:00:00Z');
    for (let run = 0; run < 5; run++) await closeUsage({ db, log, now });
    const window = { from: new Date('2026-10-24T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };
    const totals = await usageTotals(db, team_id, window, { by: 'basis', largest: 2, most: 10 });
    expect(
      totals?.cells
        .filter(({ key }) => key === 'size')
        .map((cell) => [cell.day.toISOString().slice(0, 10), cell.vcpu_seconds / 3600]),
    ).toEqual([
      ['2026-10-24', 2],
      ['2026-10-25', 24],
      ['2026-10-26', 2],
      ['2026-10-31', 2],
      ['2026-11-01', 12],
    ]);
    const period = completedMonth(now);
    const invoice = await withTransaction(db, (trx) => draftInvoice(trx, team_id, period));
    expect(invoice?.period_start.toISOString()).toBe('2026-10-01T00:00:00.000Z');
    expect(
      (await linesOfInvoice(db, invoice!.id)).map(({ basis, seconds }) => [basis, seconds / 3600]),
    ).toEqual([
      ['size', 28],
      ['disk', 28],
      ['size', 2],
      ['disk', 2],
    ]);
    // Midnight in Berlin is still October in UTC.
    const invoicing = {
      review_days: 0,
      due_days: 14,
      tax_rule: 'none',
      tax_rate: 0,
      seller: null,
      seller_vat_id: null,
    } as const;
    await closeMonths({ db, log, now: new Date('2026-11-30T23:30:00Z'), invoicing });
    const periods = () =>
      db
        .selectFrom('invoices')
        .select('period_start')
        .where('team_id', '=', team_id)
        .orderBy('period_start')
        .execute();
    expect(await periods()).toHaveLength(1);
    await closeMonths({ db, log, now: new Date('2026-12-01T00:00:00Z'), invoicing });
    expect((await periods()).map(({ period_start }) => period_start.toISOString())).toEqual([
      '2026-10-01T00:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
    ]);
  });
});
