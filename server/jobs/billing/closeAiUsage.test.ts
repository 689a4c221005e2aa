import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertAiHolds } from '../../db/ai/aiCharges';
import { currentBalance } from '../../db/billing/accrued';
import { checkBooks } from '../../db/billing/checkBooks';
import { draftInvoice, linesOfInvoice } from '../../db/billing/invoices';
import { lockRefundable } from '../../db/billing/cardRefunds';
import { lockLedger } from '../../db/billing/ledger';
import { creditReceipt, insertPayment, lockPayment } from '../../db/billing/payments';
import { withTransaction } from '../../db/core/client';
import { announceDeletions } from '../../testing/announceDeletions';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { housekeeping } from '../core/housekeeping';
import { closeAiUsage } from './closeAiUsage';
import { expireCredits } from './expireCredits';
import { startAiRequests } from './testing/aiRequests';
import { startBooks, type Books } from './testing/books';

let database: TestDatabase;
let books: Books;
let request: ReturnType<typeof startAiRequests>;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
  request = startAiRequests(database.db);
});
afterAll(async () => {
  // Must hold after every test.
  expect(await checkBooks(database.db)).toEqual([]);
  await database.drop();
});

const log = pino({ level: 'fatal' });
const at = (time: string) => `2026-11-02T${time}Z`;
const close = (now: string) => closeAiUsage({ db: database.db, log, now: new Date(now) });
const lines = (team_id: number) =>
  database.db.selectFrom('ai_usage_lines').selectAll().where('team_id', '=', team_id).orderBy('id').execute();
const carryOf = async (team_id: number) =>
  (
    await database.db
      .selectFrom('ai_meters')
      .select('carry_picos')
      .where('team_id', '=', team_id)
      .executeTakeFirstOrThrow()
  ).carry_picos;
const accrued = async (team_id: number, now = new Date()) => {
  const { balance, accrued: amount, held_ai } = await currentBalance(database.db, team_id, now);
  return { balance, accrued: amount, held_ai };
};

describe('AI requests', () => {
  it('are charged per hour in one transaction, with a line per model', async () => {
    const team_id = await books.team();
    await books.topUp(team_id, 10_000_000);
    await request(team_id, { at: at('08:00:00'), cost_picos: 1_400_000_000_000, input_tokens: 70 });
    await request(team_id, { at: at('08:59:59'), cost_picos: 600_000_000_000 });
    await request(team_id, { at: at('08:30:00'), cost_picos: 500_000_000_000, model: 'acme/small' });
    await request(team_id, { at: at('09:00:00'), cost_picos: 1_000_000_000_000 });
    await request(team_id, { at: at('08:10:00'), cost_picos: 0, model: 'acme/free' });
    await close(at('09:04:59'));
    expect(await lines(team_id)).toEqual([]);
    await close(at('09:05:00'));
    const posted = (await books.transactions(team_id)).filter(({ kind }) => kind === 'usage');
    expect(posted).toMatchObject([
      {
        source_type: 'ai_hour',
        source_id: `${team_id}/2026-11-02T08`,
        description: 'Confidential AI on November 2, 2026, 08:00 to 09:00 UTC',
        effective_at: new Date(at('09:00:00')),
        entries: [
          { account: 'prepaid', amount: -2_500_000 },
          { account: 'revenue', amount: 2_500_000 },
        ],
      },
    ]);
    expect(await lines(team_id)).toMatchObject([
      {
        transaction_id: posted[0]?.id,
        model: 'acme/large',
        starts_at: new Date(at('08:00:00')),
        requests: 2,
        input_tokens: 170,
        output_tokens: 20,
        cost_picos: 2_000_000_000_000,
        amount_micros: 2_000_000,
      },
      { model: 'acme/small', requests: 1, amount_micros: 500_000 },
    ]);
    // The next hour's request is still part of the balance.
    expect(await accrued(team_id)).toMatchObject({ balance: 6_500_000, accrued: 1_000_000 });
    await close(at('10:05:00'));
    expect(await accrued(team_id)).toMatchObject({ balance: 6_500_000, accrued: 0 });
  });

  it('are charged once, regardless of the number of workers and runs', async () => {
    const team_id = await books.team();
    for (let n = 0; n < 20; n++)
      await request(team_id, { at: at(`0${n % 4}:30:00`), cost_picos: 1_000_000_000 + n });
    await Promise.all([close(at('06:10:00')), close(at('06:10:00')), close(at('06:10:00'))]);
    await close(at('06:10:00'));
    expect((await books.transactions(team_id)).map(({ source_id }) => source_id)).toEqual(
      ['00', '01', '02', '03'].map((hour) => `${team_id}/2026-11-02T${hour}`),
    );
    expect(await books.charged(team_id)).toBe(20_000);
    expect(await carryOf(team_id)).toBe(190);
  });

  it('that are recorded after their hour was closed are charged with the next', async () => {
    const team_id = await books.team();
    await request(team_id, { at: at('01:10:00'), cost_picos: 1_000_000_000 });
    await close(at('02:10:00'));
    await request(team_id, { at: at('01:59:00'), cost_picos: 3_000_000_000 });
    await close(at('02:40:00'));
    expect(await books.charged(team_id)).toBe(1000);
    await close(at('03:10:00'));
    expect((await books.transactions(team_id)).map(({ source_id }) => source_id)).toEqual([
      `${team_id}/2026-11-02T01`,
      `${team_id}/2026-11-02T02`,
    ]);
    const [, late] = await lines(team_id);
    expect(late).toMatchObject({
      starts_at: new Date(at('01:00:00')),
      effective_at: new Date(at('03:00:00')),
      amount_micros: 3000,
    });
    await close(at('05:10:00'));
    expect(await books.charged(team_id)).toBe(4000);
  });

  it('that are recorded while their hour is closed are charged exactly once', async () => {
    const team_id = await books.team();
    await request(team_id, { at: at('01:30:00'), cost_picos: 1 });
    let isOver = false;
    const gateway = async (n: number) => {
      for (let i = 0; !isOver; i++)
        await request(team_id, { at: at('01:30:00'), cost_picos: 1_000_001 + n, model: `acme/${i % 3}` });
    };
    const worker = async () => {
      for (let hour = 2; hour < 12; hour++) await close(at(`${String(hour).padStart(2, '0')}:10:00`));
      isOver = true;
    };
    await Promise.all([gateway(0), gateway(1), worker(), worker()]);
    await close(at('20:10:00'));
    const rows = await database.db
      .selectFrom('ai_requests')
      .select(({ fn }) => [fn.sum<string>('cost_picos').as('picos'), fn.countAll<number>().as('count')])
      .where('team_id', '=', team_id)
      .executeTakeFirstOrThrow();
    const posted = await lines(team_id);
    expect(posted.reduce((sum, line) => sum + line.requests, 0)).toBe(Number(rows.count));
    expect((await books.charged(team_id)) * 1_000_000 + (await carryOf(team_id))).toBe(Number(rows.picos));
  });

  it('below a micro-dollar carry over: many hours cost what one costs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            hour: fc.integer({ min: 0, max: 5 }),
            cost_picos: fc.integer({ min: 1, max: 1_500_000 }),
            model: fc.constantFrom('a', 'b'),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (all) => {
          const [many, one] = [await books.team(), await books.team()];
          for (const { hour, ...rest } of all) {
            await request(many, { at: at(`0${hour}:20:00`), ...rest });
            await request(one, { at: at('05:20:00'), ...rest });
          }
          for (let hour = 1; hour < 7; hour++) await close(at(`0${hour}:10:00`));
          expect([await books.charged(many), await carryOf(many)]).toEqual([
            await books.charged(one),
            await carryOf(one),
          ]);
          const sum = all.reduce((total, { cost_picos }) => total + cost_picos, 0);
          expect(await books.charged(many)).toBe(Math.floor(sum / 1_000_000));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are paid by credits that were valid at the time, however late they are charged', async () => {
    const team_id = await books.team();
    const first = await books.grant(team_id, 10_000, at('08:30:00'));
    const second = await books.grant(team_id, 10_000, at('08:45:00'));
    await books.topUp(team_id, 100_000);
    await request(team_id, { at: at('08:29:59'), cost_picos: 4_000_000_000 });
    await request(team_id, { at: at('08:30:00'), cost_picos: 3_000_000_000 });
    await request(team_id, { at: at('08:50:00'), cost_picos: 2_000_000_000 });
    // The credits don't expire before the hour is charged, and the screen shows the same.
    await expireCredits({ db: database.db, log, now: new Date(at('09:01:00')) });
    const shown = await accrued(team_id, new Date(at('09:01:00')));
    expect(shown).toMatchObject({ balance: 98_000, accrued: 9000 });
    await close(at('09:10:00'));
    expect([await books.remaining(first), await books.remaining(second)]).toEqual([6000, 7000]);
    await expireCredits({ db: database.db, log, now: new Date(at('09:11:00')) });
    expect(await accrued(team_id)).toMatchObject({ balance: 98_000, accrued: 0 });
  });

  it('of a deleted team are charged, too', async () => {
    const team_id = await books.team();
    await request(team_id, { at: at('01:10:00'), cost_picos: 5_000_000 });
    await database.db
      .updateTable('teams')
      .set({ deleted_at: new Date(at('01:20:00')) })
      .where('id', '=', team_id)
      .execute();
    await close(at('02:10:00'));
    expect(await books.charged(team_id)).toBe(5);
  });

  it('are summed again by the books check, which reports a surplus line', async () => {
    const team_id = await books.team();
    await request(team_id, { at: at('01:10:00'), cost_picos: 5_500_000 });
    await close(at('02:10:00'));
    const [line] = await lines(team_id);
    const [posted] = await books.transactions(team_id);
    if (!line || !posted) throw new Error('nothing was charged');
    const { id: _id, ...same } = line;
    await expect(
      withTransaction(database.db, async (trx) => {
        await trx.insertInto('ai_usage_lines').values(same).execute();
        expect(await checkBooks(trx)).toEqual([
          { team_id, what: 'AI requests', expected: 10.5, found: 10 },
          { team_id, what: `lines of ${posted.public_id}`, expected: 5, found: 10 },
        ]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await expect(sql`update ai_usage_lines set amount_micros = 6`.execute(database.db)).rejects.toThrow(
      /ai_usage_lines/,
    );
  });

  it('recorded twice by a process count once', async () => {
    const team_id = await books.team();
    const same = { request_id: 'chatcmpl-twice', receipt_id: 'rcpt_twice' };
    await request(team_id, { at: at('01:10:00'), cost_picos: 5_000_000 }, same);
    await request(team_id, { at: at('01:10:00'), cost_picos: 5_000_000 }, same);
    expect(await accrued(team_id)).toMatchObject({ accrued: 5 });
  });

  it('are kept until they are charged', async () => {
    const team_id = await books.team();
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    await request(team_id, { at: old, cost_picos: 5_000_000 });
    await request(team_id, { at: old, cost_picos: 0 });
    const kept = () =>
      database.db.selectFrom('ai_requests').select('cost_picos').where('team_id', '=', team_id).execute();
    await announceDeletions(database.db);
    await housekeeping(database.db);
    expect(await kept()).toEqual([{ cost_picos: 5_000_000 }]);
    await close(new Date().toISOString());
    await housekeeping(database.db);
    expect(await kept()).toEqual([]);
    expect(await books.charged(team_id)).toBe(5);
  });
});

describe('the hold for AI requests', () => {
  it('counts until the request is recorded, whose cost then counts instead', async () => {
    const team_id = await books.team();
    await withTransaction(database.db, (trx) =>
      insertAiHolds(trx, [{ request_id: 'chatcmpl-held', team_id, amount_micros: 700 }]),
    );
    expect(await accrued(team_id)).toEqual({ balance: 0, accrued: 0, held_ai: 700 });
    const now = new Date().toISOString();
    await request(team_id, { at: now, cost_picos: 300_000_000 }, { request_id: 'chatcmpl-held' });
    expect(await accrued(team_id)).toEqual({ balance: -300, accrued: 300, held_ai: 0 });
  });

  it('cannot be refunded while it is active', async () => {
    const team_id = await books.team();
    const prepaid = await withTransaction(database.db, async (trx) => {
      const { id } = await insertPayment(trx, {
        team_id,
        driver: 'manual',
        amount_micros: 5000,
        created_by: null,
      });
      const payment = await lockPayment(trx, { id });
      if (!payment) throw new Error('no payment');
      const receipt = { bank_reference: 'held', received_at: new Date(), confirmed_by: null };
      await creditReceipt(trx, payment, { ...receipt, amount_micros: 5000 });
      await insertAiHolds(trx, [{ request_id: 'chatcmpl-refund', team_id, amount_micros: 700 }]);
      return (await lockRefundable(trx, id))?.prepaid;
    });
    expect(prepaid).toBe(4300);
  });

  it('counts for two hours if the process died, and charges nothing', async () => {
    const team_id = await books.team();
    const hold = (request_id: string, minutes: number) =>
      database.db
        .insertInto('ai_holds')
        .values({
          request_id,
          team_id,
          amount_micros: 100,
          created_at: new Date(Date.now() - minutes * 60_000),
        })
        .execute();
    await hold('chatcmpl-young', 110);
    await hold('chatcmpl-old', 130);
    expect(await accrued(team_id)).toEqual({ balance: 0, accrued: 0, held_ai: 100 });
    await housekeeping(database.db);
    const left = await database.db
      .selectFrom('ai_holds')
      .select('request_id')
      .where('team_id', '=', team_id)
      .execute();
    expect(left).toEqual([{ request_id: 'chatcmpl-young' }]);
    await close(at('23:10:00'));
    expect(await books.charged(team_id)).toBe(0);
  });
});

describe('the invoice', () => {
  const month = { start: new Date('2026-10-01T00:00:00Z'), end: new Date('2026-11-01T00:00:00Z') };
  const draft = (team_id: number) =>
    withTransaction(database.db, async (trx) => {
      await lockLedger(trx, team_id);
      return draftInvoice(trx, team_id, month);
    });

  it('has a line per model with its requests and tokens, waits for the whole month, and sums to the cent', async () => {
    const team_id = await books.team();
    for (let day = 10; day < 31; day++)
      await request(team_id, {
        at: `2026-10-${day}T12:00:00Z`,
        cost_picos: 1_234_567_891,
        input_tokens: 1000,
      });
    await request(team_id, { at: '2026-10-05T12:00:00Z', cost_picos: 7_000_000_000, model: 'acme/small' });
    await request(team_id, { at: '2026-10-31T23:30:00Z', cost_picos: 8_000_000_000, model: 'acme/small' });
    // Falls into the next month.
    await request(team_id, { at: '2026-11-01T00:00:00Z', cost_picos: 9_000_000_000 });
    await close('2026-11-01T00:04:00Z');
    expect(await draft(team_id)).toBeNull();
    await close('2026-11-01T01:10:00Z');
    const invoice = await draft(team_id);
    expect(invoice).toMatchObject({ subtotal_micros: 40_925, subtotal_cents: 4 });
    const rows = await linesOfInvoice(database.db, invoice?.id ?? 0);
    expect(rows).toMatchObject([
      {
        basis: 'ai',
        description: 'Confidential AI, acme/large: 21 requests, 21,210 tokens',
        amount_micros: 25_925,
        cvm_id: null,
        order_id: null,
      },
      {
        basis: 'ai',
        description: 'Confidential AI, acme/small: 2 requests, 220 tokens',
        amount_micros: 15_000,
      },
    ]);
    expect(rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(4);
  });
});
