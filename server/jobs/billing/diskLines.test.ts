import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../db/billing/checkBooks';
import { draftInvoice, linesOfInvoice } from '../../db/billing/invoices';
import { lockLedger, post } from '../../db/billing/ledger';
import { usageTotals } from '../../db/billing/usageTotals';
import { withTransaction } from '../../db/core/client';
import { addDiskLines } from '../../db/migrations/0290-0319/0294_disk_lines';
import { charge } from '../../domain/billing/ledger';
import { priced } from '../../domain/billing/metering';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeTeamHour, closeUsage, HOUR_MS } from './closeUsage';
import { startBooks, type Books } from './testing/books';

/* A running CVM's disk as its own line, beside lines from earlier versions that combine size and disk. */

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(async () => {
  expect(await checkBooks(database.db)).toEqual([]);
  await database.drop();
});

const at = (time: string) => `2026-11-02T${time}Z`;
const SECOND = 1000;
const RATE = { hourly_rate_micros: 58_001, disk_gb: 7 };
const DISK = 700;

const close = async (team_id: number, time: string) =>
  withTransaction(database.db, (trx) => closeTeamHour(trx, team_id, new Date(at(time))));

/**
 * Posts an hour of a running CVM as the previous version did: one line, and one remainder for everything but
 * GPUs.
 */
const closeAsBefore = (team_id: number, cvm_id: number, time: string) =>
  withTransaction(database.db, async (trx) => {
    await lockLedger(trx, team_id);
    const end = new Date(at(time));
    const meter = await trx
      .selectFrom('usage_meters')
      .selectAll()
      .where('cvm_id', '=', cvm_id)
      .executeTakeFirstOrThrow();
    const change = await trx
      .selectFrom('cvm_state_changes')
      .selectAll()
      .where('cvm_id', '=', cvm_id)
      .where('at', '<', end)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const seconds = (end.getTime() - meter.closed_until.getTime()) / SECOND;
    const { amount_micros, carry } = priced(seconds, change.hourly_rate_micros, meter.carry);
    const transaction = await post(trx, {
      team_id,
      kind: 'usage',
      source_type: 'team_hour',
      source_id: `${team_id}/${new Date(end.getTime() - HOUR_MS).toISOString().slice(0, 13)}`,
      description: 'Usage',
      effective_at: end,
      entries: charge(amount_micros, [], () => amount_micros),
    });
    await trx
      .insertInto('usage_lines')
      .values({
        cvm_id,
        team_id,
        transaction_id: transaction!.id,
        basis: 'size',
        starts_at: meter.closed_until,
        ends_at: end,
        status: change.status,
        vcpu: change.vcpu,
        memory_mb: change.memory_mb,
        disk_gb: change.disk_gb,
        rate_micros: change.hourly_rate_micros,
        carry: meter.carry,
        amount_micros,
        corrects: null,
        order_id: null,
      })
      .execute();
    await sql`update usage_meters set closed_until = ${end}, change_id = ${change.id}, basis = 'size', carry = ${carry}
      where cvm_id = ${cvm_id}`.execute(trx);
  });

/** Returns the lines' totals per kind, in seconds and micro-dollars. */
const sums = async (cvm_id: number) => {
  const lines = await books.lines(cvm_id);
  const of = (basis: string) => lines.filter((line) => line.basis === basis);
  const total = (basis: string) => of(basis).reduce((sum, line) => sum + line.amount_micros, 0);
  return { lines, size: total('size'), disk: total('disk') };
};

/**
 * Creates a running CVM whose first hour was posted by an earlier version, the second by this one, and the
 * third by the earlier one again.
 */
async function upgraded() {
  const team_id = await books.team();
  const cvm_id = await books.cvm(team_id, [['running', at('01:00:01'), RATE]]);
  await closeAsBefore(team_id, cvm_id, '02:00:00');
  await close(team_id, '03:00:00');
  await closeAsBefore(team_id, cvm_id, '04:00:00');
  await close(team_id, '05:00:00');
  return { team_id, cvm_id };
}

describe('while versions change', () => {
  it('every second is charged once, and the remainders are carried', async () => {
    const { team_id, cvm_id } = await upgraded();
    const { lines, size, disk } = await sums(cvm_id);
    expect(lines.map((line) => [line.basis, line.disk_gb, line.seconds, line.rate_micros])).toEqual([
      ['size', 7, 3599, 58_001],
      ['size', 0, 3600, 57_301],
      ['disk', 7, 3600, DISK],
      ['size', 7, 3600, 58_001],
      ['size', 0, 3600, 57_301],
      ['disk', 7, 3600, DISK],
    ]);
    const seconds = 4 * 3600 - 1;
    expect(disk).toBe(2 * DISK);
    expect(size + disk).toBe(Math.floor((seconds * 58_001) / 3600));
    expect(await books.charged(team_id)).toBe(size + disk);
    await books.change(cvm_id, ['deleted', at('05:00:00')]);
    const window = { from: new Date(at('00:00:00')), to: new Date('2026-11-03T00:00:00Z') };
    const totals = await usageTotals(database.db, team_id, window, { by: 'cvm', largest: 1, most: 10 });
    expect(totals?.cells).toMatchObject([
      { vcpu_seconds: seconds, disk_gb_seconds: 7 * seconds, amount_micros: size + disk },
    ]);
  });

  it('the database refuses a disk line that overlaps a size line with disk, before and after', async () => {
    const { team_id, cvm_id } = await upgraded();
    const insert = (basis: 'size' | 'disk', disk_gb: number, from: string, to: string) =>
      sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb, rate_micros,
          carry, amount_micros)
        values (${cvm_id}, ${team_id}, ${basis}, ${at(from)}, ${at(to)}, 'running', 1, 1, ${disk_gb}, 0, 0, 0)`.execute(
        database.db,
      );
    const refused = { code: '23P01' };
    await expect(insert('disk', 7, '01:30:00', '01:31:00')).rejects.toMatchObject(refused);
    await expect(insert('size', 7, '02:30:00', '02:31:00')).rejects.toMatchObject(refused);
    await expect(insert('size', 7, '04:59:59', '06:00:00')).rejects.toMatchObject(refused);
  });

  it('a late change corrects lines of both kinds to the cost of the history', async () => {
    const { team_id, cvm_id } = await upgraded();
    const [first, second] = await books.lines(cvm_id);
    await books.change(cvm_id, ['stopped', at('01:30:00'), RATE]);
    await close(team_id, '06:00:00');
    const { lines, size, disk } = await sums(cvm_id);
    const corrections = lines.filter(({ corrects }) => corrects !== null);
    expect(corrections.map(({ basis, disk_gb, seconds }) => [basis, disk_gb, seconds])).toEqual([
      ['size', 7, 1800],
      ['size', 0, 3600],
      ['disk', 7, 3600],
      ['size', 7, 3600],
      ['size', 0, 3600],
      ['disk', 7, 3600],
      // Instead.
      ['disk', 7, 3.5 * 3600],
    ]);
    expect(corrections.map(({ corrects }) => corrects)).toEqual(
      expect.arrayContaining([first?.id, second?.id]),
    );
    // 1,799 seconds with everything, then the disk alone, to the sixth hour.
    expect(size + disk).toBe(Math.floor((1799 * 58_001 + 4.5 * 3600 * DISK) / 3600));
    expect(await books.charged(team_id)).toBe(size + disk);
    const posted = await books.transactions(team_id);
    expect(posted.filter(({ kind }) => kind === 'usage_correction')).toHaveLength(1);
  });

  it('a late change that costs the same corrects nothing', async () => {
    const { team_id, cvm_id } = await upgraded();
    await books.change(cvm_id, ['restarting', at('01:30:00'), RATE]);
    await books.change(cvm_id, ['running', at('01:31:00'), RATE]);
    await close(team_id, '06:00:00');
    expect((await books.lines(cvm_id)).filter(({ corrects }) => corrects !== null)).toEqual([]);
    expect(await books.charged(team_id)).toBe(Math.floor(((5 * 3600 - 1) * 58_001) / 3600));
  });
});

it('an invoice has one line for the size and one for the disk, running and stopped', async () => {
  const { team_id, cvm_id } = await upgraded();
  await books.change(cvm_id, ['running', at('05:30:00'), { disk_gb: 20, hourly_rate_micros: 59_301 }]);
  await books.change(cvm_id, ['stopped', at('06:00:00'), { disk_gb: 20, hourly_rate_micros: 59_301 }]);
  await books.change(cvm_id, ['deleted', at('07:00:00')]);
  const log = pino({ level: 'fatal' });
  for (let run = 0; run < 3; run++) await closeUsage({ db: database.db, log, now: new Date(at('08:10:00')) });
  const period = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-12-01T00:00:00Z') };
  const invoice = await withTransaction(database.db, (trx) => draftInvoice(trx, team_id, period));
  const lines = await linesOfInvoice(database.db, invoice!.id);
  expect(lines.map(({ basis, seconds, rate_micros }) => [basis, seconds, rate_micros])).toEqual([
    // At first the size line included the disk.
    ['size', 5 * 3600 - 1, null],
    // The disk grew.
    ['disk', 4 * 3600, null],
  ]);
  const { size, disk } = await sums(cvm_id);
  expect(lines.map(({ amount_micros }) => amount_micros)).toEqual([size, disk]);
  expect(invoice?.subtotal_micros).toBe(size + disk);
  expect(lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(invoice?.subtotal_cents);
  expect(await books.charged(team_id)).toBe(size + disk);
});

describe('0294_disk_lines', () => {
  /** Runs the migration again, for a database with more lines than `most`. */
  const migrated = (most: number) =>
    withTransaction(database.db, async (trx) => {
      await sql`alter table usage_meters drop column disk_carry`.execute(trx);
      await sql`alter table usage_lines drop constraint if exists usage_lines_since`.execute(trx);
      await addDiskLines(trx, most);
    });

  it('keeps new lines apart in a large database, and lets none start inside hours already posted', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await close(team_id, '04:00:00');
    await migrated(0);
    const insert = (from: string, to: string) =>
      sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb, rate_micros,
          carry, amount_micros) values (${cvm_id}, ${team_id}, 'disk', ${at(from)}, ${at(to)}, 'running', 1, 1, 1, 0, 0, 0)`.execute(
        database.db,
      );
    // Other CVMs in these tests are posted until five or six.
    await expect(insert('01:30:00', '02:00:00')).rejects.toMatchObject({ code: '23514' });
    await close(team_id, '05:00:00');
    await expect(insert('04:30:00', '04:31:00')).rejects.toMatchObject({ code: '23P01' });
    expect(await books.charged(team_id)).toBe(4 * 58_000);
    await migrated(1_000_000);
    await expect(insert('01:30:00', '02:00:00')).rejects.toMatchObject({ code: '23P01' });
  });
});
