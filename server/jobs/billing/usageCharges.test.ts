import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postedBalance } from '../../db/billing/ledger';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeUsage } from './closeUsage';
import { startBooks, type Books } from './testing/books';

/* Which funds pay for usage, and receive reversals. The check numbers refer to the issue. */

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const log = pino({ level: 'fatal' });
const close = (now: string) => closeUsage({ db: database.db, log, now: new Date(now) });
const at = (time: string) => `2026-11-02T${time}Z`;

describe('payment sources', () => {
  it('check 21: credits that expire first are used first, then prepaid money, then debt', async () => {
    const team_id = await books.team();
    const late = await books.grant(team_id, 10_000, '2027-01-01T00:00:00Z');
    const early = await books.grant(team_id, 20_000, '2026-12-01T00:00:00Z');
    await books.topUp(team_id, 15_000);
    await books.cvm(team_id, [
      ['running', at('01:00:00')],
      ['deleted', at('02:00:00')],
    ]);
    await close(at('03:10:00'));
    const usage = (await books.transactions(team_id)).find(({ kind }) => kind === 'usage');
    expect(usage?.entries).toEqual([
      { account: 'credits', amount: -20_000, grant: early },
      { account: 'credits', amount: -10_000, grant: late },
      { account: 'prepaid', amount: -28_000 },
      { account: 'revenue', amount: 58_000 },
    ]);
    expect(await postedBalance(database.db, team_id)).toMatchObject({ prepaid: -13_000, credits: 0 });
  });

  it('check 22: a credit pays for usage before its expiry, even if that is posted later', async () => {
    const team_id = await books.team();
    const expiring = await books.grant(team_id, 1_000_000, at('01:30:00'));
    await books.cvm(team_id, [
      ['running', at('01:00:00')],
      ['deleted', at('02:00:00')],
    ]);
    await close(at('03:10:00'));
    expect(await books.remaining(expiring)).toBe(1_000_000 - 29_000);
    expect(await postedBalance(database.db, team_id)).toMatchObject({ prepaid: -29_000 });
  });

  it('check 24: reversed usage paid by an expired credit returns to it, usable for 30 days', async () => {
    const team_id = await books.team();
    const expired = await books.grant(team_id, 70_000, at('02:00:00'));
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await close(at('02:10:00'));
    expect(await books.remaining(expired)).toBe(12_000);
    await books.change(cvm_id, ['deleted', at('01:30:00')]);
    await close(at('03:10:00'));
    expect(await books.remaining(expired)).toBe(41_000);
    const { expires_at } = await database.db
      .selectFrom('credit_grants')
      .select('expires_at')
      .where('public_id', '=', expired)
      .executeTakeFirstOrThrow();
    expect(expires_at!.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect(await postedBalance(database.db, team_id)).toMatchObject({ prepaid: 0 });
  });

  it('check 24: reversed usage of several hours returns to the credits that paid for each', async () => {
    const team_id = await books.team();
    const early = await books.grant(team_id, 80_000, null);
    const late = await books.grant(team_id, 500_000, null);
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await close(at('04:10:00'));
    expect([await books.remaining(early), await books.remaining(late)]).toEqual([0, 406_000]);
    await books.change(cvm_id, ['deleted', at('01:30:00')]);
    await close(at('05:10:00'));
    expect([await books.remaining(early), await books.remaining(late)]).toEqual([51_000, 500_000]);
    expect(await postedBalance(database.db, team_id)).toMatchObject({ prepaid: 0 });
  });
});
