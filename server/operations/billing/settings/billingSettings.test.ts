import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminBillingSettings } from '../../../../generated/api/types.gen';
import { debtDaysNow } from '../../../db/billing/billingSettings';
import { startBooks } from '../../../jobs/billing/testing/books';
import { watchDebts } from '../../../jobs/billing/debts';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({
    env: {
      TEEHOUSE_ROLE: 'web',
      BILLING_ENFORCEMENT: 'on',
      BILLING_GRACE_DAYS: '5',
      BILLING_APPROVAL_LIMIT: '250.50',
    },
  });
  admin = await server.register();
});
afterAll(() => server.stop());

const read = async () => (await admin.call('getAdminBillingSettings')).body as AdminBillingSettings;
const update = (body: object, headers: Record<string, string> = {}, by = admin) =>
  by.call('updateAdminBillingSettings', { body, headers });

it('shows the configured values until finance staff change them', async () => {
  expect(await read()).toMatchObject({
    debt_grace_days: 5,
    debt_keep_days: 30,
    debt_pending_days: 14,
    requires_funds: true,
    approval_limit: '250.50',
    bank_account: null,
    card_payments: false,
  });
  expect(await update({ debt_keep_days: 45, debt_grace_days: 5 })).toMatchObject({
    status: 200,
    body: { debt_grace_days: 5, debt_keep_days: 45 },
  });
  const trail = await server.services.db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('action', '=', 'billing_settings.update')
    .execute();
  expect(trail).toEqual([{ before: { debt_keep_days: 30 }, after: { debt_keep_days: 45 } }]);
});

it('applies to debts that start afterward', async () => {
  const { db, jobs, log, config } = server.services;
  const books = await startBooks(server.services);
  const debtor = await server.register();
  const { team_id } = await identityOf(db, debtor.email!);
  await books.topUp(team_id, -1_000_000);
  await update({ debt_grace_days: 7, debt_keep_days: 10 });
  const now = new Date();
  await watchDebts({ db, jobs, log, now, days: await debtDaysNow(db, config.debtDays) });
  const { body } = await debtor.call('getDebt');
  const { debt } = body as { debt: { started_at: string; stops_at: string; deletes_at: string } };
  const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
  expect([days(debt.started_at, debt.stops_at), days(debt.stops_at, debt.deletes_at)]).toEqual([7, 10]);
});

it('refuses out-of-range values, a stale version, and staff who only read', async () => {
  for (const body of [
    { debt_grace_days: -1 },
    { debt_grace_days: 366 },
    { debt_keep_days: 0 },
    { debt_pending_days: 91 },
    { debt_grace_days: null },
    { requires_funds: false },
  ])
    expect((await update(body)).status, JSON.stringify(body)).toBe(422);
  const etag = (await admin.call('getAdminBillingSettings')).headers.get('etag') ?? '';
  expect((await update({ debt_pending_days: 3 }, { 'if-match': etag })).status).toBe(200);
  expect((await update({ debt_pending_days: 4 }, { 'if-match': etag })).status).toBe(412);
  const support = await server.register();
  await server.services.db
    .updateTable('users')
    .set({ platform_role: 'support' })
    .where('email', '=', support.email!)
    .execute();
  expect((await support.call('getAdminBillingSettings')).status).toBe(200);
  expect((await update({ debt_pending_days: 5 }, {}, support)).status).toBe(403);
});
