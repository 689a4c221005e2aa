import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminUserBilling, Billing, Payment, TransactionPage } from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { withTransaction } from '../../db/core/client';
import { STRIPE_VERSION } from '../../drivers/payments/stripe';
import { handleCardEvents } from '../../jobs/billing/cardEvents';
import type { StripeEvent } from '../../tools/localStripe/objects';
import type { LocalStripe } from '../../tools/localStripe/server';
import { identityOf } from '../../testing/cvmFixtures';
import { eventually, type TestClient, type TestServer } from '../../testing/server';
import { once, sessionOf, startCardTeam, type CardTeam } from './testing/cardTeam';

let team: CardTeam;
let stripe: LocalStripe;
let server: TestServer;
let admin: TestClient;
let owner: TestClient;

beforeAll(async () => {
  team = await startCardTeam();
  ({ stripe, server, admin, owner } = team);
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await team.stop();
});

const start = (amount: string) => team.start(amount);
const open = (payment: Payment, client?: TestClient) => team.open(payment, client);
const prepaid = () => team.prepaid();
const paymentNow = (payment: Payment) => team.paymentNow(payment);
const until = (payment: Payment, state: Payment['state']) => team.until(payment, state);
const settled = () => team.settled();
const topUps = async () =>
  ((await owner.call('listTransactions', { query: { kind: 'top_up', limit: 100 } })).body as TransactionPage)
    .items;

/** Pending payments as finance sees them. */
async function waitingPayments(): Promise<number | undefined> {
  const { user_id: id } = await identityOf(server.services.db, owner.email!);
  const { body } = await admin.call('getAdminUserBilling', { path: { id } });
  return (body as AdminUserBilling).teams[0]?.waiting_payments;
}

describe('a card payment', () => {
  it('is made on Stripe’s page and credited once', async () => {
    const before = await prepaid();
    expect(((await owner.call('getBilling')).body as Billing).card_payments).toBe(true);
    const payment = await start('25.50');
    expect(payment).toMatchObject({ driver: 'stripe', state: 'pending', amount: '25.50', received: '0.00' });
    const page = await open(payment);
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    // Concurrent requests get the same page.
    expect((await Promise.all([open(payment), open(payment)])).map(({ body }) => body)).toEqual([
      page.body,
      page.body,
    ]);
    stripe.account.complete(sessionOf(page));
    await until(payment, 'paid');
    expect(await paymentNow(payment)).toMatchObject({ received: '25.50' });
    expect((await prepaid()) - before).toBe(25.5);
    expect((await topUps())[0]).toMatchObject({
      description: `Card payment ${payment.reference}`,
      amount: '25.50',
    });
  });

  it('stays pending while cards are declined, and can be paid with another', async () => {
    const payment = await start('10');
    const page = await open(payment);
    expect(() => stripe.account.complete(sessionOf(page), '0341')).toThrow('declined');
    await eventually('the payer reads why', async () => (await paymentNow(payment)).reason !== null);
    const declined = { state: 'pending', waits_for_payer: true, reason: 'Your card was declined.' };
    expect(await paymentNow(payment)).toMatchObject(declined);
    // Finance sees nothing pending.
    expect((await team.adminPayment(payment)).state).toBe('declined');
    expect(await waitingPayments()).toBe(0);
    stripe.account.complete(sessionOf(page));
    await until(payment, 'paid');
    expect(await paymentNow(payment)).toMatchObject({ reason: null });
  });

  it('returns the payer to a page showing the outcome', async () => {
    const payment = await start('10');
    const { success_url, cancel_url } = stripe.account.get(
      'checkout.session',
      sessionOf(await open(payment)),
    );
    for (const [url, checkout] of [
      [success_url, 'done'],
      [cancel_url, 'left'],
    ] as const) {
      const { pathname, searchParams } = new URL(url ?? '');
      expect([pathname, searchParams.get('payment'), searchParams.get('checkout')]).toEqual([
        '/setup-billing',
        payment.id,
        checkout,
      ]);
      expect(searchParams.get('team')).toBeTruthy();
    }
    // An abandoned page counts as little as a declined card.
    expect((await team.adminPayment(payment)).state).toBe('unfinished');
    expect(await waitingPayments()).toBe(0);
    expect((await owner.call('cancelTopUp', { path: { payment_id: payment.id } })).body).toMatchObject({
      state: 'cancelled',
      reason: null,
    });
  });

  it('check 29: counts once however often and in whatever order its events arrive', async () => {
    const before = await topUps();
    stripe.webhooks.hold();
    const payment = await start('7');
    stripe.account.complete(sessionOf(await open(payment)));
    expect(stripe.webhooks.held.map(({ type }) => type)).toEqual([
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
    await stripe.webhooks.release({ reverse: true, times: 20 });
    await until(payment, 'paid');
    await settled();
    expect(await topUps()).toHaveLength(before.length + 1);
    const events = await server.services.db
      .selectFrom('stripe_events')
      .select('state')
      .where('type', '=', 'checkout.session.completed')
      .execute();
    expect(events.every(({ state }) => state === 'done')).toBe(true);
  });

  it('check 30: stays paid if an earlier failure is reported after its success', async () => {
    stripe.webhooks.hold();
    const payment = await start('8');
    const page = await open(payment);
    expect(() => stripe.account.complete(sessionOf(page), '0341')).toThrow('declined');
    stripe.account.complete(sessionOf(page));
    await stripe.webhooks.release({ reverse: true });
    await until(payment, 'paid');
    await settled();
    expect(await paymentNow(payment)).toMatchObject({ state: 'paid', received: '8.00' });
  });

  it('check 32: credits what arrived, not what was requested, and flags the difference', async () => {
    const differs = async ({ id }: Payment) =>
      (
        await server.services.db
          .selectFrom('audit_log')
          .select('after')
          .where('action', '=', 'payment.receive')
          .where('target_id', '=', id)
          .execute()
      ).map(({ after }) => after);
    for (const [cents, state, received] of [
      [2_000, 'part_paid', '20.00'],
      [3_100, 'paid', '31.00'],
      [3_000, 'paid', '30.00'],
    ] as const) {
      const before = await prepaid();
      const payment = await start('30');
      stripe.account.complete(sessionOf(await open(payment)), '4242', cents);
      await until(payment, state);
      expect(await paymentNow(payment)).toMatchObject({ received, amount: '30.00' });
      expect((await prepaid()) - before).toBe(cents / 100);
      const flag = cents === 3_000 ? {} : { differs_from: '30.00' };
      expect(await differs(payment)).toEqual([{ state, received, returned: '0.00', ...flag }]);
    }
  });

  it('is credited even if canceled in the meantime', async () => {
    const payment = await start('9');
    const session = sessionOf(await open(payment));
    await server.services.db
      .updateTable('payments')
      .set({ state: 'cancelled' })
      .where('public_id', '=', payment.id)
      .execute();
    stripe.account.complete(session);
    await until(payment, 'paid');
  });

  it('closes its page when it is canceled, and ends when the page expires', async () => {
    const canceled = await start('11');
    const session = sessionOf(await open(canceled));
    const answer = await owner.call('cancelTopUp', { path: { payment_id: canceled.id } });
    expect(answer.body).toMatchObject({ state: 'cancelled' });
    expect(stripe.account.get('checkout.session', session).status).toBe('expired');
    const expired = await start('12');
    stripe.account.expire(sessionOf(await open(expired)));
    await until(expired, 'cancelled');
    expect((await paymentNow(expired)).reason).toBe('The payment page closed before anything was paid.');
    expect((await open(expired)).status).toBe(409);
  });

  it('is canceled even if Stripe’s expiry event comes first', async () => {
    const payment = await start('11');
    const session = sessionOf(await open(payment));
    stripe.webhooks.hold();
    const answer = await withTransaction(server.services.db, async (trx) => {
      await sql`select from teams where slug = ${owner.slug} for update`.execute(trx);
      const canceling = owner.call('cancelTopUp', { path: { payment_id: payment.id } });
      await eventually(
        'the page is closed',
        async () => stripe.account.get('checkout.session', session).status === 'expired',
      );
      await trx
        .updateTable('payments')
        .set({ state: 'cancelled' })
        .where('public_id', '=', payment.id)
        .execute();
      return { canceling };
    }).then(({ canceling }) => canceling);
    expect(answer).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    await stripe.webhooks.release();
  });

  it('cannot be canceled once paid', async () => {
    stripe.webhooks.hold();
    const payment = await start('13');
    stripe.account.complete(sessionOf(await open(payment)));
    expect((await owner.call('cancelTopUp', { path: { payment_id: payment.id } })).status).toBe(409);
    await stripe.webhooks.release();
    await until(payment, 'paid');
  });

  it('is not confirmed or rejected by hand', async () => {
    const payment = await start('14');
    const { id } = await team.adminPayment(payment);
    const confirmed = await admin.call('confirmAdminPayment', {
      path: { id },
      body: { amount: '14', bank_reference: 'x' },
      headers: once(),
    });
    const rejected = await admin.call('rejectAdminPayment', {
      path: { id },
      body: { reason: 'no' },
      headers: once(),
    });
    expect([confirmed.status, rejected.status]).toEqual([409, 409]);
    await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
  });

  it.each([
    ['10000.01', 'by card, too much'],
    ['0.99', 'too little'],
  ])('of $%s is refused: %s', async (amount) => {
    const { status } = await owner.call('createTopUp', {
      body: { amount, driver: 'stripe' },
      headers: once(),
    });
    expect(status).toBe(422);
  });

  it('of another team is not found, and a bank transfer has no page', async () => {
    const payment = await start('15');
    expect((await open(payment, admin)).status).toBe(404);
    await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
    const transfer = await owner.call('createTopUp', { body: { amount: '15' }, headers: once() });
    expect((await open(transfer.body as Payment)).status).toBe(409);
    await owner.call('cancelTopUp', { path: { payment_id: (transfer.body as Payment).id } });
  });
});

describe('a Stripe failure', () => {
  it('is retried, with one effect', async () => {
    const payment = await start('16');
    const before = stripe.account.list('checkout.session').length;
    stripe.fail(1, 'after', /^POST .*sessions$/);
    const page = await open(payment);
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    expect(stripe.account.list('checkout.session')).toHaveLength(before + 1);
    stripe.account.complete(sessionOf(page));
    await until(payment, 'paid');
  });

  it('returns 502 during an outage, and the payment can be retried', async () => {
    const payment = await start('17');
    stripe.fail(9, 'before', /^POST .*sessions$/);
    expect(await open(payment)).toMatchObject({ status: 502, body: { code: 'ERR-04-010' } });
    stripe.fail(0, 'before');
    expect((await open(payment)).status).toBe(200);
    await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
  });

  it('leads to a later retry of an unhandled event', async () => {
    stripe.webhooks.hold();
    const payment = await start('18');
    stripe.account.complete(sessionOf(await open(payment)));
    stripe.fail(4, 'before');
    await stripe.webhooks.release();
    await until(payment, 'paid');
  });
});

describe('an event', () => {
  const stored = async (id: string) =>
    server.services.db.selectFrom('stripe_events').selectAll().where('id', '=', id).executeTakeFirst();
  const event = (id: string, type = 'payment_intent.succeeded', object_id = 'pi_unknown'): StripeEvent => ({
    id,
    object: 'event',
    created: 1,
    livemode: false,
    api_version: STRIPE_VERSION,
    type,
    data: { object: { id: object_id } as never },
  });

  it('check 31: counts only with a valid signature over its exact bytes', async () => {
    const one = event('evt_forged');
    const text = JSON.stringify(one, null, 2);
    const old = Math.floor(Date.now() / 1000) - 301;
    expect([
      await stripe.webhooks.send(one, { signature: 't=1,v1=00' }),
      await stripe.webhooks.send(one, { signature: '' }),
      await stripe.webhooks.send(one, { signature: stripe.webhooks.sign(text, old) }),
      // The same event, serialized differently.
      await stripe.webhooks.send(one, { body: JSON.stringify(one) }),
    ]).toEqual([400, 400, 400, 400]);
    expect(await stored('evt_forged')).toBeUndefined();
    expect(await stripe.webhooks.send(one)).toBe(200);
    expect(await stored('evt_forged')).toMatchObject({ object_id: 'pi_unknown' });
    await server.services.db.deleteFrom('stripe_events').where('id', '=', 'evt_forged').execute();
  });

  it('with a valid signature is acknowledged and never rate limited', async () => {
    const balance = { ...event('evt_balance', 'balance.available'), data: { object: { object: 'balance' } } };
    const signed = (body: object) => stripe.webhooks.send(body as StripeEvent);
    expect(await signed(balance)).toBe(200);
    const { id: _, ...nameless } = balance;
    for (let i = 0; i < 61; i++) expect(await signed(nameless)).toBe(400);
    expect(await signed(balance)).toBe(200);
    expect(await stored('evt_balance')).toBeUndefined();
  });

  it('about something else is ignored', async () => {
    expect(await stripe.webhooks.send(event('evt_other', 'customer.updated', 'cus_1'))).toBe(200);
    await eventually('it is handled', async () => (await stored('evt_other'))?.state === 'ignored');
  });

  it('check 30: about a payment not yet known waits for it, and then counts once', async () => {
    const { cards, db, log } = server.services;
    const succeeded = (payment_id: string) =>
      stripe.account.add('payment_intent', {
        amount: 100,
        amount_received: 100,
        currency: 'usd',
        status: 'succeeded',
        customer: null,
        payment_method: null,
        latest_charge: null,
        setup_future_usage: null,
        description: null,
        last_payment_error: null,
        metadata: { teehouse_payment: payment_id },
      });
    const early = succeeded('pay_early');
    const before = await topUps();
    const deliver = (id: string, { id: object_id }: { id: string }) =>
      stripe.webhooks.send(event(id, 'payment_intent.succeeded', object_id));
    await deliver('evt_early', early);
    await deliver('evt_never', succeeded('pay_unknown'));
    for (const id of ['evt_early', 'evt_never'])
      await eventually('it was tried', async () => ((await stored(id))?.tries ?? 0) > 0);
    expect(await stored('evt_never')).toMatchObject({
      state: 'pending',
      error: expect.stringContaining('pay_unknown'),
    });
    const { team_id } = await identityOf(db, owner.email!);
    await db
      .insertInto('payments')
      .values({
        public_id: 'pay_early',
        team_id,
        driver: 'stripe',
        amount_micros: 1_000_000,
        reference: 'TH-EARLY222',
        reason: null,
        created_by: null,
      })
      .execute();
    await deliver('evt_early_2', early);
    await db.updateTable('stripe_events').set({ due_at: new Date() }).where('id', '=', 'evt_early').execute();
    for (const id of ['evt_early', 'evt_early_2'])
      await eventually('it is handled', async () => (await stored(id))?.state === 'done');
    expect(await topUps()).toHaveLength(before.length + 1);
    // It is dropped after three days.
    await db
      .updateTable('stripe_events')
      .set({ due_at: new Date(), received_at: new Date(Date.now() - 4 * 86_400_000) })
      .where('id', '=', 'evt_never')
      .execute();
    await handleCardEvents({ db, cards: cards!, log });
    expect((await stored('evt_never'))?.state).toBe('failed');
  });
});
