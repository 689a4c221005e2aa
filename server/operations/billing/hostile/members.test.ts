import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Billing, PaymentPage, Problem } from '../../../../generated/api/types.gen';
import type { OperationId } from '../../../../generated/api/operations.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { heldFunds } from '../../../db/billing/holds';
import { resumeRefunds } from '../../../jobs/billing/resumeRefunds';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertToken,
  type TestHost,
} from '../../../testing/cvmFixtures';
import type { LocalStripe } from '../../../tools/localStripe/server';
import { eventually, type TestClient, type TestServer } from '../../../testing/server';
import { once, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* Attempts by members with billing access to get more than they paid for. */

let team: CardTeam;
let stripe: LocalStripe;
let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let books: Books;
let host: TestHost;
let count = 0;

beforeAll(async () => {
  // Without a worker, operations stay in their initial state.
  team = await startCardTeam({ TEEHOUSE_ROLE: 'web', BILLING_ENFORCEMENT: 'on', SIGN_IN_ATTEMPTS: '10' });
  ({ stripe, server, admin, owner } = team);
  books = await startBooks(server.services);
  host = await insertHost(db(), { name: 'hostile' });
});
afterAll(async () => {
  expect(await checkBooks(db())).toEqual([]);
  await team.stop();
});

const db = () => server.services.db;
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as Problem).code];
const tally = (answers: readonly { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const times = <T>(n: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => act(index)));
const paymentsOf = async (client: TestClient) =>
  ((await client.call('listTopUps', { query: { limit: 100 } })).body as PaymentPage).items;

const paid = (client: TestClient) =>
  eventually('it is paid', async () => {
    await team.handleEvents();
    return (await paymentsOf(client))[0]?.state === 'paid';
  });

describe('an amount', () => {
  const NOT_ONE = [
    '-5',
    '-0.01',
    '+5',
    ' 5',
    '5 ',
    '5.',
    '.5',
    '1e3',
    '0x10',
    '1,000',
    '1 000',
    'NaN',
    'Infinity',
    '５０',
    '٥٠',
    '5\u0000',
    '\u202e5',
    '5\u200b',
    '0',
    '0.00',
    '0.0000001',
    '9'.repeat(18),
    '9'.repeat(400),
    '9007199254740993',
    '1000000.000001',
    '',
    5,
    -5,
    true,
    null,
    [],
    ['5'],
    {},
  ];

  it('that is negative, huge, in another format or not a decimal is refused wherever money moves', async () => {
    const payment = await team.paid('10');
    const { id } = await team.adminPayment(payment);
    const { team_id } = await identityOf(db(), owner.email!);
    const requests: [TestClient, OperationId, (amount: unknown) => object][] = [
      [owner, 'createTopUp', (amount) => ({ amount })],
      [owner, 'createTopUp', (amount) => ({ amount, driver: 'stripe' })],
      [owner, 'setAutoTopUp', (amount) => ({ enabled: true, amount, threshold: '10', consent: true })],
      [owner, 'setAutoTopUp', (threshold) => ({ enabled: true, amount: '10', threshold, consent: true })],
      [owner, 'createBudget', (amount) => ({ period: 'month', amount })],
      [admin, 'createAdminCredit', (amount) => ({ team_id, amount, reason: 'x' })],
      [admin, 'refundAdminPayment', (amount) => ({ amount, reason: 'x' })],
      [admin, 'confirmAdminPayment', (amount) => ({ amount, bank_reference: 'x' })],
      [admin, 'createAdminPromotionCode', (amount) => ({ code: 'HOSTILE', amount })],
      [admin, 'createAdminPromotionCode', (cap) => ({ code: 'HOSTILE', percent: 10, cap })],
    ];
    const before = await team.prepaid();
    for (const [client, operation, bodyOf] of requests)
      for (const amount of NOT_ONE) {
        // A code needs an amount or a percentage with a cap: null means absent, and is refused as such.
        const answer = await client.call(operation, { path: { id }, body: bodyOf(amount), headers: once() });
        expect([operation, amount, answer.status]).toEqual([operation, amount, 422]);
      }
    expect(await team.prepaid()).toBe(before);
    expect((await paymentsOf(owner)).map(({ id: made }) => made)).toEqual([payment.id]);
    for (const table of ['promotion_codes', 'budgets', 'credit_grants', 'auto_top_ups'] as const)
      expect([table, await db().selectFrom(table).selectAll().execute()]).toEqual([table, []]);
  });

  it('may have any number of insignificant zeros', async () => {
    const client = await server.register();
    for (const amount of ['00010', '10.000000', '000010.10'])
      expect((await client.call('createTopUp', { body: { amount }, headers: once() })).status).toBe(201);
    expect((await paymentsOf(client)).map(({ amount }) => amount)).toEqual(['10.10', '10.00', '10.00']);
  });
});

describe('a top-up', () => {
  it('repeated 20 times concurrently with one key creates one payment', async () => {
    const client = await server.register();
    const headers = once();
    const answers = await times(20, () => client.call('createTopUp', { body: { amount: '25' }, headers }));
    expect(Object.keys(tally(answers)).every((status) => ['201', '409'].includes(status))).toBe(true);
    expect(
      answers.filter(({ status }) => status === 409).every((one) => codeOf(one)[1] === 'ERR-00-012'),
    ).toBe(true);
    expect(await paymentsOf(client)).toHaveLength(1);
    const again = await client.call('createTopUp', { body: { amount: '25' }, headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('isn’t replayed to another member, in another team or for another operation', async () => {
    const [first, second] = [await server.register(), await server.register()];
    const headers = once();
    const body = { amount: '25' };
    const mine = await first.call('createTopUp', { body, headers });
    const theirs = await second.call('createTopUp', { body, headers });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body).not.toMatchObject({ id: (mine.body as { id: string }).id });
    const foreign = second.with({ 'x-workspace': first.slug! });
    expect((await foreign.call('createTopUp', { body, headers })).status).toBe(404);
    const other = await first.call('redeemPromotionCode', { body: { code: 'ANY' }, headers });
    expect(codeOf(other)).toEqual([409, 'ERR-00-011']);
  });
});

describe('a promotion code', () => {
  const transferOf = async (client: TestClient, amount: string) => {
    const { body } = await client.call('createTopUp', { body: { amount }, headers: once() });
    return team.adminPayment(body as Parameters<CardTeam['adminPayment']>[0]);
  };

  it('with a percentage applies once, to one of several concurrent payments', async () => {
    await admin.call('createAdminPromotionCode', { body: { code: 'HALF', percent: 50, cap: '1000' } });
    const client = await server.register();
    expect(
      tally(
        await times(5, () => client.call('redeemPromotionCode', { body: { code: 'half' }, headers: once() })),
      ),
    ).toEqual({ 201: 1, 409: 4 });
    const transfers = await times(4, () => transferOf(client, '10'));
    await times(4, (n) =>
      admin.call('confirmAdminPayment', {
        path: { id: transfers[n]!.id },
        body: { amount: '10', bank_reference: `half-${n}` },
        headers: once(),
      }),
    );
    expect((await client.call('getBilling')).body).toMatchObject({ prepaid: '40.00', credits: '5.00' });
  });

  it('has the same guessing limit as a password, per account', async () => {
    await admin.call('createAdminPromotionCode', { body: { code: 'SECRET', amount: '5' } });
    const [guesser, other] = [await server.register(), await server.register()];
    const redeem = (client: TestClient, code: string) =>
      client.call('redeemPromotionCode', { body: { code }, headers: once() });
    for (let n = 0; n < 10; n++) expect((await redeem(guesser, `GUESS-${n}`)).status).toBe(409);
    expect((await redeem(guesser, 'GUESS-10')).status).toBe(429);
    expect((await redeem(guesser, 'SECRET')).status).toBe(429);
    expect((await redeem(other, 'SECRET')).status).toBe(201);
  });
});

/** A team with money and a stopped $1/hour CVM, whose disk is free so that the balance stays constant. */
async function funded(cents: number) {
  const client = await server.register();
  const who = await identityOf(db(), client.email!);
  await books.topUp(who.team_id, cents * 10_000);
  const app = await insertApp(db(), { ...who, host, name: `hostile-${++count}` });
  const stopped = () =>
    insertCvm(db(), {
      ...app,
      host,
      change: { status: 'stopped', desired: 'stopped', hourly_rate_micros: 1_000_000, started_at: null },
    });
  return { client, ...who, stopped };
}

describe('one balance', () => {
  it('is spent once by concurrent members, tokens and operations', async () => {
    const { client, team_id, stopped } = await funded(350);
    const other = await server.register();
    const { user_id } = await identityOf(db(), other.email!);
    await db()
      .insertInto('memberships')
      .values({ team_id, user_id, role: 'admin', is_default: false })
      .execute();
    const colleague = other.with({ 'x-workspace': client.slug! });
    const token = server.anonymous.with({ 'x-api-key': await insertToken(db(), { team_id, user_id }) });
    const cvms = await times(18, stopped);
    const answers = await times(cvms.length, (n) => {
      const path = { cvm_id: cvms[n]!.public_id };
      const by = [client, colleague, token][n % 3]!;
      if (n % 2 === 0) return by.call('startCvm', { path });
      return by.call('restartCvm', { path });
    });
    expect(tally(answers)).toEqual({ 200: 3, 402: 15 });
    expect(await heldFunds(db(), team_id, new Date())).toBe(3_000_000);
  });

  it('is not both refunded and used', async () => {
    for (let round = 0; round < 4; round++) {
      const client = await server.register();
      const who = await identityOf(db(), client.email!);
      const { body } = await client.call('createTopUp', {
        body: { amount: '1', driver: 'stripe' },
        headers: once(),
      });
      const payment = body as Parameters<CardTeam['adminPayment']>[0];
      const page = await client.call('openCheckout', { path: { payment_id: payment.id } });
      stripe.account.complete((page.body as { url: string }).url.split('/').at(-1)!);
      await paid(client);
      const app = await insertApp(db(), { ...who, host, name: `hostile-${++count}` });
      const cvm = await insertCvm(db(), {
        ...app,
        host,
        change: { status: 'stopped', desired: 'stopped', hourly_rate_micros: 1_000_000, started_at: null },
      });
      const { id } = await team.adminPayment(payment);
      const [started, refunded] = await Promise.all([
        client.call('startCvm', { path: { cvm_id: cvm.public_id } }),
        admin.call('refundAdminPayment', {
          path: { id },
          body: { amount: '1', reason: 'Race' },
          headers: once(),
        }),
      ]);
      expect([
        [200, 422],
        [402, 200],
      ]).toContainEqual([started.status, refunded.status]);
      const { prepaid } = (await client.call('getBilling')).body as Billing;
      expect(prepaid).toBe(started.status === 200 ? '1.00' : '0.00');
    }
  });

  it('is refunded only up to its unused part, counting usage since the last posted hour', async () => {
    const payment = await team.paid('50');
    const { id } = await team.adminPayment(payment);
    const { team_id } = await identityOf(db(), owner.email!);
    const prepaid = await team.prepaid();
    // All but $7 was used in the last two seconds.
    const until = Math.floor(Date.now() / 1000) * 1000;
    const cvm_id = await books.cvm(team_id, [
      [
        'running',
        new Date(until - 2000).toISOString(),
        { hourly_rate_micros: Math.round((prepaid - 7) * 1_800_000_000) },
      ],
    ]);
    await books.change(cvm_id, ['deleted', new Date(until).toISOString()]);
    const refund = (amount: string) =>
      admin.call('refundAdminPayment', { path: { id }, body: { amount, reason: 'Unused' }, headers: once() });
    const refused = await refund('7.01');
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain(
      'At most $7.00 can be refunded: the rest is used, or set aside',
    );
    expect((await refund('7')).status).toBe(200);
    // Size and disk are rounded down separately.
    expect(Number(((await owner.call('getBilling')).body as Billing).balance)).toBeCloseTo(0, 5);
  });
});

it('books concurrent refunds from the admin area and Stripe, and a dispute, once each', async () => {
  const client = await server.register();
  const start = async () => {
    const { body } = await client.call('createTopUp', {
      body: { amount: '100', driver: 'stripe' },
      headers: once(),
    });
    const payment = body as Parameters<CardTeam['adminPayment']>[0];
    const page = await client.call('openCheckout', { path: { payment_id: payment.id } });
    const { payment_intent } = stripe.account.complete((page.body as { url: string }).url.split('/').at(-1)!);
    await paid(client);
    const { latest_charge } = stripe.account.get('payment_intent', payment_intent!);
    return { charge: latest_charge!, admin: await team.adminPayment(payment) };
  };
  const { charge, admin: payment } = await start();
  const headers = once();
  const refund = (amount: string, with_headers = once()) =>
    admin.call('refundAdminPayment', {
      path: { id: payment.id },
      body: { amount, reason: 'Race' },
      headers: with_headers,
    });
  const { cards, log } = server.services;
  const [, , , made] = await Promise.all([
    refund('30', headers),
    refund('30', headers),
    refund('25.5'),
    Promise.resolve().then(() => stripe.account.refund(charge, 1_000, {})),
    times(3, () => resumeRefunds({ db: db(), cards: cards!, log }, new Date(Date.now() + 120_000))),
    Promise.resolve().then(() => stripe.account.dispute(charge)),
  ]);
  expect(made.status).toBe('succeeded');
  await eventually('no refund waits', async () => {
    await resumeRefunds({ db: db(), cards: cards!, log }, new Date(Date.now() + 120_000));
    return (
      (await db().selectFrom('card_refunds').select('id').where('state', '=', 'pending').execute()).length ===
      0
    );
  });
  await team.settled();
  const refunds = stripe.account.list('refund').filter((one) => one.charge === charge);
  const returned = refunds.reduce((sum, { amount }) => sum + amount, 0) + 10_000;
  expect(refunds.filter(({ amount }) => amount === 3_000).length).toBeLessThanOrEqual(1);
  const { prepaid } = (await client.call('getBilling')).body as Billing;
  expect(Math.round(Number(prepaid) * 100)).toBe(10_000 - returned);
  expect((await paymentsOf(client))[0]).toMatchObject({ returned: (returned / 100).toFixed(2) });
});

it('a team in debt can’t be deleted, alone or with its account, to escape the debt', async () => {
  const client = await server.register();
  const { team_id } = await identityOf(db(), client.email!);
  await client.call('createWorkspace', { body: { name: 'Next', slug: `next-${++count}` } });
  await books.topUp(team_id, 1);
  await sql`insert into ledger_transactions (public_id, team_id, kind, source_type, source_id, description, effective_at, entries)
    values ('crt_owed', ${team_id}, 'adjustment', 'test', 'owed', 'Used', now(),
      '[{"account": "prepaid", "amount": -3000001}, {"account": "adjustment", "amount": 3000001}]')`.execute(
    db(),
  );
  const remove = () =>
    client.call('deleteWorkspace', { path: { slug: client.slug! }, body: { slug: client.slug! } });
  const refused = await remove();
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain('The team owes $3.00. Settle it first.');
  const withAccount = () => client.call('deleteAccount', { body: { email: client.email! } });
  const kept = await withAccount();
  expect(codeOf(kept)).toEqual([409, 'ERR-00-015']);
  expect(JSON.stringify(kept.body)).toContain('owes $3.00. Settle it first.');
  const byAdmin = await admin.call('deleteAdminWorkspace', { path: { id: team_id } });
  expect(codeOf(byAdmin)).toEqual([409, 'ERR-00-021']);
  await books.topUp(team_id, 3_000_000);
  expect((await remove()).status).toBe(204);
  const late = { team_id, amount: '1', reason: 'Too late' };
  expect((await admin.call('createAdminCredit', { body: late, headers: once() })).status).toBe(422);
});
