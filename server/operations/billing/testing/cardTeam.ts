import { expect } from 'vitest';
import type { AdminPayment, Billing, Checkout, Payment } from '../../../../generated/api/types.gen';
import { handleCardEvents } from '../../../jobs/billing/cardEvents';
import { STRIPE_VERSION } from '../../../drivers/payments/stripe';
import { startLocalStripe, type LocalStripe } from '../../../tools/localStripe/server';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../../testing/server';

const KEY = 'sk_test_local';
const SECRET = 'whsec_local';

/** A server with a local Stripe, a platform administrator and a team that pays by card. */
export interface CardTeam {
  stripe: LocalStripe;
  server: TestServer;
  admin: TestClient;
  owner: TestClient;
  /** Starts a card payment. */
  start(amount: string): Promise<Payment>;
  open(payment: Payment, client?: TestClient): Promise<{ status: number; body: unknown }>;
  /** Starts and completes a payment, and waits until it is credited. */
  paid(amount: string): Promise<Payment>;
  paymentNow(payment: Payment): Promise<Payment>;
  adminPayment(payment: Payment): Promise<AdminPayment>;
  until(payment: Payment, state: Payment['state']): Promise<unknown>;
  /** Waits until every event has been handled. */
  settled(): Promise<unknown>;
  prepaid(): Promise<number>;
  /** Handles due events, for servers without a worker. */
  handleEvents(): Promise<void>;
  stop(): Promise<void>;
}

let keys = 0;
export const once = () => ({ 'idempotency-key': `card-${++keys}` });
/** Returns the session of an opened page. */
export const sessionOf = (answer: { body: unknown }) => (answer.body as Checkout).url.split('/').at(-1) ?? '';

export async function startCardTeam(env: Record<string, string> = {}): Promise<CardTeam> {
  const stripe = await startLocalStripe({ key: KEY, version: STRIPE_VERSION, webhook_secret: SECRET });
  const server = await startTestServer({
    env: {
      STRIPE_SECRET_KEY: KEY,
      // The next and the current secret, as during rotation.
      STRIPE_WEBHOOK_SECRET: `whsec_next,${SECRET}`,
      STRIPE_URL: stripe.url,
      ...env,
    },
  });
  stripe.webhooks.options.url = `${server.address}/webhooks/stripe`;
  const admin = await server.register();
  const owner = await server.register();

  async function start(amount: string): Promise<Payment> {
    const { status, body } = await owner.call('createTopUp', {
      body: { amount, driver: 'stripe' },
      headers: once(),
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body as Payment;
  }
  const open = (payment: Payment, client = owner) =>
    client.call('openCheckout', { path: { payment_id: payment.id } });
  async function paymentNow({ id }: Payment): Promise<Payment> {
    const { body } = await owner.call('listTopUps', { query: { limit: 100 } });
    const found = (body as { items: Payment[] }).items.find((one) => one.id === id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  }
  async function handleEvents(): Promise<void> {
    const { db, cards, log } = server.services;
    if (!cards) throw new Error('the server takes no cards');
    await handleCardEvents({ db, cards, log });
  }
  const hasWorker = env.TEEHOUSE_ROLE !== 'web';
  const until = (payment: Payment, state: Payment['state']) =>
    eventually(`the payment is ${state}`, async () => {
      if (!hasWorker) await handleEvents();
      return (await paymentNow(payment)).state === state;
    });
  return {
    stripe,
    server,
    admin,
    owner,
    start,
    open,
    paymentNow,
    until,
    async paid(amount) {
      const payment = await start(amount);
      stripe.account.complete(sessionOf(await open(payment)));
      await until(payment, 'paid');
      return payment;
    },
    async adminPayment({ id }) {
      const { body } = await admin.call('listAdminPayments', {
        query: { filter: JSON.stringify({ q: id }) },
      });
      const [found] = body as AdminPayment[];
      if (!found) throw new Error(`no payment ${id}`);
      return found;
    },
    settled: () =>
      eventually('no event waits', async () => {
        if (!stripe.webhooks.idle()) return false;
        if (!hasWorker) await handleEvents();
        const waiting = await server.services.db
          .selectFrom('stripe_events')
          .select('id')
          .where('state', '=', 'pending')
          .executeTakeFirst();
        return waiting === undefined;
      }),
    prepaid: async () => Number(((await owner.call('getBilling')).body as Billing).prepaid),
    handleEvents,
    async stop() {
      await server.stop();
      await stripe.stop();
    },
  };
}
