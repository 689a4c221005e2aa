import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminLedger, AdminUserBilling, Billing } from '../../../../generated/api/types.gen';
import { checkBooksDaily } from '../../../jobs/billing/nightlyCheck';
import { identityOf } from '../../../testing/cvmFixtures';
import type { TestClient } from '../../../testing/server';
import { once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

const DOLLAR = 1_000_000;
let s: OrderServer;
beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
});
afterAll(() => s.server.stop());

const setRole = (client: TestClient, platform_role: 'support' | 'infra') =>
  s.server.services.db
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email!)
    .execute();
const ledger = async () => (await s.admin.call('getAdminLedger')).body as AdminLedger;

it('shows sums that add up, and the nightly check’s findings', async () => {
  const { db, log } = s.server.services;
  const team = await s.team(40 * DOLLAR);
  await s.admin.call('createAdminCredit', {
    body: { team_id: team.team_id, amount: '12.5', reason: 'Pilot' },
    headers: once(),
  });
  const { accounts, total, checked_at } = await ledger();
  const sum = (name: string) => accounts.find(({ account }) => account === name)?.amount;
  expect([sum('prepaid'), sum('credits'), total, checked_at]).toEqual(['40.00', '12.50', '0.00', null]);

  await checkBooksDaily({ db, log, now: new Date() });
  expect(await ledger()).toMatchObject({
    checked_at: expect.any(String),
    transactions: 2,
    discrepancies: [],
  });
  const differs = [{ team_id: team.team_id, what: 'balance of prepaid', expected: 5, found: -1.5 * DOLLAR }];
  await db
    .insertInto('ledger_checks')
    .values({ transactions: 2, discrepancies: JSON.stringify(differs) })
    .execute();
  expect((await ledger()).discrepancies).toEqual([
    {
      team_id: team.team_id,
      team_name: expect.any(String),
      what: 'balance of prepaid',
      expected: '0.000005',
      found: '-1.50',
    },
  ]);
});

it('shows billing for only the teams a user pays for', async () => {
  const { db } = s.server.services;
  const [own, other] = [await s.team(30 * DOLLAR), await s.team(7 * DOLLAR)];
  const { user_id } = await identityOf(db, own.client.email!);
  const billing = async () =>
    ((await s.admin.call('getAdminUserBilling', { path: { id: user_id } })).body as AdminUserBilling).teams;
  await own.client.call('createTopUp', { body: { amount: '5' }, headers: once() });
  await s.admin.call('createAdminCredit', {
    body: { team_id: own.team_id, amount: '500', reason: 'Sorry' },
    headers: once(),
  });
  expect(await billing()).toEqual([
    expect.objectContaining({
      team_id: own.team_id,
      role: 'owner',
      balance: '30.00',
      prepaid: '30.00',
      credits: '0.00',
      debt_since: null,
      unpaid_invoices: 0,
      waiting_payments: 1,
      received_payments: 0,
      pending_actions: 1,
      card: null,
    }),
  ]);
  await db
    .updateTable('payments')
    .set({ received_micros: DOLLAR })
    .where('team_id', '=', own.team_id)
    .execute();
  expect(await billing()).toMatchObject([{ received_payments: 1 }]);
  const join = (role: 'viewer' | 'billing') =>
    db
      .insertInto('memberships')
      .values({ team_id: other.team_id, user_id, role } as never)
      .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ role }))
      .execute();
  await join('viewer');
  expect(await billing()).toHaveLength(1);
  await join('billing');
  expect((await billing()).map(({ prepaid, role }) => [prepaid, role])).toEqual([
    ['30.00', 'owner'],
    ['7.00', 'billing'],
  ]);
});

it('shows each team’s balance for a user', async () => {
  const own = await s.team(DOLLAR);
  const others = [];
  for (const dollars of [2, 3, 4, 5, 6]) others.push(await s.team(dollars * DOLLAR));
  const { user_id } = await identityOf(s.server.services.db, own.client.email!);
  await s.server.services.db
    .insertInto('memberships')
    .values(others.map(({ team_id }) => ({ team_id, user_id, role: 'billing' as const, is_default: false })))
    .execute();
  const { body } = await s.admin.call('getAdminUserBilling', { path: { id: user_id } });
  const shown = new Map((body as AdminUserBilling).teams.map(({ team_id, balance }) => [team_id, balance]));
  expect([own, ...others].map(({ team_id }) => shown.get(team_id))).toEqual(
    [1, 2, 3, 4, 5, 6].map((dollars) => `${dollars}.00`),
  );
});

it('shows the balance as the team sees it, including unposted usage', async () => {
  const { db } = s.server.services;
  const { client, team_id } = await s.team(30 * DOLLAR);
  const { user_id } = await identityOf(db, client.email!);
  await s.books.cvm(team_id, [
    ['running', new Date(Date.now() - 1_800_000).toISOString(), { hourly_rate_micros: 2 * DOLLAR }],
  ]);
  const own = async () => Number(((await client.call('getBilling')).body as Billing).balance);
  const before = await own();
  const { body } = await s.admin.call('getAdminUserBilling', { path: { id: user_id } });
  const [team] = (body as AdminUserBilling).teams;
  const after = await own();
  expect(team?.prepaid).toBe('30.00');
  expect(Number(team?.balance)).toBeLessThanOrEqual(29);
  expect(Number(team?.balance)).toBeLessThanOrEqual(before);
  expect(Number(team?.balance)).toBeGreaterThanOrEqual(after);
});

it('shows a debt’s stage and names the saved card', async () => {
  const { db } = s.server.services;
  const team = await s.team(DOLLAR);
  const { team_id } = team;
  const { user_id } = await identityOf(db, team.client.email!);
  const [started_at, stops_at, deletes_at] = [9, 2, -28].map(
    (days) => new Date(Date.now() - days * 86_400_000),
  ) as [Date, Date, Date];
  await db
    .insertInto('debts')
    .values({ public_id: 'debt_books', team_id, started_at, stops_at, stopped_at: stops_at, deletes_at })
    .execute();
  const card = { card_id: 'pm_books', brand: 'amex', last4: '0005', exp_month: 12, exp_year: 2034 };
  await db
    .insertInto('team_cards')
    .values({ team_id, fingerprint: null, ...card })
    .execute();
  const { body } = await s.admin.call('getAdminUserBilling', { path: { id: user_id } });
  expect((body as AdminUserBilling).teams).toMatchObject([
    {
      team_id,
      debt_since: started_at.toISOString(),
      stopped_at: stops_at.toISOString(),
      deleted_at: null,
      card: 'American Express ending in 0005',
    },
  ]);
});

it('is limited to staff with billing access', async () => {
  const [support, infra, user] = [
    await s.server.register(),
    await s.server.register(),
    await s.server.register(),
  ];
  await setRole(support, 'support');
  await setRole(infra, 'infra');
  const both = async (client: TestClient) => [
    (await client.call('getAdminLedger')).status,
    (await client.call('getAdminUserBilling', { path: { id: 1 } })).status,
  ];
  expect(await both(support)).toEqual([200, 200]);
  for (const nobody of [infra, user]) expect(await both(nobody)).toEqual([403, 403]);
  expect((await s.admin.call('getAdminUserBilling', { path: { id: 999_999 } })).status).toBe(404);
});
