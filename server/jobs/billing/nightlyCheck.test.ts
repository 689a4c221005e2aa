import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '../../db/billing/checkBooks';
import { creditReceipt, insertPayment, lockPayment } from '../../db/billing/payments';
import { withTransaction } from '../../db/core/client';
import { publicId } from '../../domain/core/publicId';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { watchAlerts } from '../platform/alerts';
import { checkBooksDaily } from './nightlyCheck';
import { startBooks, type Books } from './testing/books';

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const HOUR = 3_600_000;

it('check 20: a cached balance that differs from its entries raises an alert, which ends once it is corrected', async () => {
  const { db } = database;
  const log = pino({ level: 'silent' });
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

it('check 20: payment receipts and invoice lines are summed, too', async () => {
  const { db } = database;
  const team_id = await books.team();
  const { payment, invoice } = await withTransaction(db, async (trx) => {
    const made = await insertPayment(trx, {
      team_id,
      driver: 'manual',
      amount_micros: 5_000,
      created_by: null,
    });
    for (const bank_reference of ['a', 'b'])
      await creditReceipt(trx, (await lockPayment(trx, { id: made.id }))!, {
        amount_micros: 2_000,
        bank_reference,
        received_at: new Date(),
        confirmed_by: null,
      });
    const cents = { subtotal_cents: 7, total_cents: 7, subtotal_micros: 70_000 };
    const month = { period_start: new Date('2026-10-01'), period_end: new Date('2026-11-01') };
    const { public_id } = await trx
      .insertInto('invoices')
      .values({ public_id: publicId('inv'), team_id, kind: 'invoice', ...month, ...cents })
      .returning('public_id')
      .executeTakeFirstOrThrow();
    return { payment: made, invoice: public_id };
  });
  const wrong = { team_id, what: `lines of ${invoice}`, expected: 70_000, found: 0 };
  expect(await checkBooks(db)).toEqual([wrong]);
  await db.updateTable('payments').set({ received_micros: 6_000 }).where('id', '=', payment.id).execute();
  expect(await checkBooks(db)).toEqual([
    wrong,
    { team_id, what: `receipts of ${payment.public_id}`, expected: 6_000, found: 4_000 },
  ]);
});
