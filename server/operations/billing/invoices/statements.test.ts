import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { balanceAt, statementRows } from '../../../db/billing/statements';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction } from '../../../db/core/client';
import { pdfText } from '../../../domain/billing/document/testing/pdfText';
import { transfer, type LedgerKind } from '../../../domain/billing/ledger';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startBooks } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { fill } from '../../../testing/fill';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let owner: TestClient;
let team_id: number;
let keys = 0;
const OCTOBER = { start: new Date('2025-10-01T00:00:00Z'), end: new Date('2025-11-01T00:00:00Z') };

const book = (at: string, amount: number, kind: LedgerKind = 'adjustment', description = 'Test') =>
  withTransaction(server.services.db, async (trx) => {
    await lockLedger(trx, team_id);
    await post(trx, {
      team_id,
      kind,
      source_type: 'test',
      source_id: String(++keys),
      description,
      effective_at: new Date(at),
      entries: transfer('adjustment', 'prepaid', amount),
    });
  });
const statement = (month: string, client = owner) => client.call('downloadStatement', { path: { month } });
const textOf = async (month: string) => {
  const { status, body } = await statement(month);
  expect(status).toBe(200);
  return pdfText(body as unknown as Buffer);
};

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', INVOICE_SELLER: 'Example Cloud' } });
  const { db, log } = server.services;
  owner = await server.register('payer@example.test');
  ({ team_id } = await identityOf(db, 'payer@example.test'));
  await owner.call('updateBillingDetails', { body: { legal_name: 'Acme GmbH' } });
  const books = await startBooks(server.services);
  await book('2025-09-10T10:00:00Z', 5_000_000, 'adjustment', 'Before the month');
  await book('2025-10-05T10:00:00Z', 20_000_000, 'adjustment', 'Bank transfer');
  await book('2025-10-31T23:30:00Z', -1_500_000, 'adjustment', 'Late correction');
  await book('2025-11-02T10:00:00Z', 7_000_000, 'adjustment', 'After the month');
  // One hour on October 30, all of October 31 (its last hour ends as November starts), and one hour of November.
  await books.cvm(team_id, [
    ['running', '2025-10-30T23:00:00Z', { hourly_rate_micros: 100_000 }],
    ['deleted', '2025-11-01T01:00:00Z', { hourly_rate_micros: 100_000 }],
  ]);
  await closeUsage({ db, log, now: new Date('2025-11-01T03:00:00Z') });
});
afterAll(() => server.stop());

it('shows opening balance, every change and closing balance, with totals', async () => {
  const text = await textOf('2025-10');
  for (const part of [
    'Statement for October 2025',
    'Example Cloud',
    'Acme GmbH',
    'Period: Oct 1, 2025 to Oct 31, 2025 (UTC)',
    'Oct 5, 2025',
    'Balance before: $5.00',
    'Bank transfer',
    'Late correction',
    'Added: $20.00',
    'Used: −$4.00',
    'Balance after (USD): $21.00',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Before the month');
  expect(text).not.toContain('After the month');
});

it('lists usage on the day it occurred, and continues from the previous month', async () => {
  const { db } = server.services;
  const { rows } = await statementRows(db, team_id, OCTOBER);
  expect(
    rows.filter(({ description }) => description === 'Usage').map(({ at, prepaid }) => [at, prepaid]),
  ).toEqual([
    [new Date('2025-10-30T00:00:00Z'), -100_000],
    [new Date('2025-10-31T00:00:00Z'), -2_400_000],
  ]);
  const [before, after] = [
    await balanceAt(db, team_id, OCTOBER.start),
    await balanceAt(db, team_id, OCTOBER.end),
  ];
  expect(before.prepaid + rows.reduce((sum, { prepaid }) => sum + prepaid, 0)).toBe(after.prepaid);
  const november = await textOf('2025-11');
  expect(november).toContain('Balance before: $21.00');
  expect(november).toContain('After the month');
});

it('sums changes that don’t fit on a page', async () => {
  const { db } = server.services;
  await fill(db, async (trx) => {
    await lockLedger(trx, team_id);
    // Of three, one deducts half of what another adds.
    await sql`insert into ledger_transactions (public_id, team_id, kind, source_type, source_id, description, effective_at, entries)
      select 'crt_many' || n, ${team_id}, 'adjustment', 'test', 'many' || n, 'One of many', ${new Date('2025-08-05T10:00:00Z')},
        jsonb_build_array(jsonb_build_object('account', 'adjustment', 'amount', -amount),
          jsonb_build_object('account', 'prepaid', 'amount', amount))
      from (select n, case when n % 3 = 2 then -5000 else 10000 end as amount from generate_series(0, 5099) n) c
      order by n`.execute(trx);
  });
  const text = await textOf('2025-08');
  expect(text.replaceAll('\n', ' ')).toMatch(/3,100 more changes/);
  for (const total of ['Added: $34.00', 'Used: −$8.50', 'Balance after (USD): $25.50'])
    expect(text).toContain(total);
});

it('marks the current month as incomplete, and refuses future ones', async () => {
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  expect((await textOf(month)).replaceAll('\n', ' ')).toContain('not over yet');
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 7);
  expect((await statement(next)).status).toBe(404);
  for (const wrong of ['2025-13', '2025-00', '1925-10', '2025-1', 'now']) {
    const { status } = await statement(wrong);
    expect([404, 422], wrong).toContain(status);
  }
  const other = await server.register();
  const text = pdfText((await statement('2025-10', other)).body as unknown as Buffer);
  expect(text).toContain('Balance after (USD): $0.00');
});

it('has a stricter limit per user than plain reads', async () => {
  const limited = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', WRITES_PER_MINUTE: '40' } });
  try {
    const [reader, other] = [await limited.register(), await limited.register()];
    const month = new Date().toISOString().slice(0, 7);
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await statement(month, reader)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await statement(month, other)).headers.get('ratelimit-policy')).toBe('"render";q=2;w=60');
    expect((await reader.call('getBilling')).status).toBe(200);
  } finally {
    await limited.stop();
  }
});
