import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderLater, withoutDocument } from '../../db/billing/invoiceDocuments';
import { draftInvoice, linesOfInvoice, lockInvoice, setInvoice } from '../../db/billing/invoices';
import {
  creditableOf,
  creditInvoice,
  issueInvoice,
  voidInvoice,
  type Invoicing,
} from '../../db/billing/issueInvoice';
import { postedBalance } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import { completedMonth } from '../../domain/billing/invoice';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeMonths } from './closeMonth';
import { closeTeamHour, closeUsage } from './closeUsage';
import { startBooks, type Books, type Point } from './testing/books';

/* Monthly invoices. The check numbers refer to the issue. */

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const log = pino({ level: 'fatal' });
const invoicing: Invoicing = {
  review_days: 0,
  due_days: 14,
  tax_rule: 'fixed',
  tax_rate: 0,
  seller: 'Teehouse Ltd',
  seller_vat_id: null,
};
/** The month that the tests close, and a time after it. Drafts carry the database's clock, which is earlier. */
const month = {
  start: new Date('2030-11-01T00:00:00Z'),
  end: new Date('2030-12-01T00:00:00Z'),
};
const NOW = new Date('2030-12-05T00:00:00Z');
const close = (now = NOW, how: Partial<Invoicing> = {}) =>
  closeMonths({
    db: database.db,
    log,
    now,
    invoicing: { ...invoicing, ...how },
  });

/** A team with CVMs, whose usage is posted. */
async function charged(...histories: Point[][]): Promise<number> {
  const team_id = await books.team();
  for (const history of histories) await books.cvm(team_id, history);
  for (let run = 0; run < 3; run++) await closeUsage({ db: database.db, log, now: NOW });
  return team_id;
}

const hours = (from: string, to: string, hourly_rate_micros = 58_000): Point[] => [
  ['running', `2030-11-${from}Z`, { hourly_rate_micros }],
  ['deleted', `2030-11-${to}Z`, { hourly_rate_micros }],
];
const odd = (seconds: number, rate: number) =>
  hours('03T10:00:00', `03T10:${String(Math.floor(seconds / 60)).padStart(2, '0')}:00`, rate);

const invoices = (team_id: number) =>
  database.db.selectFrom('invoices').selectAll().where('team_id', '=', team_id).orderBy('id').execute();
const audited = async (team_id: number) =>
  (
    await database.db
      .selectFrom('audit_log')
      .select('action')
      .where('team_id', '=', team_id)
      .where('action', 'like', 'invoice.%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);
const draft = (team_id: number) => withTransaction(database.db, (trx) => draftInvoice(trx, team_id, month));
const locked = <T>(id: number, act: (...given: Parameters<typeof voidInvoice>) => Promise<T>) =>
  withTransaction(database.db, async (trx) => {
    const invoice = await lockInvoice(trx, id);
    if (!invoice) throw new Error('no invoice');
    return act(trx, invoice, NOW);
  });
const issue = (id: number, tax_rate = 0) =>
  locked(id, (trx, invoice, now) => issueInvoice(trx, invoice, { ...invoicing, tax_rate }, now));

/**
 * Creates drafts for fifty teams as the monthly close leaves them. Fifty teams with metered CVMs would take
 * minutes.
 */
async function fiftyDrafts(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with fifty as (
      insert into teams (public_id, slug, name, wallet_address)
      select 'wks_fifty' || i, 'fifty-' || i, 'Fifty ' || i, '0x' from generate_series(1, 50) i returning id
    )
    insert into invoices (public_id, team_id, kind, period_start, period_end, subtotal_micros, subtotal_cents, total_cents)
    select 'inv_fifty' || id, id, 'invoice', ${month.start}, ${month.end}, 58000, 6, 6 from fifty returning id`.execute(
    database.db,
  );
  await sql`
    insert into invoice_lines (invoice_id, position, cvm_id, vm_uuid, cvm_name, app_name, basis, seconds, rate_micros,
      amount_micros, amount_cents)
    select id, 1, 1, gen_random_uuid()::text, 'one', 'fifty', 'size', 3600, 58000, 58000, 6
    from invoices where public_id like 'inv_fifty%'`.execute(database.db);
  return rows.map(({ id }) => id);
}

describe('the monthly close', () => {
  it('invoices what was charged once, with two workers running it twice', async () => {
    const team = await charged(hours('03T10:00:00', '03T12:00:00'), hours('30T23:00:00', '30T23:59:59'));
    await books.topUp(team, 1_000_000);
    await Promise.all([close(), close()]);
    await Promise.all([close(), close()]);
    const [invoice, ...more] = await invoices(team);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({
      state: 'paid',
      subtotal_micros: await books.charged(team),
      seller: 'Teehouse Ltd',
    });
    expect([invoice?.period_start, invoice?.period_end]).toEqual([month.start, month.end]);
    expect(invoice?.payer?.name).toMatch(/^books-/);
    expect(await audited(team)).toEqual(['invoice.draft', 'invoice.issue', 'invoice.paid']);
    const lines = await linesOfInvoice(database.db, invoice?.id ?? 0);
    expect(lines.map(({ seconds, rate_micros, basis }) => [seconds, rate_micros, basis])).toEqual([
      [7200, 56_000, 'size'],
      [7200, 2_000, 'disk'],
      [3599, 56_000, 'size'],
      [3599, 2_000, 'disk'],
    ]);
    expect(lines.reduce((sum, line) => sum + line.amount_micros, 0)).toBe(invoice?.subtotal_micros);
    expect(lines.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(invoice?.total_cents);
    const files = await database.db
      .selectFrom('invoice_documents')
      .select('content')
      .where('invoice_id', '=', invoice?.id ?? 0)
      .execute();
    expect(files.map(({ content }) => content.subarray(0, 5).toString())).toEqual(['%PDF-']);
  });

  it('retries a PDF that could not be rendered, with growing delays', async () => {
    const { db } = database;
    const team = await charged(hours('03T10:00:00', '03T12:00:00'));
    const { id } = await issue((await draft(team))!.id);
    const isDue = async (at: number) =>
      (await withoutDocument(db, new Date(at), { after: id - 1, limit: 1 })).includes(id);
    let at = NOW.getTime();
    for (const minutes of [1, 2, 4, 8]) {
      expect(await isDue(at)).toBe(true);
      const failed = renderLater(db, id, new Date(at), () => Promise.reject(new Error('no font')));
      await expect(failed).rejects.toThrow('no font');
      expect(await isDue(at + minutes * 60_000 - 1)).toBe(false);
      at += minutes * 60_000;
    }
    await renderLater(db, id, new Date(at));
    expect(await isDue(at)).toBe(false);
  });

  it('check 13: seconds on either side of midnight UTC are invoiced in their own months', async () => {
    const team = await charged([
      ['running', '2030-10-31T23:59:59Z', { hourly_rate_micros: 36_000_000 }],
      ['deleted', '2030-11-01T00:00:01Z', { hourly_rate_micros: 36_000_000 }],
    ]);
    await close();
    const found = await invoices(team);
    expect(found.map((row) => [row.period_start.toISOString().slice(0, 7), row.total_cents])).toEqual([
      ['2030-10', 1],
      ['2030-11', 1],
    ]);
  });

  it('waits until every hour of the month is posted', async () => {
    const team = await charged(hours('03T10:00:00', '03T12:00:00'));
    await books.cvm(team, [['running', '2030-11-30T22:00:00Z']]);
    await close();
    expect(await invoices(team)).toEqual([]);
    await closeUsage({ db: database.db, log, now: NOW });
    await close();
    expect((await invoices(team)).map((row) => row.subtotal_micros)).toEqual([4 * 58_000]);
  });

  it('puts corrections to an invoiced month on the next invoice, and both sum to the usage', async () => {
    const now = new Date();
    const [past, current] = [completedMonth(now), completedMonth(now, -1)];
    const before = (minutes: number) => new Date(past.end.getTime() - minutes * 60_000).toISOString();
    const team = await books.team();
    const cvm_id = await books.cvm(team, [['running', before(120)]]);
    const post = (end: Date) => withTransaction(database.db, (trx) => closeTeamHour(trx, team, end));
    const draftOf = (period: typeof past) =>
      withTransaction(database.db, (trx) => draftInvoice(trx, team, period));
    await post(past.end);
    const first = (await draftOf(past))!;
    await issue(first.id);
    // It had stopped half an hour before midnight, and was deleted an hour after midnight.
    await books.change(cvm_id, ['stopped', before(30)]);
    await books.change(cvm_id, ['deleted', before(-60)]);
    await post(new Date(Math.max(now.getTime(), past.end.getTime() + 2 * 3_600_000)));
    const second = (await draftOf(current))!;
    expect([first.subtotal_micros, second.subtotal_micros]).toEqual([
      2 * 58_000,
      // One hour of disk, and half an hour of disk instead of the size.
      2_000 + 1_000 - 29_000,
    ]);
    expect((await invoices(team))[0]).toMatchObject({ subtotal_micros: 2 * 58_000, state: 'open' });
    expect(await books.charged(team)).toBe(first.subtotal_micros + second.subtotal_micros);
    expect(await issue(second.id, 1900)).toMatchObject({ state: 'paid', total_cents: -4 });
  });

  it('puts usage that becomes known later on the next invoice, even if nothing was posted for its time', async () => {
    const now = new Date();
    const [past, current] = [completedMonth(now), completedMonth(now, -1)];
    const before = (minutes: number) => new Date(past.end.getTime() - minutes * 60_000).toISOString();
    const team = await books.team();
    await books.cvm(team, [
      ['running', before(120)],
      ['deleted', before(60)],
    ]);
    const late = await books.cvm(team, [['creating', before(120)]]);
    const post = (end: Date) => withTransaction(database.db, (trx) => closeTeamHour(trx, team, end));
    const draftOf = (period: typeof past) =>
      withTransaction(database.db, (trx) => draftInvoice(trx, team, period));
    await post(past.end);
    const first = (await draftOf(past))!;
    // It had run from half an hour before midnight until an hour after.
    await books.change(late, ['running', before(30)]);
    await books.change(late, ['deleted', before(-60)]);
    await post(new Date(Math.max(now.getTime(), past.end.getTime() + 2 * 3_600_000)));
    const second = (await draftOf(current))!;
    expect([first.subtotal_micros, second.subtotal_micros]).toEqual([58_000, 29_000 + 58_000]);
    expect(await books.charged(team)).toBe(first.subtotal_micros + second.subtotal_micros);
  });

  it('keeps a draft for its review period', async () => {
    const team = await charged(hours('03T10:00:00', '03T12:00:00'));
    await close(NOW, { review_days: 60_000 });
    expect(await invoices(team)).toMatchObject([{ state: 'draft', number: null, payer: null }]);
    await close();
    expect(await invoices(team)).toMatchObject([{ state: 'open' }]);
  });

  it('leaves an invoice open until payments cover it, oldest charges first', async () => {
    const team = await charged(
      [
        ['running', '2030-11-10T00:00:00Z'],
        ['deleted', '2030-11-10T02:00:00Z'],
      ],
      [
        ['running', '2030-12-02T00:00:00Z'],
        ['deleted', '2030-12-02T03:00:00Z'],
      ],
    );
    await close();
    expect(await invoices(team)).toMatchObject([{ state: 'open', paid_at: null }]);
    await books.topUp(team, 2 * 58_000 - 1);
    await close();
    expect(await invoices(team)).toMatchObject([{ state: 'open' }]);
    await books.topUp(team, 1);
    await close();
    expect(await invoices(team)).toMatchObject([{ state: 'paid', paid_at: NOW }]);
    expect((await postedBalance(database.db, team)).prepaid).toBe(-3 * 58_000);
  });
});

describe('issued invoices', () => {
  it('check 39: of 50 issued concurrently, 5 of which fail, 45 have consecutive numbers', async () => {
    const drafts = await fiftyDrafts();
    const year = new Date('2031-01-02T00:00:00Z');
    const results = await Promise.allSettled(
      drafts.map((id, index) =>
        locked(id, async (trx, invoice) => {
          const issued = await issueInvoice(trx, invoice, invoicing, year);
          if (index % 10 === 3) throw new Error('failed after its number was drawn');
          return issued.number ?? 0;
        }),
      ),
    );
    const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  });

  it('check 40: lines with odd amounts and 19% tax sum to the total, and credit notes to its negative', async () => {
    const team = await charged(odd(7 * 60, 1_234_567), odd(11 * 60, 999_999), odd(13 * 60, 777_777));
    const id = (await draft(team))?.id ?? 0;
    const before = (await postedBalance(database.db, team)).prepaid;
    const invoice = await issue(id, 1900);
    expect((await postedBalance(database.db, team)).prepaid).toBe(before - invoice.tax_cents * 10_000);
    const lines = await linesOfInvoice(database.db, id);
    expect(lines.map(({ basis }) => basis)).toEqual(['size', 'disk', 'size', 'disk', 'size', 'disk']);
    expect(lines.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(invoice.subtotal_cents);
    expect(invoice.tax_cents).toBe(Math.round(invoice.subtotal_cents * 0.19));
    const credit = (cents: number) =>
      locked(id, (trx, row, now) => creditInvoice(trx, row, { cents, reason: 'Outage' }, now));
    const first = await credit(7);
    const { cents: rest } = await locked(id, (trx, row) => creditableOf(trx, row));
    expect(rest).toBe(invoice.subtotal_cents - 7);
    await expect(credit(rest + 1)).rejects.toThrow(RangeError);
    const second = await credit(rest);
    expect([first.number, second.number]).toEqual([1, 2]);
    expect(first.total_cents + second.total_cents).toBe(-invoice.total_cents);
    expect(first.subtotal_micros + second.subtotal_micros).toBe(-invoice.subtotal_micros);
    // Everything it charged was credited back.
    expect((await postedBalance(database.db, team)).prepaid).toBe(0);
  });

  it('cannot be changed in the database, except for their state', async () => {
    const team = await charged(hours('03T10:00:00', '03T12:00:00'));
    const id = (await draft(team))?.id ?? 0;
    const run = (text: string) => sql.raw(text).execute(database.db);
    await expect(run(`update invoice_lines set amount_cents = 0 where invoice_id = ${id}`)).rejects.toThrow(
      /never changed/,
    );
    await issue(id);
    for (const change of [
      'subtotal_cents = 0, total_cents = 0',
      `payer = '{}'`,
      'number = 900',
      `issued_at = now()`,
      `state = 'draft'`,
    ])
      await expect(run(`update invoices set ${change} where id = ${id}`), change).rejects.toThrow();
    await expect(run(`delete from invoices where id = ${id}`)).rejects.toThrow();
    await expect(run(`delete from invoice_lines where invoice_id = ${id}`)).rejects.toThrow(/never changed/);
    await expect(
      run(`insert into invoice_lines select invoice_id, 9, cvm_id, vm_uuid, cvm_name, app_name, basis, seconds,
        rate_micros, amount_micros, amount_cents from invoice_lines where invoice_id = ${id}`),
    ).rejects.toThrow(/never changed/);
    await database.db.updateTable('teams').set({ name: 'Renamed' }).where('id', '=', team).execute();
    expect((await invoices(team))[0]?.payer?.name).toMatch(/^books-/);
  });

  it('return their tax when voided, and are final', async () => {
    const team = await charged(hours('03T10:00:00', '03T20:00:00'));
    const id = (await draft(team))?.id ?? 0;
    const before = await postedBalance(database.db, team);
    expect((await issue(id, 1900)).tax_cents).toBe(11);
    await locked(id, voidInvoice);
    expect(await postedBalance(database.db, team)).toEqual(before);
    await expect(locked(id, (trx) => setInvoice(trx, id, { state: 'paid' }))).rejects.toThrow(
      /cannot become/,
    );
    // The month is not invoiced again.
    await close();
    expect((await invoices(team)).map(({ state }) => state)).toEqual(['void']);
  });
});
