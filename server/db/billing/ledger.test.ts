import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { charge, transfer, type LedgerEntry } from '../../domain/billing/ledger';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { withTransaction } from '../core/client';
import { checkBooks } from './checkBooks';
import { takeBack } from './grants';
import { lockLedger, openGrants, post, postedBalance } from './ledger';
import { verifyLedgers } from './ledgerVerify';

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const posting = (team_id: number, source_id: string, entries: readonly LedgerEntry[]) =>
  withTransaction(database.db, async (trx) => {
    await lockLedger(trx, team_id);
    return post(trx, {
      team_id,
      kind: 'adjustment',
      source_type: 'test',
      source_id,
      description: 'A test',
      effective_at: new Date(),
      entries,
    });
  });

describe('the database', () => {
  it('check 18: refuses a transaction whose entries do not sum to zero', async () => {
    const team_id = await books.team();
    for (const entries of [
      [],
      [{ account: 'prepaid', amount: 5 }],
      [
        { account: 'prepaid', amount: 5 },
        { account: 'adjustment', amount: -4 },
      ],
      [
        { account: 'prepaid', amount: 0 },
        { account: 'adjustment', amount: 0 },
      ],
    ] as LedgerEntry[][])
      await expect(posting(team_id, `bad-${entries.length}`, entries)).rejects.toMatchObject({
        code: '23514',
      });
    expect(await books.transactions(team_id)).toEqual([]);
  });

  it('check 19: refuses to change or delete ledger rows', async () => {
    const team_id = await books.team();
    const grant = await books.grant(team_id, 1_000, null);
    await books.topUp(team_id, 1_000);
    await books.cvm(team_id, [['running', '2026-11-02T01:00:00Z']]);
    const attempts = [
      sql`update ledger_transactions set description = 'x'`,
      sql`delete from ledger_transactions`,
      sql`truncate ledger_transactions cascade`,
      sql`update ledger_entries set amount_micros = 1`,
      sql`delete from ledger_entries`,
      sql`insert into ledger_entries (transaction_id, position, team_id, account, amount_micros)
        select id, 9, team_id, 'prepaid', 1 from ledger_transactions limit 1`,
      sql`update ledger_balances set amount_micros = 1`,
      sql`delete from ledger_balances`,
      sql`update ledger_heads set seq = 0`,
      sql`update usage_lines set amount_micros = 0`,
      sql`delete from usage_lines`,
      sql`update credit_grants set remaining_micros = 5 where public_id = ${grant}`,
      sql`update credit_grants set amount_micros = 5 where public_id = ${grant}`,
    ];
    for (const attempt of attempts) await expect(attempt.execute(database.db)).rejects.toThrow('is refused');
    expect(await books.remaining(grant)).toBe(1_000);
  });

  it('books a source once', async () => {
    const team_id = await books.team();
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        posting(team_id, `once-${team_id}`, transfer('adjustment', 'prepaid', 7)),
      ),
    );
    expect(tries.filter((one) => one !== null)).toHaveLength(1);
    expect(await postedBalance(database.db, team_id)).toMatchObject({ prepaid: 7, credits: 0, cap: 0 });
  });

  it('keeps usage of one CVM from overlapping', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [['running', '2026-11-02T01:00:00Z']]);
    const insert = (basis: string, from: string, to: string, disk_gb = 0) =>
      sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb, rate_micros, carry, amount_micros)
        values (${cvm_id}, ${team_id}, ${basis}, ${from}, ${to}, 'running', 1, 1, ${disk_gb}, 0, 0, 0)`.execute(
        database.db,
      );
    const tracks = [
      ['size', 0],
      ['disk', 1],
      ['gpu', 1],
    ] as const;
    for (const [basis, disk_gb] of tracks)
      await insert(basis, '2026-11-02T01:00:00Z', '2026-11-02T02:00:00Z', disk_gb);
    await insert('disk', '2026-11-02T02:00:00Z', '2026-11-02T03:00:00Z', 1);
    const refused = { code: '23P01' };
    for (const [basis, disk_gb] of tracks)
      await expect(
        insert(basis, '2026-11-02T01:59:59Z', '2026-11-02T02:00:00Z', disk_gb),
        basis,
      ).rejects.toMatchObject(refused);
    // A size line with its disk, as earlier versions post it, overlaps neither that disk nor another size.
    await expect(insert('size', '2026-11-02T02:59:59Z', '2026-11-02T04:00:00Z', 1)).rejects.toMatchObject(
      refused,
    );
    await insert('size', '2026-11-02T03:00:00Z', '2026-11-02T04:00:00Z', 1);
    await insert('gpu', '2026-11-02T03:00:00Z', '2026-11-02T04:00:00Z', 1);
    for (const [basis, disk_gb] of [
      ['size', 0],
      ['disk', 1],
    ] as const)
      await expect(
        insert(basis, '2026-11-02T03:30:00Z', '2026-11-02T05:00:00Z', disk_gb),
        basis,
      ).rejects.toMatchObject(refused);
  });

  it('check 23: 50 concurrent charges and expiries use up a credit, but never more', async () => {
    const team_id = await books.team();
    const public_id = await books.grant(team_id, 1_000, '2026-11-02T00:00:00Z');
    const grant = await database.db
      .selectFrom('credit_grants')
      .select(['id', 'public_id', 'team_id'])
      .where('public_id', '=', public_id)
      .executeTakeFirstOrThrow();
    const use = (n: number) =>
      withTransaction(database.db, async (trx) => {
        if (n % 10 === 9) return takeBack(trx, grant, 'credit_expiry', 'Expired');
        await lockLedger(trx, team_id);
        await post(trx, {
          team_id,
          kind: 'usage',
          source_type: 'test',
          source_id: `${team_id}-${n}`,
          description: 'x',
          effective_at: new Date(),
          entries: charge(70, await openGrants(trx, team_id)),
        });
        return 0;
      });
    const expired = await Promise.all(Array.from({ length: 50 }, (_, n) => use(n)));
    const used = (await books.transactions(team_id)).flatMap(({ kind, entries }) =>
      kind === 'usage' ? entries.filter(({ account }) => account === 'credits') : [],
    );
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(expired) - sum(used.map(({ amount }) => amount))).toBe(1_000);
    expect(expired.filter((amount) => amount > 0).length).toBeLessThanOrEqual(1);
    expect(await books.remaining(public_id)).toBe(0);
    expect((await books.transactions(team_id)).map(({ seq }) => seq)).toEqual(
      (await books.transactions(team_id)).map((_, i) => i + 1),
    );
    expect(
      (await checkBooks(database.db)).filter(
        (one) => one.team_id === team_id && !one.what.startsWith('lines'),
      ),
    ).toEqual([]);
  });
});

describe('the nightly check', () => {
  it('check 20: finds a wrong cached balance, grant, entry or line', async () => {
    const clean = await createTestDatabase();
    try {
      const own = await startBooks(clean);
      const team_id = await own.team();
      const grant = await own.grant(team_id, 500, null);
      await own.topUp(team_id, 1_000);
      expect(await checkBooks(clean.db)).toEqual([]);
      for (const table of ['ledger_balances', 'credit_grants', 'ledger_entries'])
        await sql.raw(`alter table ${table} disable trigger user`).execute(clean.db);
      await sql`update ledger_balances set amount_micros = 999 where account = 'prepaid'`.execute(clean.db);
      await sql`update credit_grants set remaining_micros = 400`.execute(clean.db);
      await sql`update ledger_entries set amount_micros = -400 where account = 'promotion'`.execute(clean.db);
      const [first] = await own.transactions(team_id);
      expect(await checkBooks(clean.db)).toEqual([
        { team_id, what: 'balance of prepaid', expected: 1_000, found: 999 },
        { team_id, what: 'balance of promotion', expected: -400, found: -500 },
        { team_id, what: `entries of ${first?.public_id}`, expected: 0, found: 100 },
        { team_id, what: `remainder of ${grant}`, expected: 500, found: 400 },
      ]);
    } finally {
      await clean.drop();
    }
  });
});

describe('the hash chain', () => {
  it('holds, and reveals a changed transaction, entry or end', async () => {
    const clean = await createTestDatabase();
    try {
      const own = await startBooks(clean);
      const team_id = await own.team();
      for (let i = 1; i <= 5; i++) await own.topUp(team_id, i * 1_000);
      const report = async () => {
        for await (const one of verifyLedgers(clean.db)) return one;
        return undefined;
      };
      expect(await report()).toMatchObject({ transactions: 5, broken: null });
      for (const table of ['ledger_transactions', 'ledger_entries', 'ledger_heads'])
        await sql.raw(`alter table ${table} disable trigger user`).execute(clean.db);
      const attempts: [change: string, undo: string, found: object][] = [
        [
          `update ledger_transactions set description = 'Other' where seq = 2`,
          `update ledger_transactions set description = 'Top-up' where seq = 2`,
          { seq: 2, kind: 'changed' },
        ],
        [
          `update ledger_entries set amount_micros = amount_micros * 2 where transaction_id = (select id from ledger_transactions where seq = 3)`,
          `update ledger_entries set amount_micros = amount_micros / 2 where transaction_id = (select id from ledger_transactions where seq = 3)`,
          { seq: 3, kind: 'changed' },
        ],
        [`update ledger_heads set seq = 6`, `update ledger_heads set seq = 5`, { seq: 6, kind: 'truncated' }],
      ];
      for (const [change, undo, found] of attempts) {
        await sql.raw(change).execute(clean.db);
        expect((await report())?.broken).toMatchObject(found);
        await sql.raw(undo).execute(clean.db);
      }
      await sql`delete from ledger_entries where transaction_id = (select id from ledger_transactions where seq = 5)`.execute(
        clean.db,
      );
      await sql`delete from ledger_transactions where seq = 5`.execute(clean.db);
      expect((await report())?.broken).toMatchObject({ seq: 5, kind: 'truncated' });
    } finally {
      await clean.drop();
    }
  });
});
