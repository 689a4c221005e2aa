import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STRIPE_VERSION } from '../../drivers/payments/stripe';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { commandLine } from '../../testing/commandLine';
import type { TestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { startLocalStripe, type LocalStripe } from '../../tools/localStripe/server';
import { CODE, prepareMoney, type MoneyWork } from './testing/moneyWork';

/**
 * kill -9 of web, worker and both, at random moments during payments, Stripe events, refunds, and the hourly
 * and monthly close. Afterwards nothing is charged twice, nothing is lost, and the books balance.
 * `CHAOS_MONEY_KILLS` sets how often: with the built server, a kill takes less than two seconds, and
 * `CHAOS_MONEY_KILLS=100 npm test embedded chaosMoney` about three minutes.
 */
const KILLS = Number(process.env.CHAOS_MONEY_KILLS ?? 4);
const KINDS = ['worker', 'web', 'worker', 'both'] as const;
const KEY = 'sk_test_chaos';
const SECRET = 'whsec_chaos';

let stripe: LocalStripe;
let server: ChaosServer;
let database: TestDatabase;
beforeAll(async () => {
  stripe = await startLocalStripe({ key: KEY, version: STRIPE_VERSION, webhook_secret: SECRET });
  server = await startChaosServer({
    teepod: false,
    apart: true,
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_URL: stripe.url,
      INVOICE_REVIEW_DAYS: '0',
      INVOICE_TAX_PERCENT: '19',
    },
  });
  if (!server.database) throw new Error('the database dies with the server');
  ({ database } = server);
  Object.assign(stripe.webhooks.options, { url: `${server.url}/webhooks/stripe`, tries: 10_000 });
}, 120_000);
afterAll(async () => {
  await server?.close();
  await stripe?.stop();
});

/** Work that a kill may interrupt. */
const WAITING = `select
  (select count(*)::int from usage_meters where not ended and closed_until < now() - interval '2 hours') as usage,
  (select count(*)::int from stripe_events where state = 'pending') as events,
  (select count(*)::int from payments where automatic and state = 'pending' and reason is null) as charges,
  (select count(*)::int from card_refunds where state = 'pending') as refunds,
  (select count(*)::int from ledger_heads h where exists (select from ledger_transactions t
      where t.team_id = h.team_id and t.kind = 'usage')
    and not exists (select from invoices i where i.team_id = h.team_id and i.state <> 'draft')) as invoices`;
type Waiting = Record<'usage' | 'events' | 'charges' | 'refunds' | 'invoices', number>;
const waiting = async (): Promise<Waiting> => (await server.query<Waiting>(WAITING))[0]!;

/**
 * Waits until no work is pending. Every worker start does what is due, which may be the first part of the work.
 * Workers start more slowly on a busy machine, so each gets more time without progress than the last.
 */
async function settle(): Promise<void> {
  for (let starts = 1; ; starts++) {
    await server.kill('worker');
    let last = '';
    for (let same = 0; same < Math.min(5 * 2 ** (starts - 1), 200);) {
      // Advances time for retries.
      await server.query("update stripe_events set due_at = now() where state = 'pending'");
      await server.query(`update card_refunds set updated_at = updated_at - interval '1 day', created_at = created_at - interval '1 hour'
        where state = 'pending'`);
      const left = await waiting();
      if (Object.values(left).every((count) => count === 0)) return;
      same = JSON.stringify(left) === last ? same + 1 : 0;
      last = JSON.stringify(left);
      await wait(150);
    }
    if (starts === 20) throw new Error(`work is left: ${last}`);
  }
}

it(`check 10: money survives ${KILLS} kills of web and worker`, { timeout: 3_600_000 }, async () => {
  let stopped = false;
  const work = await prepareMoney({ server, stripe, database, stop: () => stopped });
  const lanes = Promise.all(work.lanes());
  const amidst: Waiting = { usage: 0, events: 0, charges: 0, refunds: 0, invoices: 0 };
  for (let n = 0; n < KILLS; n++) {
    await wait(Math.random() * 1_500);
    const left = await waiting();
    for (const what of Object.keys(amidst) as (keyof Waiting)[]) if (left[what] > 0) amidst[what] += 1;
    await server.kill(KINDS[n % KINDS.length] ?? 'both');
  }
  stopped = true;
  await lanes;
  await eventually('every event is delivered', async () => stripe.webhooks.idle(), 60);
  await settle();

  const verify = await commandLine({ DATABASE_URL: database.url, DATA_DIR: '/nonexistent' })(['verify']);
  expect(verify, verify.out.filter((line) => /BROKEN|, not/.test(line)).join()).toMatchObject({ code: 0 });
  await paidOnce(work);
  await returnedOnce();
  await usedOnce(work);
  await invoicedOnce(work);
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from ledger_transactions group by kind order by kind`.execute(
    database.db,
  );
  console.info(
    `chaos of money: ${KILLS} kills, with work waiting: ${JSON.stringify(amidst)}; ${server.accepted()} requests acknowledged; ` +
      `ledger: ${rows.map(({ kind, count }) => `${kind} ${count}`).join(', ')}`,
  );
});

interface Receipt {
  public_id: string;
  bank_reference: string;
  amount: number;
  driver: string;
}

/** Checks that everything received by Stripe and the bank is credited once, and nothing else is. */
async function paidOnce({ paid, transfers, redeemed }: MoneyWork): Promise<void> {
  const receipts = await server.query<Receipt>(`select p.public_id, p.driver, r.bank_reference,
    (r.amount_micros / 10000)::int as amount from payment_receipts r join payments p on p.id = r.payment_id order by 2, 3`);
  const succeeded = stripe.account.list('payment_intent').filter(({ status }) => status === 'succeeded');
  const key = ({ public_id, bank_reference, amount }: Omit<Receipt, 'driver'>) =>
    `${public_id} ${bank_reference} ${amount}`;
  expect(receipts.filter(({ driver }) => driver === 'stripe').map(key)).toEqual(
    succeeded
      .map(({ id, metadata, amount_received }) =>
        key({ public_id: metadata.teehouse_payment ?? '', bank_reference: id, amount: amount_received }),
      )
      .toSorted((a, b) => (a.split(' ')[1]! < b.split(' ')[1]! ? -1 : 1)),
  );
  // No charge was made twice.
  expect(new Set(succeeded.map(({ metadata }) => metadata.teehouse_payment)).size).toBe(succeeded.length);
  const cardPayments = new Map(receipts.map(({ public_id, amount }) => [public_id, amount]));
  for (const [id, amount] of paid) expect(cardPayments.get(id), id).toBe(amount);
  const byBank = new Map(receipts.map(({ bank_reference, amount }) => [bank_reference, amount]));
  for (const [reference, amount] of transfers) expect(byBank.get(reference), reference).toBe(amount);
  const [books] = await server.query<Record<string, number>>(`select
    (select count(*)::int from ledger_transactions where source_type = 'payment_receipt') as postings,
    (select count(*)::int from payment_receipts) as receipts,
    (select count(*)::int from audit_log where action in ('payment.receive', 'payment.confirm')) as audited,
    (select count(*)::int from payments where received_micros <> coalesce((select sum(amount_micros) from payment_receipts r
      where r.payment_id = payments.id), 0)) as differing,
    (select uses from promotion_codes where code = '${CODE.code}') as uses,
    (select count(*)::int from promotion_redemptions) as redemptions,
    (select count(*)::int from credit_grants where source = 'promotion') as grants`);
  const { postings, audited, differing, uses, redemptions, grants } = books!;
  expect([postings, audited, differing]).toEqual([receipts.length, receipts.length, 0]);
  expect([redemptions, grants]).toEqual([uses, uses]);
  expect(uses).toBeGreaterThanOrEqual(redeemed);
}

/** Checks that refunds and disputes at Stripe are booked once. */
async function returnedOnce(): Promise<void> {
  const booked = await server.query<{
    id: string;
    kind: string;
    amount: number;
  }>(`select t.source_id as id, t.kind,
    (-e.amount_micros / 10000)::int as amount from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where e.account = 'prepaid' and t.kind in ('refund', 'dispute', 'dispute_reversal') order by 1, 2`);
  const { account } = stripe;
  const expected = [
    ...account.list('refund').map(({ id, amount }) => ({ id, kind: 'refund', amount })),
    ...account.list('dispute').map(({ id, amount }) => ({ id, kind: 'dispute', amount })),
    ...account
      .list('dispute')
      .filter(({ status }) => status === 'won')
      .map(({ id, amount }) => ({ id, kind: 'dispute_reversal', amount: -amount })),
  ];
  const order = (rows: typeof expected) =>
    rows.map(({ id, kind, amount }) => `${id} ${kind} ${amount}`).toSorted((a, b) => (a < b ? -1 : 1));
  expect(order(booked)).toEqual(order(expected));
}

/** Checks that every metered second is charged once. */
async function usedOnce({ usage }: MoneyWork): Promise<void> {
  const charged = await server.query<{ team_id: number; amount: number }>(
    "select team_id::int, amount_micros::float8 as amount from ledger_balances where account = 'revenue'",
  );
  const byTeam = new Map(charged.map(({ team_id, amount }) => [team_id, amount]));
  for (const [team_id, amount] of usage) expect(byTeam.get(team_id), `team ${team_id}`).toBe(amount);
  expect(byTeam.size).toBe(usage.size);
}

/** Checks that each team's month has one issued invoice for its charges, and that no number is missing. */
async function invoicedOnce({ usage }: MoneyWork): Promise<void> {
  const invoices = await server.query<{
    team_id: number;
    amount: number;
    number: number;
    cents: number;
    lines: number;
  }>(
    `select team_id::int, subtotal_micros::float8 as amount, number::int, subtotal_cents::int as cents,
      (select sum(amount_cents)::int from invoice_lines l where l.invoice_id = i.id) as lines
    from invoices i order by number`,
  );
  expect(invoices.map(({ number }) => number)).toEqual(
    Array.from({ length: usage.size }, (_, index) => index + 1),
  );
  expect(new Map(invoices.map(({ team_id, amount }) => [team_id, amount]))).toEqual(usage);
  for (const { cents, lines } of invoices) expect(lines).toBe(cents);
  const [tax] = await server.query<{ charged: number; invoiced: number }>(`select
    (select coalesce(sum(amount_micros), 0)::float8 / 10000 from ledger_balances where account = 'tax') as charged,
    (select coalesce(sum(tax_cents), 0)::float8 from invoices) as invoiced`);
  expect(tax!.charged).toBe(tax!.invoiced);
}
