import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Budget,
  AdminPayment,
  Order,
  Problem,
  TransactionPage,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { openDebt } from '../../../db/billing/debts';
import { withTransaction } from '../../../db/core/client';
import { code, once, startOrderServer, type OrderServer } from './testing/orderTeams';

const DOLLAR = 1_000_000;
const DAY = 86_400_000;
let s: OrderServer;

beforeAll(async () => {
  s = await startOrderServer();
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;
const details = (body: unknown) =>
  Object.fromEntries(
    ((body as Problem & { details?: { field?: string; value?: unknown }[] }).details ?? []).map((one) => [
      one.field,
      one.value,
    ]),
  );

describe('an order paid from the balance', () => {
  it('is active, booked once with balanced entries, uses credits first, and covers a CVM', async () => {
    const team = await s.team(15 * DOLLAR);
    const grant = await s.books.grant(team.team_id, 12 * DOLLAR, '2099-01-01T00:00:00Z');
    const [stopped, running] = [await team.cvm({ status: 'stopped', desired: 'stopped' }), await team.cvm()];
    const product = await s.offer({ refund_percent: 50 });
    const order = await s.ordered(team.client, product, { renews: true });
    expect(order).toMatchObject({
      state: 'active',
      total: '20.00',
      charged: '20.00',
      refund: '0.00',
      payment: null,
      renews: true,
      cvm: { vm_uuid: running.vm_uuid },
    });
    const [starts, ends] = [new Date(order.starts_at ?? 0), new Date(order.ends_at ?? 0)];
    expect(Math.abs(Date.now() - starts.getTime())).toBeLessThan(60_000);
    expect(ends.getUTCDate()).toBe(Math.min(starts.getUTCDate(), ends.getUTCDate()));
    expect((ends.getTime() - starts.getTime()) / DAY).toBeGreaterThanOrEqual(28);
    expect(new Date(order.renews_at ?? 0).getTime()).toBe(ends.getTime() - DAY);
    expect(await s.books.remaining(grant)).toBe(0);
    expect(await team.posted()).toBe(7 * DOLLAR);
    const [booked] = (await s.books.transactions(team.team_id)).filter(({ kind }) => kind === 'order');
    expect(booked).toMatchObject({ source_type: 'order_term', source_id: `${order.id}/1` });
    expect(booked?.entries).toEqual([
      { account: 'credits', amount: -12 * DOLLAR, grant },
      { account: 'prepaid', amount: -8 * DOLLAR },
      { account: 'revenue', amount: 20 * DOLLAR },
    ]);
    const { items } = (await team.client.call('listTransactions', { query: { kind: ['order'] } }))
      .body as TransactionPage;
    expect(items).toMatchObject([{ amount: '-20.00', credits: '-12.00', prepaid: '-8.00' }]);
    expect([await s.covered(stopped), await s.covered(running)]).toEqual([null, order.id]);
    expect(await s.offered(team.client, product)).toMatchObject({ left: 9, rules: order.rules });
  });

  it('is not readable or changeable by another team, nor created by members without billing access', async () => {
    const [team, other] = [await s.team(20 * DOLLAR), await s.team(20 * DOLLAR)];
    const product = await s.offer();
    const { id } = await s.ordered(team.client, product);
    const path = { order_id: id };
    for (const answer of [
      await other.client.call('getOrder', { path }),
      await other.client.call('updateOrder', { path, body: { renews: true } }),
      await other.client.call('cancelOrder', { path, body: { refund: '0' }, headers: once() }),
    ])
      expect(code(answer)).toEqual([404, 'ERR-00-004']);
    expect(await other.orders()).toEqual([]);
    await db()
      .updateTable('memberships')
      .set({ role: 'member' })
      .where('team_id', '=', team.team_id)
      .execute();
    expect((await s.order(team.client, product)).status).toBe(403);
    expect((await team.client.call('listOrders')).status).toBe(403);
  });

  it('needs an Idempotency-Key; a repeat returns the same order, and another body is refused', async () => {
    const team = await s.team(100 * DOLLAR);
    const product = await s.offer();
    expect(code(await s.order(team.client, product, {}, {}))).toEqual([400, 'ERR-04-004']);
    const headers = once();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => s.order(team.client, product, {}, headers)),
    );
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => (body as Order).id);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made).size).toBe(1);
    expect(code(await s.order(team.client, product, { renews: true }, headers))).toEqual([409, 'ERR-00-011']);
    expect(await team.orders()).toHaveLength(1);
    expect(await team.posted()).toBe(80 * DOLLAR);
  });
});

describe('concurrent orders', () => {
  it('for the last item in stock go to one team', async () => {
    const product = await s.offer({ stock: 1 });
    const teams = await Promise.all(Array.from({ length: 8 }, () => s.team(50 * DOLLAR)));
    const answers = await Promise.all(teams.map(({ client }) => s.order(client, product)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    for (const answer of answers)
      if (answer.status === 409) expect(code(answer)).toEqual([409, 'ERR-04-012']);
    const spent = await Promise.all(teams.map((team) => team.posted()));
    expect(spent.filter((left) => left === 30 * DOLLAR)).toHaveLength(1);
    expect(spent.filter((left) => left === 50 * DOLLAR)).toHaveLength(7);
  });

  it('from one team are limited by its balance', async () => {
    const product = await s.offer({ stock: 100 });
    const team = await s.team(65 * DOLLAR);
    const answers = await Promise.all(Array.from({ length: 10 }, () => s.order(team.client, product)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await team.posted()).toBe(5 * DOLLAR);
    expect(await s.offered(team.client, product)).toMatchObject({ left: 97 });
  });
});

describe('a refused order changes nothing', () => {
  it('without funds, and names the shortfall and how to add it', async () => {
    const team = await s.team(12 * DOLLAR);
    const product = await s.offer();
    const answer = await s.order(team.client, product);
    expect(code(answer)).toEqual([402, 'ERR-04-001']);
    expect((answer.body as { message: string }).message).toContain('The term costs $20.00');
    expect(details(answer.body)).toMatchObject({ required: '20.00', available: '12.00', missing: '8.00' });
    expect([await team.orders(), await team.posted()]).toEqual([[], 12 * DOLLAR]);
    expect(await s.offered(team.client, product)).toMatchObject({ left: 10 });
  });

  it('while a payment is due, even with a payment for the order', async () => {
    const team = await s.team(50 * DOLLAR);
    const product = await s.offer();
    await withTransaction(db(), (trx) =>
      openDebt(trx, team.team_id, new Date(), { grace: 3, keep: 30, pending: 14 }),
    );
    for (const pay_with of ['balance', 'manual']) {
      const answer = await s.order(team.client, product, { pay_with });
      expect(code(answer)).toEqual([402, 'ERR-04-001']);
      expect((answer.body as { message: string }).message).toContain('A payment is due');
      // The money is there; the debt is settled in a moment.
      expect(details(answer.body)).toEqual({});
    }
    expect(await team.orders()).toEqual([]);
  });

  it('after price or rules changed, and returns the new price to agree to', async () => {
    const team = await s.team(100 * DOLLAR);
    const shown = await s.offer();
    const change = (body: object) =>
      s.admin.call('updateAdminOrderProduct', { path: { id: shown.id }, body: body as never });
    await change({ price: '25.00' });
    const answer = await s.order(team.client, shown);
    expect(code(answer)).toEqual([409, 'ERR-04-011']);
    expect(details(answer.body)).toEqual({ version: 2, price: '25.00', total: '25.00' });
    // The current version with an old total is no agreement either.
    expect(code(await s.order(team.client, shown, { version: 2 }))).toEqual([409, 'ERR-04-011']);
    expect(await team.posted()).toBe(100 * DOLLAR);
    expect((await s.ordered(team.client, shown, { version: 2, total: '25' })).total).toBe('25.00');
    await change({ refund_percent: 10 });
    expect(code(await s.order(team.client, shown, { version: 2, total: '25' }))).toEqual([409, 'ERR-04-011']);
    // Stock and texts aren't part of the agreement.
    await change({ stock: 5, description: 'Renamed' });
    await s.ordered(team.client, shown, { version: 3, total: '25' });
  });

  it('for a retired, ended or unknown product', async () => {
    const team = await s.team(100 * DOLLAR);
    const product = await s.offer();
    await s.admin.call('updateAdminOrderProduct', { path: { id: product.id }, body: { state: 'retired' } });
    expect(code(await s.order(team.client, product))).toEqual([409, 'ERR-04-012']);
    expect(await s.offered(team.client, product)).toBeUndefined();
    const over = await s.offer({ ends_at: new Date(Date.now() + 1_000).toISOString() });
    await sql`update order_products set ends_at = now() - interval '1 second' where id = ${over.id}`.execute(
      db(),
    );
    expect(code(await s.order(team.client, over))).toEqual([409, 'ERR-04-012']);
    const short = await s.offer({ ends_at: new Date(Date.now() + 20 * DAY).toISOString() });
    expect(code(await s.order(team.client, short))).toEqual([409, 'ERR-04-012']);
    const ofRetired = await s.offer({ instance_type: 'tdx.medium' });
    await db()
      .updateTable('instance_types')
      .set({ state: 'retired' })
      .where('id', '=', 'tdx.medium')
      .execute();
    expect(code(await s.order(team.client, ofRetired))).toEqual([409, 'ERR-04-012']);
    const deleted = await s.admin.call('deleteAdminInstanceType', { path: { id: 'tdx.medium' } });
    expect(code(deleted)).toEqual([409, 'ERR-00-021']);
    const unknown = await s.order(team.client, { ...product, public_id: 'prd_nothing' });
    expect(code(unknown)).toEqual([422, 'ERR-00-005']);
    expect(await team.posted()).toBe(100 * DOLLAR);
  });

  it.each([0, -1, -2_147_483_648, 13, 367, 1e9, 1.5, '3', null])('with a term of %j', async (periods) => {
    const team = await s.team(1_000_000 * DOLLAR);
    const product = await s.offer();
    const answer = await s.order(team.client, product, { periods, total: '20.00' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(await team.orders()).toEqual([]);
  });

  it('with a start in the past, too far ahead, or before the capacity exists', async () => {
    const team = await s.team(100 * DOLLAR);
    const product = await s.offer({ starts_at: new Date(Date.now() + 10 * DAY).toISOString() });
    const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    for (const starts_at of [at(-1), at(91), at(5)])
      expect((await s.order(team.client, product, { starts_at })).status, starts_at).toBe(422);
    const order = await s.ordered(team.client, product);
    expect(order).toMatchObject({ state: 'paid', refund: '20.00', cvm: null });
    expect(new Date(order.starts_at ?? 0).getTime()).toBe(
      Math.floor(new Date(product.starts_at ?? 0).getTime() / 1000) * 1000,
    );
  });
});

describe('an order awaiting payment', () => {
  async function waiting(funds = 12 * DOLLAR) {
    const team = await s.team(funds);
    const product = await s.offer({ stock: 1 });
    const order = await s.ordered(team.client, product, { pay_with: 'manual' });
    return { team, product, order };
  }
  async function pay(order: Order, amount: string): Promise<void> {
    const found = await s.admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: order.payment?.id }) },
    });
    const [payment] = found.body as AdminPayment[];
    const { status } = await s.admin.call('confirmAdminPayment', {
      path: { id: payment?.id ?? 0 },
      body: { amount, bank_reference: `bank-${order.id}` },
      headers: once(),
    });
    expect(status).toBe(200);
  }
  const now = async (team: { orders(): Promise<Order[]> }) => (await team.orders())[0];

  it('requests the shortfall, keeps its place, and is charged when the money arrives', async () => {
    const { team, product, order } = await waiting();
    expect(order).toMatchObject({ state: 'pending', starts_at: null, charged: '0.00', refund: '0.00' });
    expect(order.payment).toMatchObject({ driver: 'manual', state: 'pending', amount: '8.00' });
    const other = await s.team(100 * DOLLAR);
    expect(code(await s.order(other.client, product))).toEqual([409, 'ERR-04-012']);
    await s.tick();
    expect(await now(team)).toMatchObject({ state: 'pending' });
    await pay(order, '8.00');
    await s.tick();
    await s.tick();
    expect(await now(team)).toMatchObject({ id: order.id, state: 'active', charged: '20.00', payment: null });
    expect(await team.posted()).toBe(0);
  });

  it('isn’t charged after a smaller payment, and gives up its place in time', async () => {
    const { team, product, order } = await waiting();
    await pay(order, '7.99');
    await s.tick();
    expect(await now(team)).toMatchObject({ state: 'pending' });
    await s.tick(new Date(Date.now() + 5 * DAY + 1_000));
    expect(await now(team)).toMatchObject({ state: 'cancelled', reason: 'It was not paid in time.' });
    expect(await team.posted()).toBe(19_990_000);
    expect(await s.offered(team.client, product)).toMatchObject({ left: 1 });
    // Late money is the team's and doesn't pay for an expired order.
    await s.books.topUp(team.team_id, 100 * DOLLAR);
    await s.tick();
    expect(await now(team)).toMatchObject({ state: 'cancelled', charged: '0.00' });
  });

  it('ends with its payment', async () => {
    const { team, order } = await waiting();
    await team.client.call('cancelTopUp', { path: { payment_id: order.payment?.id ?? '' } });
    await s.tick();
    expect(await now(team)).toMatchObject({ state: 'cancelled', reason: 'Its payment was canceled.' });
  });

  it('is charged however many others are ahead of it', async () => {
    const debtor = await waiting();
    await sql`insert into orders (public_id, team_id, product_id, state, name, instance_type, covers, period,
        price_micros, periods, min_periods, refund_percent, product_version, pay_until)
      select 'ord_waits_' || n, team_id, product_id, state, name, instance_type, covers, period,
        price_micros, periods, min_periods, refund_percent, product_version, pay_until
      from orders, generate_series(1, 250) n where public_id = ${debtor.order.id}`.execute(db());
    await s.books.topUp(debtor.team.team_id, 100 * DOLLAR);
    await withTransaction(db(), (trx) =>
      openDebt(trx, debtor.team.team_id, new Date(), { grace: 3, keep: 30, pending: 14 }),
    );
    const { team, order } = await waiting();
    await pay(order, '8.00');
    await s.tick();
    expect(await now(team)).toMatchObject({ state: 'active' });
    expect(await now(debtor.team)).toMatchObject({ state: 'pending' });
  });

  it('is limited to three per team', async () => {
    const team = await s.team(0);
    for (let count = 0; count < 3; count++)
      await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
    const product = await s.offer();
    expect(code(await s.order(team.client, product, { pay_with: 'manual' }))).toEqual([409, 'ERR-00-015']);
    expect((await s.order(team.client, product, { pay_with: 'stripe' })).status).toBe(409);
  });

  it('is paid from the balance if that suffices after all', async () => {
    const team = await s.team(20 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
    expect(order).toMatchObject({ state: 'active', payment: null });
  });
});

describe('an order and a team’s budgets', () => {
  it('is refused if it exceeds the rest of a stopping or refusing budget, and counts toward it', async () => {
    const team = await s.team(100 * DOLLAR);
    const product = await s.offer({ price: '20.00' });
    const body = { period: 'month', amount: '50', action: 'stop' } as const;
    const made = await team.client.call('createBudget', { body });
    const { id } = made.body as Budget;
    await s.ordered(team.client, product);
    const used = async () =>
      ((await team.client.call('listBudgets')).body as { items: Budget[] }).items[0]?.used;
    expect(await used()).toBe('20.00');
    await s.ordered(team.client, product);
    const refused = await s.order(team.client, product);
    expect(code(refused)).toEqual([409, 'ERR-04-008']);
    expect(JSON.stringify(refused.body)).toContain(
      'The order costs $20.00, and $10.00 of the monthly team budget is left.',
    );
    expect(await used()).toBe('40.00');
    const path = { budget_id: id };
    await team.client.call('updateBudget', { path, body: { action: 'notify' } });
    await s.ordered(team.client, product);
    expect(await used()).toBe('60.00');
  });
});
