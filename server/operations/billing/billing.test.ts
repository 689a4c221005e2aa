import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminCredit,
  AdminPayment,
  AdminPromotionCode,
  AdminTransaction,
  Billing,
  CreditList,
  Payment,
  PaymentPage,
  TransactionPage,
} from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { closeUsage } from '../../jobs/billing/closeUsage';
import { expireCredits } from '../../jobs/billing/expireCredits';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let team_id: number;
let keys = 0;

beforeAll(async () => {
  server = await startTestServer({
    env: { BANK_ACCOUNT_HOLDER: 'Example Cloud Ltd', BANK_ACCOUNT: 'DE02 1203 0000 0000 2020 51' },
  });
  admin = await server.register('admin@example.test');
  owner = await server.register('payer@example.test');
  ({ team_id } = await identityOf(server.services.db, 'payer@example.test'));
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await server.stop();
});

const once = () => ({ 'idempotency-key': `key-${++keys}` });
const billing = async (client = owner) => (await client.call('getBilling')).body as Billing;
const transactions = async (client = owner) =>
  ((await client.call('listTransactions', { query: { limit: 100 } })).body as TransactionPage).items;
const topUp = async (amount: string, client = owner) =>
  (await client.call('createTopUp', { body: { amount }, headers: once() })).body as Payment;
const confirm = (payment: AdminPayment, amount: string, bank_reference: string) =>
  admin.call('confirmAdminPayment', {
    path: { id: payment.id },
    body: { amount, bank_reference },
    headers: once(),
  });
async function adminPayment({ id }: Pick<Payment, 'id'>): Promise<AdminPayment> {
  const { body } = await admin.call('listAdminPayments', {
    query: { filter: JSON.stringify({ q: id }) },
  });
  return (body as AdminPayment[])[0]!;
}
const createCode = async (body: Record<string, unknown>) => admin.call('createAdminPromotionCode', { body });
const redeem = (code: string, client = owner) =>
  client.call('redeemPromotionCode', { body: { code }, headers: once() });

describe('a new team', () => {
  it('has nothing and pays nothing', async () => {
    expect(await billing()).toMatchObject({
      balance: '0.00',
      prepaid: '0.00',
      credits: '0.00',
      accrued: '0.00',
      hourly_rate: '0.00',
      runway_seconds: null,
      credits_expire: null,
      bank_transfer: {
        account_holder: 'Example Cloud Ltd',
        account: 'DE02 1203 0000 0000 2020 51',
        bank: null,
      },
    });
    expect(await transactions()).toEqual([]);
  });
});

describe('a bank transfer', () => {
  it.each(['0', '0.99', '1000000.01', '1.001', '99999999999'])('refuses the amount %s', async (amount) => {
    const answer = await owner.call('createTopUp', { body: { amount }, headers: once() });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('amount');
  });

  it('check 43: credits what arrives, in parts or in excess, and counts a transfer confirmed twice once', async () => {
    const before = await billing();
    const payment = await topUp('100');
    expect(payment).toMatchObject({
      state: 'pending',
      received: '0.00',
      reference: expect.stringMatching(/^TH-[2-9A-HJ-NP-Z]{8}$/),
    });
    const seen = await adminPayment(payment);
    const part = await confirm(seen, '60', `bank-${payment.id}-1`);
    expect(part.body).toMatchObject({ state: 'part_paid', received: '60.00' });
    const twice = await Promise.all([
      confirm(seen, '60', `bank-${payment.id}-1`),
      confirm(seen, '60', `bank-${payment.id}-1`),
    ]);
    expect(twice.map(({ status, body }) => [status, (body as AdminPayment).received])).toEqual([
      [200, '60.00'],
      [200, '60.00'],
    ]);
    expect((await confirm(seen, '61', `bank-${payment.id}-1`)).status).toBe(409);
    const rest = await confirm(seen, '50', `bank-${payment.id}-2`);
    expect(rest.body).toMatchObject({ state: 'paid', received: '110.00' });
    expect(Number((await billing()).prepaid) - Number(before.prepaid)).toBe(110);
    expect((await transactions()).slice(0, 2)).toMatchObject([
      { kind: 'top_up', amount: '50.00', description: `Bank transfer ${payment.reference}` },
      { kind: 'top_up', amount: '60.00' },
    ]);
  });

  it('counts a transfer once, even if two payments are confirmed with it concurrently', async () => {
    const payments = await Promise.all([topUp('10'), topUp('10')]);
    const seen = await Promise.all(payments.map(adminPayment));
    const answers = await Promise.all(seen.map((one) => confirm(one, '10', `shared-${payments[0]!.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is credited even if canceled, because the money is the team’s', async () => {
    const payment = await topUp('20');
    await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
    const before = await billing();
    const answer = await confirm(await adminPayment(payment), '20', `bank-${payment.id}`);
    expect(answer.body).toMatchObject({ state: 'paid' });
    expect(Number((await billing()).prepaid) - Number(before.prepaid)).toBe(20);
    expect((await owner.call('cancelTopUp', { path: { payment_id: payment.id } })).body).toMatchObject({
      code: 'ERR-04-006',
    });
  });

  it('can be rejected with a reason visible to the team', async () => {
    const payment = await topUp('20');
    const { id } = await adminPayment(payment);
    await admin.call('rejectAdminPayment', {
      path: { id },
      body: { reason: 'Sent back by the bank' },
      headers: once(),
    });
    const [shown] = ((await owner.call('listTopUps')).body as PaymentPage).items;
    expect(shown).toMatchObject({ id: payment.id, state: 'rejected', reason: 'Sent back by the bank' });
  });
});

describe('credit', () => {
  it('is granted, used before prepaid money, revoked, and expires', async () => {
    const before = await billing();
    const grant = async (amount: string, expires_at?: string) =>
      (
        await admin.call('createAdminCredit', {
          body: { team_id, amount, reason: 'Sorry', ...(expires_at ? { expires_at } : {}) },
          headers: once(),
        })
      ).body as AdminCredit;
    const soon = await grant('5', new Date(Date.now() + 86_400_000).toISOString());
    const never = await grant('7');
    expect(await billing()).toMatchObject({
      credits: String((Number(before.credits) + 12).toFixed(2)),
      credits_expire: { amount: '5.00', expires_at: soon.expires_at },
    });
    expect(((await owner.call('listCredits')).body as CreditList).items.map(({ id }) => id)).toEqual([
      soon.public_id,
      never.public_id,
    ]);
    const revoke = (reason: string) =>
      admin.call('revokeAdminCredit', { path: { id: never.id }, body: { reason }, headers: once() });
    const revoked = await revoke('A mistake');
    expect(revoked.body).toMatchObject({ remaining: '0.00', state: 'used' });
    expect((await revoke('x')).status).toBe(409);
    await sql`update credit_grants set expires_at = now() - interval '1 second' where id = ${soon.id}`.execute(
      server.services.db,
    );
    expect(await billing()).toMatchObject({ credits: before.credits });
    const { db, log } = server.services;
    await expireCredits({ db, log, now: new Date() });
    await expireCredits({ db, log, now: new Date() });
    expect((await transactions()).slice(0, 2)).toMatchObject([
      { kind: 'credit_expiry', credits: '-5.00', prepaid: '0.00' },
      { kind: 'credit_revocation', credits: '-7.00', description: 'Credit revoked: A mistake' },
    ]);
  });

  it('must be positive, for a team that exists, and end in the future', async () => {
    for (const body of [
      { team_id, amount: '0', reason: 'x' },
      { team_id: 999_999, amount: '1', reason: 'x' },
      { team_id, amount: '1', reason: 'x', expires_at: '2020-01-01T00:00:00Z' },
    ])
      expect((await admin.call('createAdminCredit', { body, headers: once() })).status).toBe(422);
  });
});

describe('a promotion code', () => {
  it('check 41: for one use is redeemed once by 50 concurrent clients', async () => {
    await admin.call('updateAdminPromotionCode', {
      path: {
        id: ((await createCode({ code: 'SINGLE', amount: '3', max_uses: 1 })).body as AdminPromotionCode).id,
      },
      body: { description: 'First come' },
    });
    const teams = await Promise.all(Array.from({ length: 10 }, () => server.register()));
    const tries = await Promise.all(
      teams.flatMap((client) => Array.from({ length: 5 }, () => redeem('single', client))),
    );
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(tries.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it('credits each team once, ignoring case, and expires', async () => {
    const { id } = (await createCode({ code: 'AUTUMN', amount: '10', credit_days: 30 }))
      .body as AdminPromotionCode;
    const answer = await redeem(' autumn ');
    expect(answer.body).toMatchObject({
      credit: { amount: '10.00', source: 'promotion', state: 'active' },
      bonus: null,
    });
    const used = { message: 'Your team already redeemed AUTUMN.' };
    expect(await redeem('AUTUMN')).toMatchObject({ status: 409, body: used });
    const other = await server.register();
    await admin.call('updateAdminPromotionCode', { path: { id }, body: { state: 'retired' } });
    expect((await redeem('AUTUMN', other)).body).toMatchObject({ code: 'ERR-04-005' });
    expect((await redeem('NO-SUCH-CODE', other)).body).toMatchObject({ code: 'ERR-04-005' });
  });

  it('with a percentage adds to the next payment, up to its cap', async () => {
    const payer = await server.register();
    await createCode({ code: 'PLUS20', percent: 20, cap: '15' });
    expect((await redeem('PLUS20', payer)).body).toMatchObject({ bonus: { percent: 20, cap: '15.00' } });
    expect(await billing(payer)).toMatchObject({ waiting_bonuses: [{ code: 'PLUS20' }], credits: '0.00' });
    const payment = await topUp('100', payer);
    await confirm(await adminPayment(payment), '100', 'bank-plus20');
    expect(await billing(payer)).toMatchObject({ prepaid: '100.00', credits: '15.00', waiting_bonuses: [] });
    const second = await topUp('50', payer);
    await confirm(await adminPayment(second), '50', 'bank-plus20-2');
    expect(await billing(payer)).toMatchObject({ prepaid: '150.00', credits: '15.00' });
  });

  it('is an amount or a capped percentage, with consistent limits', async () => {
    for (const body of [
      { code: 'BAD1' },
      { code: 'BAD2', amount: '1', percent: 5, cap: '1' },
      { code: 'BAD3', percent: 5 },
      { code: 'BAD4', amount: '1', cap: '1' },
      { code: 'BAD5', amount: '1', starts_at: '2027-01-02T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' },
    ])
      expect((await createCode(body)).status).toBe(422);
    expect((await createCode({ code: 'twin', amount: '1' })).status).toBe(201);
    expect((await createCode({ code: 'TWIN', amount: '1' })).status).toBe(409);
  });

  it('for new teams only is refused for an old one', async () => {
    await createCode({ code: 'NEWCOMER', amount: '1', new_teams_days: 7 });
    const old = await server.register();
    await sql`update teams set created_at = now() - interval '8 days' where slug = ${old.slug}`.execute(
      server.services.db,
    );
    expect((await redeem('NEWCOMER', old)).status).toBe(409);
    expect((await redeem('NEWCOMER', await server.register())).status).toBe(201);
  });
});

describe('usage', () => {
  it('lowers the balance every second, and is posted hourly', async () => {
    const { db, log } = server.services;
    const user = await server.register('user@example.test');
    const who = await identityOf(db, 'user@example.test');
    await admin.call('createAdminCredit', {
      body: { team_id: who.team_id, amount: '1', reason: 'Trial' },
      headers: once(),
    });
    const host = await insertHost(db, { name: 'billed' });
    const cvm = await insertCvm(db, { ...(await insertApp(db, { ...who, host, name: 'billed' })), host });
    const began = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000);
    await sql`update cvm_state_changes set at = ${began} where cvm_id = ${cvm.id}`.execute(db);
    await sql`update usage_meters set billed_from = ${began}, closed_until = ${began} where cvm_id = ${cvm.id}`.execute(
      db,
    );
    // The server's own hourly posting may run at any time during this test and changes no balance.
    const live = await billing(user);
    const seconds = Math.floor((Date.parse(live.as_of) - began.getTime()) / 1000);
    // Size and disk are separate lines, each rounded down.
    const micros = [56_000, 2_000].reduce((sum, rate) => sum + Math.floor((seconds * rate) / 3600), 0);
    expect(Number(live.balance)).toBeCloseTo(1 - micros / 1e6, 6);
    expect(live).toMatchObject({ hourly_rate: '0.058', prepaid: '0.00' });
    expect(live.runway_seconds).toBeGreaterThan(0);
    await closeUsage({ db, log, now: new Date(began.getTime() + 2 * 3_600_000 + 400_000) });
    const posted = await billing(user);
    expect(Number(posted.balance)).toBeLessThanOrEqual(Number(live.balance));
    const usage = (await transactions(user)).filter(({ kind }) => kind === 'usage');
    expect(usage.slice(-2)).toMatchObject([
      { amount: '-0.058', credits: '-0.058', prepaid: '0.00' },
      { amount: '-0.058' },
    ]);
    const me = (await user.call('getCurrentUser')).body;
    expect(Number(me.credits.balance)).toBeCloseTo(Number(posted.balance), 2);
  });
});

describe('permissions', () => {
  it('let billing, admins and owners read and pay, but not viewers and members', async () => {
    const { db } = server.services;
    for (const [role, allowed] of [
      ['viewer', false],
      ['member', false],
      ['billing', true],
      ['admin', true],
    ] as const) {
      const client = await server.register();
      const { user_id } = await identityOf(db, client.email!);
      await db
        .insertInto('memberships')
        .values({ team_id, user_id, role } as never)
        .execute();
      const acting = client.with({ 'x-workspace': owner.slug! });
      for (const operation of [
        'getBilling',
        'listTransactions',
        'listCredits',
        'listTopUps',
        'exportTransactions',
      ] as const)
        expect([role, operation, (await acting.call(operation)).status]).toEqual([
          role,
          operation,
          allowed ? 200 : 403,
        ]);
      const paid = await acting.call('createTopUp', { body: { amount: '5' }, headers: once() });
      expect([role, paid.status]).toEqual([role, allowed ? 201 : 403]);
    }
  });

  it('extend only to one’s own team', async () => {
    const payment = await topUp('5');
    const stranger = await server.register();
    expect((await stranger.call('cancelTopUp', { path: { payment_id: payment.id } })).status).toBe(404);
    const foreign = stranger.with({ 'x-workspace': owner.slug! });
    expect((await foreign.call('getBilling')).status).toBe(404);
    for (const operation of [
      'listAdminTransactions',
      'listAdminCredits',
      'listAdminPayments',
      'listAdminPromotionCodes',
    ] as const)
      expect((await stranger.call(operation)).status).toBe(403);
  });
});

it('links the records behind a transaction for administrators', async () => {
  const payment = await adminPayment(await topUp('5'));
  await confirm(payment, '5', 'linked-1');
  const granted = await admin.call('createAdminCredit', {
    body: { team_id, amount: '1', reason: 'Linked' },
    headers: once(),
  });
  const newest = async (kind: string) => {
    const { body } = await admin.call('listAdminTransactions', {
      query: { filter: JSON.stringify({ team_id, kind }), sort: '["id","DESC"]' },
    });
    return (body as AdminTransaction[])[0];
  };
  expect(await newest('top_up')).toMatchObject({
    source_resource: 'payments',
    source_record_id: String(payment.id),
  });
  expect(await newest('credit_grant')).toMatchObject({
    source_resource: 'credits',
    source_record_id: String((granted.body as AdminCredit).id),
  });
});

it('lists transactions by kind and page, and exports all of them safely', async () => {
  const all = await transactions();
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await owner.call('listTransactions', {
      query: { limit: 2, ...(cursor ? { cursor } : {}) },
    });
    const page = body as TransactionPage;
    pages.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(pages).toEqual(all.map(({ id }) => id));
  const { body } = await owner.call('listTransactions', { query: { kind: ['top_up'] } });
  expect(new Set((body as TransactionPage).items.map(({ kind }) => kind))).toEqual(new Set(['top_up']));
  expect((await owner.call('listTransactions', { query: { cursor: 'x' } })).status).toBe(422);
  const inMonth = (month: string) => owner.call('listTransactions', { query: { month } });
  expect(JSON.stringify((await inMonth(all[0]!.effective_at.slice(0, 7))).body)).toContain(all[0]!.id);
  expect((await inMonth('2025-01')).body).toMatchObject({ items: [] });
  await admin.call('createAdminCredit', { body: { team_id, amount: '1', reason: '=1+1' }, headers: once() });
  await admin.call('createAdminCredit', { body: { team_id, amount: '1', reason: 'x' }, headers: once() });
  const csv = String((await owner.call('exportTransactions')).body);
  expect(csv.trim().split('\r\n')).toHaveLength(1 + (await transactions()).length);
  expect(csv).not.toMatch(/(^|,)[=+@]/m);
});
