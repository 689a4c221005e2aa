import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminOrderProduct, Billing, Order } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { closePages } from '../../../jobs/billing/cardEvents';
import { watchOrders } from '../../../jobs/billing/watchOrders';
import { eventually, type TestClient } from '../../../testing/server';
import { once, sessionOf, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* Stripe pages for orders no longer available. */

let team: CardTeam;
let product: AdminOrderProduct;
beforeAll(async () => {
  team = await startCardTeam({ TEEHOUSE_ROLE: 'web' });
  const made = await team.admin.call('createAdminOrderProduct', {
    body: { name: 'A month', instance_type: 'tdx.small', period: 'month', price: '20.00', stock: 10 },
  });
  product = made.body as AdminOrderProduct;
});
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

/** Orders by card and opens the page without paying. */
async function orderByCard(client: TestClient) {
  const made = await client.call('createOrder', {
    headers: once(),
    body: {
      product_id: product.public_id,
      periods: 1,
      version: product.version,
      total: '20.00',
      pay_with: 'stripe',
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const order = made.body as Order;
  return { order, session: sessionOf(await team.open(order.payment!, client)) };
}
const tooLate = ({ order }: { order: Order }) => {
  const { db, log } = team.server.services;
  return watchOrders({ db, log, now: new Date(new Date(order.pay_until!).getTime() + 1000) });
};
const close = () => {
  const { db, cards, log } = team.server.services;
  return closePages({ db, cards: cards!, log });
};

it('are closed once an order misses its payment deadline, canceling the payment', async () => {
  const client = await team.server.register();
  const made = await orderByCard(client);
  await tooLate(made);
  const { body } = await client.call('getOrder', { path: { order_id: made.order.id } });
  expect(body).toMatchObject({ state: 'cancelled', reason: 'It was not paid in time.' });
  expect(await team.adminPayment(made.order.payment!)).toMatchObject({
    state: 'cancelled',
    received: '0.00',
  });
  await close();
  expect(team.stripe.account.get('checkout.session', made.session).status).toBe('expired');
  expect(() => team.stripe.account.complete(made.session)).toThrow();
});

it('stay if already paid: the money is the team’s', async () => {
  const client = await team.server.register();
  const made = await orderByCard(client);
  team.stripe.account.complete(made.session);
  await tooLate(made);
  await close();
  await eventually('it is credited', async () => {
    await team.handleEvents();
    return ((await client.call('getBilling')).body as Billing).prepaid === '20.00';
  });
});

it('are forgotten if Stripe has no such page, instead of being retried forever', async () => {
  const { db } = team.server.services;
  const client = await team.server.register();
  const made = await orderByCard(client);
  const stored = () =>
    db
      .updateTable('payments')
      .set({ checkout_session: 'cs_of_another_account' })
      .where('public_id', '=', made.order.payment!.id)
      .returning(['checkout_url', 'state'])
      .executeTakeFirstOrThrow();
  await tooLate(made);
  expect(await stored()).toMatchObject({ state: 'cancelled', checkout_url: expect.any(String) as string });
  // An unreachable Stripe is retried.
  team.stripe.fail(9, 'before', /sessions/);
  await close();
  expect((await stored()).checkout_url).not.toBeNull();
  team.stripe.fail(0, 'before', /sessions/);
  await close();
  expect(await stored()).toMatchObject({ state: 'cancelled', checkout_url: null });
});

it('are also closed if opened during cancellation', async () => {
  const { db } = team.server.services;
  const client = await team.server.register();
  const made = await client.call('createTopUp', {
    body: { amount: '30', driver: 'stripe' },
    headers: once(),
  });
  const payment = made.body as { id: string; reference: string; amount: string };
  const before = new Set(team.stripe.account.list('checkout.session').map(({ id }) => id));
  // The request waits for the team lock, as it would for a concurrent cancellation.
  const { opening } = await db.transaction().execute(async (trx) => {
    const { team_id } = await trx
      .selectFrom('payments')
      .select('team_id')
      .where('public_id', '=', payment.id)
      .executeTakeFirstOrThrow();
    await trx.selectFrom('teams').select('id').where('id', '=', team_id).forNoKeyUpdate().execute();
    const opening = client.call('openCheckout', { path: { payment_id: payment.id } });
    await eventually('Stripe has the page', async () =>
      team.stripe.account.list('checkout.session').some(({ id }) => !before.has(id)),
    );
    await trx
      .updateTable('payments')
      .set({ state: 'cancelled' })
      .where('public_id', '=', payment.id)
      .execute();
    return { opening };
  });
  expect((await opening).status).toBe(409);
  const session = team.stripe.account.list('checkout.session').find(({ id }) => !before.has(id))!;
  expect(session.status).toBe('open');
  await close();
  expect(team.stripe.account.get('checkout.session', session.id).status).toBe('expired');
});
