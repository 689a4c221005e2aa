import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminPayment, Order, PaymentPage } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { openDebt } from '../../../db/billing/debts';
import { withTransaction } from '../../../db/core/client';
import { once, startOrderServer, type OrderServer } from './testing/orderTeams';

/* Payments for what the balance doesn't cover: in full and in time, they pay for the order. */

const DOLLAR = 1_000_000;
let s: OrderServer;
beforeAll(async () => void (s = await startOrderServer()));
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;

/** Confirms an order's transfer in full. */
async function pay({ id, payment }: Order): Promise<void> {
  const found = await s.admin.call('listAdminPayments', {
    query: { filter: JSON.stringify({ q: payment?.id }) },
  });
  const [row] = found.body as AdminPayment[];
  const { status, body } = await s.admin.call('confirmAdminPayment', {
    path: { id: row?.id ?? 0 },
    body: { amount: row?.amount ?? '0', bank_reference: `bank-${id}` },
    headers: once(),
  });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Makes a CVM have run for hours before now. */
async function hasRun(cvm_id: number, hours: number): Promise<void> {
  await sql`update cvm_state_changes set at = at - make_interval(hours => ${hours}::int) where cvm_id = ${cvm_id}`.execute(
    db(),
  );
  await sql`update usage_meters set billed_from = billed_from - make_interval(hours => ${hours}::int),
    closed_until = closed_until - make_interval(hours => ${hours}::int) where cvm_id = ${cvm_id}`.execute(
    db(),
  );
}

it('includes what CVMs use of the balance until the transfer may arrive', async () => {
  const team = await s.team(12 * DOLLAR);
  const cvm = await team.cvm();
  await hasRun(cvm.id, 1);
  const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  // $8.058 is missing, and five days of $0.058 an hour cost $6.96.
  expect(Number(order.payment?.amount)).toBeGreaterThanOrEqual(15.02);
  expect(Number(order.payment?.amount)).toBeLessThan(15.1);
  await hasRun(cvm.id, 100);
  await pay(order);
  await s.tick();
  expect(await team.orders()).toMatchObject([{ state: 'active', charged: '20.00' }]);
});

it('includes what other unpaid orders need of the balance', async () => {
  const team = await s.team(10 * DOLLAR);
  const first = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  const second = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  expect([first.payment?.amount, second.payment?.amount]).toEqual(['10.00', '20.00']);
  await pay(first);
  await pay(second);
  await s.tick();
  expect(await team.orders()).toMatchObject([{ state: 'active' }, { state: 'active' }]);
  expect(await team.posted()).toBe(0);
});

const afterDeadline = ({ pay_until }: Order) => new Date(Date.parse(pay_until ?? '') + 1_000);

it('count if they arrived before the deadline, even if the job runs after it', async () => {
  const team = await s.team(12 * DOLLAR);
  const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  await pay(order);
  await s.tick(afterDeadline(order));
  expect(await team.orders()).toMatchObject([{ state: 'active', charged: '20.00' }]);
});

it('don’t pay for an order whose balance was spent otherwise, which is then canceled with that reason', async () => {
  const team = await s.team(12 * DOLLAR);
  const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  await pay(order);
  const { status } = await s.admin.call('createAdminAdjustment', {
    body: { team_id: team.team_id, amount: '-1', reason: 'Spent otherwise' },
    headers: once(),
  });
  expect(status).toBe(201);
  await s.tick();
  expect(await team.orders()).toMatchObject([{ state: 'pending', payment: { state: 'paid' } }]);
  await s.tick(afterDeadline(order));
  expect(await team.orders()).toMatchObject([
    { state: 'cancelled', reason: 'The balance did not cover it in time.' },
  ]);
  expect(await team.posted()).toBe(19 * DOLLAR);
});

it('don’t pay for an order of a team in debt, which is then canceled with that reason', async () => {
  const team = await s.team(12 * DOLLAR);
  const order = await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  await pay(order);
  await withTransaction(db(), (trx) =>
    openDebt(trx, team.team_id, new Date(), { grace: 3, keep: 30, pending: 14 }),
  );
  await s.tick(afterDeadline(order));
  expect(await team.orders()).toMatchObject([{ state: 'cancelled', reason: 'The team owed money.' }]);
});

it('are canceled if other money pays for the order first', async () => {
  const team = await s.team(12 * DOLLAR);
  await s.ordered(team.client, await s.offer(), { pay_with: 'manual' });
  await s.books.topUp(team.team_id, 8 * DOLLAR);
  await s.tick();
  expect(await team.orders()).toMatchObject([{ state: 'active', charged: '20.00' }]);
  const { items } = (await team.client.call('listTopUps')).body as PaymentPage;
  expect(items).toMatchObject([{ amount: '8.00', state: 'cancelled' }]);
});
