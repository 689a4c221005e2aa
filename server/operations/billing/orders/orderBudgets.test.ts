import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminPayment, Budget, NotificationPage, Order } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { watchBudgets } from '../../../jobs/billing/watchBudgets';
import { fanOutEvents } from '../../../jobs/notifications/notifyFeed';
import { code, once, startOrderServer, type OrderServer } from './testing/orderTeams';

/** Orders count toward a team's budgets and are refused beyond them, but never stop or refuse CVMs. */

const DOLLAR = 1_000_000;
const DAY = 86_400_000;
/** An order doesn't cover other types. */
const MEDIUM = { instance_type: 'tdx.medium', price: '20.00' } as const;
let s: OrderServer;

beforeAll(async () => {
  s = await startOrderServer();
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;
type Team = Awaited<ReturnType<OrderServer['team']>>;

const budgetOf = async ({ client }: Team) =>
  ((await client.call('listBudgets')).body as { items: Budget[] }).items[0];
const limit = async ({ client }: Team, amount: string, action: Budget['action'] = 'stop') =>
  (await client.call('createBudget', { body: { period: 'month', amount, action } })).body as Budget;
const set = ({ client }: Team, { id }: Budget, body: object) =>
  client.call('updateBudget', { path: { budget_id: id }, body });
const check = () => {
  const { jobs, log } = s.server.services;
  return watchBudgets({ db: db(), jobs, log, now: new Date() });
};
/** Records CVM usage of so many dollars in the last second. @returns the running CVM */
const use = (team: Team, dollars: number) => {
  const rate = { hourly_rate_micros: dollars * DOLLAR * 3600 };
  const now = Math.floor(Date.now() / 1000) * 1000;
  return s.books.cvm(team.team_id, [
    ['running', new Date(now - 1000).toISOString(), rate],
    ['stopped', new Date(now).toISOString(), rate],
  ]);
};
/** Stop operations in progress. */
const stopping = async ({ team_id }: Team) =>
  (
    await db()
      .selectFrom('operations as o')
      .innerJoin('cvms as c', 'c.id', 'o.cvm_id')
      .select('c.id')
      .where('c.team_id', '=', team_id)
      .where('o.type', '=', 'shutdown')
      .execute()
  ).map(({ id }) => id);
const events = async ({ team_id }: Team, prefix: string) =>
  db()
    .selectFrom('events')
    .select(['kind', 'message'])
    .where('team_id', '=', team_id)
    .where('kind', 'like', `${prefix}.%`)
    .orderBy('id')
    .execute();
const later = (text: string | null, ms: number) => new Date(new Date(text ?? 0).getTime() + ms);

describe('a budget that stops CVMs', () => {
  it('alerts on order costs, but stops CVMs only for metered usage, and not those already paid', async () => {
    const team = await s.team(100 * DOLLAR);
    const budget = await limit(team, '50');
    const covered = await team.cvm({ instance_type: 'tdx.medium' });
    const product = await s.offer(MEDIUM);
    for (let orders = 0; orders < 2; orders++) await s.ordered(team.client, product);
    const uncovered = await use(team, 12);
    await check();
    expect(await budgetOf(team)).toMatchObject({ used_by_orders: '40.00', used_up_at: null });
    expect(Number((await budgetOf(team))?.used)).toBeCloseTo(52, 2);
    expect(await stopping(team)).toEqual([]);
    const [alert] = await events(team, 'budget');
    expect(alert).toMatchObject({
      kind: 'budget.alert',
      message: expect.stringContaining('Orders are already paid, so they never stop CVMs') as string,
    });

    // 12 dollars of metered use are more than this.
    await set(team, budget, { amount: '11.99' });
    await check();
    expect((await budgetOf(team))?.used_up_at).not.toBeNull();
    expect(await stopping(team)).toEqual([uncovered]);
    expect(await s.covered(covered)).not.toBeNull();
  });

  it('that is set after an order stops nothing because of it', async () => {
    const team = await s.team(100 * DOLLAR);
    await team.cvm();
    await s.ordered(team.client, await s.offer(MEDIUM));
    const budget = await limit(team, '10');
    expect(budget).toMatchObject({ used_by_orders: '20.00', used_up_at: null });
    expect(budget.used_percent).toBeGreaterThanOrEqual(200);
    await check();
    expect(await stopping(team)).toEqual([]);
  });

  it.each(['stop', 'refuse'] as const)(
    'or refuses them (%s) is no longer used up by orders after an upgrade',
    async (action) => {
      const team = await s.team(100 * DOLLAR);
      await team.cvm();
      await s.ordered(team.client, await s.offer(MEDIUM));
      const { id } = await limit(team, '10', action);
      // State from the previous version, which counted orders; the migration triggers a recount.
      await db()
        .updateTable('budgets')
        .set({ posted_micros: 20 * DOLLAR, posted_seq: -1, used_up_at: new Date(), alerted: 100 })
        .where('public_id', '=', id)
        .execute();
      await check();
      expect(await budgetOf(team)).toMatchObject({
        used_by_orders: '20.00',
        used_up_at: null,
      });
      expect(await stopping(team)).toEqual([]);
      expect((await events(team, 'budget')).at(-1)).toMatchObject({
        kind: 'budget.over',
        message: expect.stringContaining('orders no longer count toward stopping or refusing CVMs') as string,
      });
    },
  );
});

describe('an order that exceeds a budget', () => {
  it('is refused with the remaining amount, counting orders awaiting payment', async () => {
    const team = await s.team(0);
    const budget = await limit(team, '50', 'refuse');
    const order = async () => s.order(team.client, await s.offer(MEDIUM), { pay_with: 'manual' });
    expect([(await order()).status, (await order()).status]).toEqual([201, 201]);
    const refused = await order();
    expect(code(refused)).toEqual([409, 'ERR-04-008']);
    expect(JSON.stringify(refused.body)).toContain(
      'The order costs $20.00, and $10.00 of the monthly team budget is left.',
    );
    // Exactly the remainder does not exceed it.
    await set(team, budget, { amount: '60' });
    expect((await order()).status).toBe(201);
  });

  it('is refused however many are placed concurrently', async () => {
    const team = await s.team(1000 * DOLLAR);
    await limit(team, '50', 'refuse');
    const products = await Promise.all(Array.from({ length: 10 }, () => s.offer(MEDIUM)));
    const answers = await Promise.all(products.map((product) => s.order(team.client, product)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(8);
    for (const answer of refused) expect(code(answer)).toEqual([409, 'ERR-04-008']);
    expect(await team.posted()).toBe(960 * DOLLAR);
  });

  it('is charged once its money arrives if it fit the budget when placed, and stops nothing', async () => {
    const team = await s.team(0);
    const budget = await limit(team, '50');
    const order = await s.ordered(team.client, await s.offer(MEDIUM), { pay_with: 'manual' });
    await set(team, budget, { amount: '5' });
    const found = await s.admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: order.payment?.id }) },
    });
    await s.admin.call('confirmAdminPayment', {
      path: { id: (found.body as AdminPayment[])[0]?.id ?? 0 },
      body: { amount: '20.00', bank_reference: `bank-${order.id}` },
      headers: once(),
    });
    await s.tick();
    expect((await team.orders())[0]).toMatchObject({ state: 'active', charged: '20.00' });
    await team.cvm();
    await check();
    expect(await budgetOf(team)).toMatchObject({ used_by_orders: '20.00', used_up_at: null });
    expect(await stopping(team)).toEqual([]);
  });
});

describe('the renewal of an order', () => {
  const now = async (team: Team) => (await team.orders())[0] as Order;

  it('beyond a budget waits, gives the reason once, and happens once the budget suffices', async () => {
    const team = await s.team(100 * DOLLAR);
    const budget = await limit(team, '30');
    const order = await s.ordered(team.client, await s.offer(MEDIUM), { renews: true });
    for (const minutes of [1, 7, 14]) await s.tick(later(order.ends_at, -DAY + minutes * 60_000));
    expect(await now(team)).toMatchObject({ state: 'active', charged: '20.00', renews: true });
    const failed = (await events(team, 'order')).filter(({ kind }) => kind === 'order.renewal_failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.message).toContain(
      'The next term costs $20.00, and $10.00 of the monthly team budget is left. Renewal is retried until the term ends: raise the budget',
    );
    await set(team, budget, { amount: '40' });
    await s.tick(later(order.ends_at, -60_000));
    expect(await now(team)).toMatchObject({ state: 'active', charged: '40.00' });
    await team.cvm();
    await check();
    expect(await budgetOf(team)).toMatchObject({ used_by_orders: '40.00', used_up_at: null });
    expect(await stopping(team)).toEqual([]);
  });

  it('gives each further reason once', async () => {
    const team = await s.team(20 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer(MEDIUM), { renews: true });
    const reasons = async (minutes: number) => {
      await s.tick(later(order.ends_at, -DAY + minutes * 60_000));
      const failed = (await events(team, 'order')).filter(({ kind }) => kind === 'order.renewal_failed');
      return failed.map(({ message }) => /balance|budget/.exec(message)?.[0]);
    };
    expect(await reasons(1)).toEqual(['balance']);
    await s.books.topUp(team.team_id, 20 * DOLLAR);
    const budget = await limit(team, '30');
    expect(await reasons(7)).toEqual(['balance', 'budget']);
    await s.books.topUp(team.team_id, -20 * DOLLAR);
    expect(await reasons(14)).toEqual(['balance', 'budget']);
    await s.books.topUp(team.team_id, 20 * DOLLAR);
    expect(await reasons(21)).toEqual(['balance', 'budget']);
    await set(team, budget, { amount: '40' });
    expect(await reasons(28)).toEqual(['balance', 'budget']);
    expect(await now(team)).toMatchObject({ state: 'active', charged: '40.00' });
    // The next term has its own reasons.
    const { ends_at } = await now(team);
    await s.tick(later(ends_at, -DAY + 60_000));
    const told = (await events(team, 'order')).filter(({ kind }) => kind === 'order.renewal_failed');
    expect(told).toHaveLength(3);
    await fanOutEvents(db(), 'https://cloud.example.test');
    const { data } = (await team.client.call('listNotifications')).body as NotificationPage;
    expect(data.filter(({ title }) => title.endsWith('could not be renewed'))).toHaveLength(3);
  });

  it('lapses with the term if the budget stays too small, and ignores one that only notifies', async () => {
    for (const [action, state, charged] of [
      ['stop', 'ended', '20.00'],
      ['notify', 'active', '40.00'],
    ] as const) {
      const team = await s.team(100 * DOLLAR);
      await limit(team, '30', action);
      const order = await s.ordered(team.client, await s.offer(MEDIUM), { renews: true });
      await s.tick(later(order.ends_at, -60_000));
      await s.tick(later(order.ends_at, 1_000));
      expect(await now(team), action).toMatchObject({ state, charged });
    }
  });
});
