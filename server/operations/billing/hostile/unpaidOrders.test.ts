import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminOrderProduct, Order, Payment, Problem } from '../../../../generated/api/types.gen';
import type { TestClient } from '../../../testing/server';
import { code, once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

/* Teams without funds that try to block products for paying teams. */

const DOLLAR = 1_000_000;
let s: OrderServer;
beforeAll(async () => void (s = await startOrderServer()));
afterAll(() => s.server.stop());

const byTransfer = (client: TestClient, product: AdminOrderProduct) =>
  s.order(client, product, { pay_with: 'manual' });
const cancel = (client: TestClient, { id }: Order) =>
  client.call('cancelOrder', { path: { order_id: id }, body: { refund: '0' }, headers: once() });
const payments = async (client: TestClient) =>
  ((await client.call('listTopUps')).body as { items: Payment[] }).items.map(({ state }) => state);

it('limits unpaid orders to a third of the stock, and one per team', async () => {
  const product = await s.offer({ stock: 7 });
  const idle = await Promise.all([s.team(0), s.team(0), s.team(0)]);
  expect((await byTransfer(idle[0]!.client, product)).status).toBe(201);
  expect(code(await byTransfer(idle[0]!.client, product))).toEqual([409, 'ERR-00-015']);
  expect((await byTransfer(idle[1]!.client, product)).status).toBe(201);
  const refused = await byTransfer(idle[2]!.client, product);
  expect(code(refused)).toEqual([409, 'ERR-00-015']);
  expect((refused.body as Problem & { suggestions: string[] }).suggestions[0]).toContain('Add funds first');
  const payer = await s.team(100 * DOLLAR);
  for (let count = 0; count < 5; count++) await s.ordered(payer.client, product);
  expect(code(await s.order(payer.client, product))).toEqual([409, 'ERR-04-012']);
});

it('cancels the payment with the order, and doesn’t let repeated orders hold a place', async () => {
  const product = await s.offer({ stock: 1 });
  const team = await s.team(0);
  for (let count = 0; count < 3; count++) {
    const order = await s.ordered(team.client, product, { pay_with: 'manual' });
    expect((await cancel(team.client, order)).status).toBe(200);
  }
  expect(await payments(team.client)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(code(await byTransfer(team.client, product))).toEqual([409, 'ERR-00-015']);
  // With funds, the team may.
  await s.books.topUp(team.team_id, 20 * DOLLAR);
  expect((await s.order(team.client, product)).status).toBe(201);
});

it('refuses orders from a team whose usage exceeds its balance, even before the hour is posted', async () => {
  const team = await s.team(0);
  const product = await s.offer();
  await s.books.cvm(team.team_id, [['running', new Date(Date.now() - 5 * 3_600_000).toISOString()]]);
  expect(await team.posted()).toBe(0);
  for (const pay_with of ['balance', 'manual']) {
    const refused = await s.order(team.client, product, { pay_with });
    expect(code(refused)).toEqual([402, 'ERR-04-001']);
    expect((refused.body as Problem).message).toContain('A payment is due');
    expect(refused.body).toMatchObject({
      details: [{ field: 'missing', value: expect.stringMatching(/^0\.\d*[1-9]\d*$|^[1-9]\d*\./) as string }],
      suggestions: [expect.stringMatching(/^Settle the \$\d+\.\d\d due first\.$/)],
    });
  }
  expect(await payments(team.client)).toEqual([]);
});

it('keeps a payment once money has arrived for it', async () => {
  const team = await s.team(0);
  const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  const found = await s.admin.call('listAdminPayments', {
    query: { filter: JSON.stringify({ q: order.payment?.id }) },
  });
  const [{ id } = { id: 0 }] = found.body as { id: number }[];
  await s.admin.call('confirmAdminPayment', {
    path: { id },
    body: { amount: '5', bank_reference: 'unpaid-order' },
    headers: once(),
  });
  expect((await cancel(team.client, order)).status).toBe(200);
  expect(await payments(team.client)).toEqual(['part_paid']);
  expect(await team.posted()).toBe(5 * DOLLAR);
});
