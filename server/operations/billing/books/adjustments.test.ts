import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminFinanceAction,
  AdminTransaction,
  Billing,
  NotificationPage,
  TransactionPage,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { newDebtors } from '../../../db/billing/debts';
import type { TestClient } from '../../../testing/server';
import { code, once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

const DOLLAR = 1_000_000;
const reason = 'A transfer of another team was counted';
let s: OrderServer;
let second: TestClient;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
  second = await staff('finance');
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

async function staff(platform_role: 'finance' | 'support'): Promise<TestClient> {
  const client = await s.server.register();
  await s.server.services.db
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email!)
    .execute();
  return client;
}
const adjust = (team_id: number, amount: unknown, by = s.admin, headers: Record<string, string> = once()) =>
  by.call('createAdminAdjustment', { body: { team_id, amount, reason } as never, headers });
const prepaid = async (client: TestClient) => ((await client.call('getBilling')).body as Billing).prepaid;

describe('an adjustment', () => {
  it('adds to or deducts from the prepaid balance once, and shows the reason to payers', async () => {
    const team = await s.team(20 * DOLLAR);
    const headers = once();
    const added = await adjust(team.team_id, '5.25', s.admin, headers);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body as AdminTransaction).toMatchObject({
      team_id: team.team_id,
      kind: 'adjustment',
      amount: '5.25',
      description: `Adjustment: ${reason}`,
      entries: [
        { account: 'adjustment', amount: '-5.25' },
        { account: 'prepaid', amount: '5.25' },
      ],
    });
    expect((await adjust(team.team_id, '5.25', s.admin, headers)).body).toEqual(added.body);
    expect((await adjust(team.team_id, '-20.250001')).status).toBe(201);
    expect(await prepaid(team.client)).toBe('4.999999');
    const { body } = await team.client.call('listTransactions', { query: { kind: ['adjustment'] } });
    expect((body as TransactionPage).items.map(({ amount }) => amount)).toEqual(['-20.250001', '5.25']);
    const told = ((await team.client.call('listNotifications')).body as NotificationPage).data;
    expect(told.map(({ title, message }) => [title, message])).toEqual([
      ['Your balance was corrected', `$20.25 was taken from your prepaid balance. ${reason}.`],
      ['Your balance was corrected', `$5.25 was added to your prepaid balance. ${reason}.`],
    ]);
    const trail = await s.server.services.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('team_id', '=', team.team_id)
      .where('action', '=', 'balance.adjust')
      .orderBy('id')
      .execute();
    expect(trail).toEqual([
      { before: { prepaid: '20.00' }, after: { prepaid: '25.25', amount: '5.25', reason } },
      { before: { prepaid: '25.25' }, after: { prepaid: '4.999999', amount: '-20.250001', reason } },
    ]);
  });

  it('may leave a debt, and may settle one', async () => {
    const { db } = s.server.services;
    const team = await s.team(DOLLAR);
    const debtors = async () => (await newDebtors(db, 1000)).map(({ id }) => id);
    expect((await adjust(team.team_id, '-1.01')).status).toBe(201);
    expect(await debtors()).toContain(team.team_id);
    expect((await adjust(team.team_id, '0.01')).status).toBe(201);
    expect(await debtors()).not.toContain(team.team_id);
  });

  it('above the limit needs a second administrator, in either direction', async () => {
    const team = await s.team(200 * DOLLAR);
    const taken = await adjust(team.team_id, '-100.01');
    expect(taken.status).toBe(202);
    const action = taken.body as AdminFinanceAction;
    expect(action).toMatchObject({ action: 'adjust_balance', amount: '-100.01', reason });
    expect(await team.posted()).toBe(200 * DOLLAR);
    const approve = (by: TestClient) =>
      by.call('approveAdminFinanceAction', { path: { id: action.id }, headers: once() });
    expect(code(await approve(s.admin))).toEqual([409, 'ERR-00-015']);
    expect(
      (await Promise.all([approve(second), approve(second)])).map(({ status }) => status).sort(),
    ).toEqual([200, 409]);
    expect(await team.posted()).toBe(99_990_000);
    expect((await adjust(team.team_id, '60')).status).toBe(201);
    expect((await adjust(team.team_id, '-60')).status).toBe(202);
  });

  it('requires finance staff, a team and a nonzero amount', async () => {
    const team = await s.team(DOLLAR);
    for (const amount of ['0', '-0', '-0.00', '--5', '-', '- 5', '+5', '1e3', '-1000000.01', '−5', 5, null])
      expect([amount, (await adjust(team.team_id, amount)).status]).toEqual([amount, 422]);
    expect((await adjust(team.team_id, '0')).body).toMatchObject({
      detail: { details: [{ field: 'amount', message: 'Enter an amount other than 0.' }] },
    });
    expect((await adjust(999_999, '1')).status).toBe(422);
    expect((await adjust(team.team_id, '1', s.admin, {})).status).toBe(400);
    for (const nobody of [team.client, await staff('support')])
      expect((await adjust(team.team_id, '1', nobody)).status).toBe(403);
    expect(await team.posted()).toBe(DOLLAR);
  });
});
