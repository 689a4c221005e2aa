import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '../../db/billing/checkBooks';
import { draftInvoice, lockInvoice } from '../../db/billing/invoices';
import { creditableOf, creditInvoice, issueInvoice, type Invoicing } from '../../db/billing/issueInvoice';
import { insertOrder, payTerm } from '../../db/billing/orders/orders';
import { refundOfAmount, refundTerms } from '../../db/billing/orders/refundOrder';
import { withTransaction } from '../../db/core/client';
import { publicId } from '../../domain/core/publicId';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeUsage } from './closeUsage';
import { startBooks, type Books, type Point } from './testing/books';

/*
 * Random histories of CVMs, payments, credits, taxes and credit notes: nothing is lost between a metered second
 * and a credited cent. Each run tests a few with a new seed; BILLING_HISTORIES=10000 for a long run,
 * BILLING_SEED=<number> to repeat one.
 */

const HISTORIES = Number(process.env.BILLING_HISTORIES ?? 12);
const SEED = Number(process.env.BILLING_SEED ?? Date.now() % 1_000_000);
/** Histories closed in one run; each has its own team. */
const BATCH_SIZE = 40;

const START = Date.UTC(2030, 10, 1);
const MONTH = { start: new Date(START), end: new Date(Date.UTC(2030, 11, 1)) };
const NOW = new Date('2030-12-05T00:00:00Z');
const SECONDS = (MONTH.end.getTime() - START) / 1000;

const cvm = fc.record({
  /** Ranges from before the month to after it. */
  begin: fc.integer({ min: -7_200, max: SECONDS }),
  steps: fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 60_000 }),
      status: fc.constantFrom('running', 'stopped', 'running', 'error'),
      rate: fc.integer({ min: 0, max: 5_000_000 }),
      disk_gb: fc.integer({ min: 1, max: 20_000 }),
      gpu: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000_000 })),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  /** Most end: a CVM that keeps running is closed for every hour until NOW. */
  ends: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
});
const history = fc.record({
  cvms: fc.array(cvm, { minLength: 1, maxLength: 3 }),
  top_up: fc.integer({ min: 0, max: 2_000_000_000 }),
  grant: fc.integer({ min: 0, max: 500_000_000 }),
  tax_rate: fc.integer({ min: 0, max: 10_000 }),
  /** Share of the remaining amount per credit note; the last one takes the rest. */
  credits: fc.oneof(fc.constant([]), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 })),
  creditsAll: fc.boolean(),
  /** An order that covers some states for part of the time, and the share of it that is refunded. */
  order: fc.option(
    fc.record({
      cents: fc.integer({ min: 1, max: 50_000_000 }),
      covers: fc.constantFrom('cvm' as const, 'gpus' as const),
      length: fc.integer({ min: 0, max: 200_000 }),
      refund: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const log = pino({ level: 'fatal' });

async function insert({ cvms, top_up, grant, order }: History): Promise<number> {
  const team_id = await books.team();
  if (top_up > 0) await books.topUp(team_id, top_up);
  if (grant > 0) await books.grant(team_id, grant, '2030-11-20T00:00:00Z');
  const order_id = order && (await insertPaid(team_id, order));
  for (const { begin, steps, ends } of cvms) {
    let at = START + begin * 1000;
    const points = steps.map(({ after, status, rate, disk_gb, gpu }, index): Point => {
      // A CVM's first state is running: nothing is billed before that.
      const point: Point = [
        index === 0 ? 'running' : status,
        new Date(at).toISOString(),
        {
          hourly_rate_micros: rate,
          disk_gb,
          gpu_rate_micros: Math.min(gpu, rate),
          ...(order && order_id && index % 2 === 0
            ? { order_id, covers: order.covers, covered_until: new Date(at + order.length * 1000) }
            : {}),
        },
      ];
      at += after * 1000;
      return point;
    });
    if (ends) points.push(['deleted', new Date(at).toISOString()]);
    await books.cvm(team_id, points);
  }
  return team_id;
}

/** Inserts an order that is charged and partly refunded. @returns its ID */
async function insertPaid(
  team_id: number,
  { cents, covers, refund }: NonNullable<History['order']>,
): Promise<number> {
  const product = await database.db
    .insertInto('order_products')
    .values({
      public_id: publicId('prd'),
      name: 'Random',
      instance_type: 'tdx.small',
      covers,
      period: 'month',
      price_micros: cents * 10_000,
      min_periods: 1,
      max_periods: 12,
      refund_percent: 50,
      stock: 10,
      starts_at: null,
      ends_at: null,
      created_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return withTransaction(database.db, async (trx) => {
    const order = await insertOrder(trx, product, {
      team_id,
      periods: 1,
      starts_at: null,
      renews: false,
      pay_until: NOW,
      payment_id: null,
      created_by: null,
    });
    const paid = await payTerm(trx, order, new Date(), new Date());
    const parts = await refundOfAmount(trx, paid, Math.floor(cents * 10_000 * refund));
    await refundTerms(trx, paid, parts ?? [], { reason: 'Random', user_id: null });
    return paid.id;
  });
}

async function invoice(team_id: number, { tax_rate, credits, creditsAll }: History): Promise<void> {
  const draft = await withTransaction(database.db, (trx) => draftInvoice(trx, team_id, MONTH));
  if (!draft) return;
  const invoicing: Invoicing = {
    review_days: 0,
    due_days: 14,
    tax_rule: 'fixed',
    tax_rate,
    seller: null,
    seller_vat_id: null,
  };
  await withTransaction(database.db, async (trx) => {
    const row = await lockInvoice(trx, draft.id);
    if (row) await issueInvoice(trx, row, invoicing, NOW);
  });
  for (const share of creditsAll ? [...credits, 1] : credits)
    await withTransaction(database.db, async (trx) => {
      const row = await lockInvoice(trx, draft.id);
      if (!row) return;
      const { cents: left } = await creditableOf(trx, row);
      const cents = Math.ceil(left * share);
      if (cents > 0) await creditInvoice(trx, row, { cents, reason: 'Random' }, NOW);
    });
}

/** Returns the statements' rows, each with a team and two sums that differ. */
async function differences(teams: readonly number[]): Promise<unknown[]> {
  const of = sql`any(${[...teams]}::bigint[])`;
  const { rows } = await sql`
    select 'entries of a transaction' as what, team_id, sum(amount_micros) as found, 0 as expected
      from ledger_entries where team_id = ${of} group by team_id, transaction_id having sum(amount_micros) <> 0
    union all
    select 'usage lines of a posting', t.team_id, coalesce(sum(u.amount_micros), 0),
        (select -sum(e.amount_micros) from ledger_entries e
          where e.transaction_id = t.id and e.account in ('prepaid', 'credits'))
      from ledger_transactions t left join usage_lines u on u.transaction_id = t.id
      where t.team_id = ${of} and t.kind in ('usage', 'usage_correction') group by t.id
      having coalesce(sum(u.amount_micros), 0) <> (select -sum(e.amount_micros) from ledger_entries e
          where e.transaction_id = t.id and e.account in ('prepaid', 'credits'))
    union all
    select 'seconds × rate of a CVM''s ' || u.basis || ', with what is carried', u.team_id, sum(u.amount_micros),
        floor(sum(extract(epoch from u.ends_at - u.starts_at) * u.rate_micros) / 3600)
      from usage_lines u where u.team_id = ${of} and u.corrects is null group by u.team_id, u.cvm_id, u.basis
      having sum(u.amount_micros) <> floor(sum(extract(epoch from u.ends_at - u.starts_at) * u.rate_micros) / 3600)
    union all
    select 'seconds of disk while running', u.team_id, sum(extract(epoch from d.during)), sum(extract(epoch from u.ends_at - u.starts_at))
      from usage_lines u cross join lateral (select sum(least(d.ends_at, u.ends_at) - greatest(d.starts_at, u.starts_at)) as during
        from usage_lines d where d.cvm_id = u.cvm_id and d.basis = 'disk' and d.starts_at < u.ends_at and d.ends_at > u.starts_at) d
      where u.team_id = ${of} and u.basis = 'size' group by u.team_id
      having sum(extract(epoch from d.during)) is distinct from sum(extract(epoch from u.ends_at - u.starts_at))
    union all
    select 'what an order covers', team_id, sum(amount_micros), 0
      from usage_lines where team_id = ${of} and order_id is not null group by team_id
      having bool_or(amount_micros <> 0 or rate_micros <> 0)
    union all
    select 'lines of an invoice', i.team_id, sum(l.amount_cents), i.subtotal_cents
      from invoices i join invoice_lines l on l.invoice_id = i.id where i.team_id = ${of} group by i.id
      having sum(l.amount_cents) <> i.subtotal_cents or sum(l.amount_micros) <> i.subtotal_micros
        or i.total_cents <> i.subtotal_cents + i.tax_cents
    union all
    select 'usage of the month on its invoice', i.team_id, i.subtotal_micros, sum(u.amount_micros)
      from invoices i join usage_lines u on u.team_id = i.team_id and u.starts_at >= i.period_start
        and u.starts_at < i.period_end and u.transaction_id is not null
      where i.team_id = ${of} and i.kind = 'invoice' group by i.id having sum(u.amount_micros) <> i.subtotal_micros
    union all
    select 'credit notes of a fully credited invoice', i.team_id, -sum(n.total_cents), i.total_cents
      from invoices i join invoices n on n.corrects = i.id where i.team_id = ${of} group by i.id
      having sum(n.subtotal_cents) < -i.subtotal_cents or sum(n.tax_cents) < -i.tax_cents
        or (sum(n.subtotal_cents) = -i.subtotal_cents
          and (sum(n.total_cents) <> -i.total_cents or sum(n.subtotal_micros) <> -i.subtotal_micros))
    union all
    select 'tax in the ledger, in cents', i.team_id, sum(i.tax_cents), (select coalesce(sum(e.amount_micros), 0) / 10000
        from ledger_entries e where e.team_id = i.team_id and e.account = 'tax')
      from invoices i where i.team_id = ${of} group by i.team_id
      having sum(i.tax_cents) <> (select coalesce(sum(e.amount_micros), 0) / 10000
        from ledger_entries e where e.team_id = i.team_id and e.account = 'tax')`.execute(database.db);
  return rows;
}

it(`check 40: ${HISTORIES} random histories (seed ${SEED}): entries sum to 0, lines to the amount, invoice lines to the total`, async () => {
  const histories = fc.sample(history, { numRuns: HISTORIES, seed: SEED });
  let invoiced = 0;
  for (let from = 0; from < histories.length; from += BATCH_SIZE) {
    const some = histories.slice(from, from + BATCH_SIZE);
    const teams: number[] = [];
    for (const one of some) teams.push(await insert(one));
    for (let run = 0; run < 3; run++) await closeUsage({ db: database.db, log, now: NOW });
    for (const [index, one] of some.entries()) await invoice(teams[index] ?? 0, one);
    expect(await differences(teams)).toEqual([]);
    const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from invoices where team_id = any(${teams}::bigint[])`.execute(
      database.db,
    );
    invoiced += rows[0]?.count ?? 0;
  }
  expect(await checkBooks(database.db)).toEqual([]);
  expect(invoiced).toBeGreaterThan(HISTORIES / 2);
}, 3_600_000);
