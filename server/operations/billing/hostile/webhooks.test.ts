import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { STRIPE_VERSION } from '../../../drivers/payments/stripe';
import type { StripeEvent } from '../../../tools/localStripe/objects';
import type { LocalStripe } from '../../../tools/localStripe/server';
import { eventually, type TestServer } from '../../../testing/server';
import { once, sessionOf, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* Limits on events that Stripe signed or another account sent. */

let team: CardTeam;
let stripe: LocalStripe;
let server: TestServer;

beforeAll(async () => {
  team = await startCardTeam();
  ({ stripe, server } = team);
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await team.stop();
});

let count = 0;
const event = (type: string, object: Record<string, unknown>, more: object = {}): StripeEvent =>
  ({
    id: `evt_hostile_${++count}`,
    object: 'event',
    created: 1,
    livemode: false,
    api_version: STRIPE_VERSION,
    type,
    data: { object },
    ...more,
  }) as unknown as StripeEvent;
const stored = ({ id }: StripeEvent) =>
  server.services.db.selectFrom('stripe_events').selectAll().where('id', '=', id).executeTakeFirst();
/** Sends an event and waits until it was handled or attempted. */
async function outcome(one: StripeEvent) {
  expect(await stripe.webhooks.send(one)).toBe(200);
  const row = await eventually('it was tried', async () => {
    const found = await stored(one);
    return found && (found.state !== 'pending' || found.tries > 0) ? found : null;
  });
  return { state: row.state, error: row.error };
}
const intent = (payment_id: string | null, change: { currency?: string; amount_received?: number } = {}) =>
  stripe.account.add('payment_intent', {
    amount: 10_000,
    amount_received: 10_000,
    currency: 'usd',
    status: 'succeeded',
    customer: null,
    payment_method: null,
    latest_charge: null,
    setup_future_usage: null,
    description: null,
    last_payment_error: null,
    metadata: payment_id === null ? {} : { teehouse_payment: payment_id },
    ...change,
  });
const chargeOf = (payment: Payment) =>
  stripe.account.list('payment_intent').find((one) => one.metadata.teehouse_payment === payment.id)!
    .latest_charge!;
const topUps = async () =>
  (
    await server.services.db
      .selectFrom('ledger_transactions')
      .select('id')
      .where('kind', '=', 'top_up')
      .execute()
  ).length;

it('in another currency credits nothing, and is ignored if it names no payment', async () => {
  const payment = await team.start('100');
  const [before, prepaid] = [await topUps(), await team.prepaid()];
  const ours = await outcome(
    event('payment_intent.succeeded', intent(payment.id, { currency: 'jpy' }) as never),
  );
  expect(ours).toMatchObject({ state: 'failed', error: expect.stringContaining('in jpy') });
  const others = await outcome(event('payment_intent.succeeded', intent(null, { currency: 'eur' }) as never));
  expect(others.state).toBe('ignored');
  expect([await topUps(), await team.prepaid()]).toEqual([before, prepaid]);
  expect(await team.paymentNow(payment)).toMatchObject({ state: 'pending', received: '0.00' });
  await team.owner.call('cancelTopUp', { path: { payment_id: payment.id } });
});

it('of a connected account, or about an object unknown to this account, credits nothing', async () => {
  const payment = await team.start('100');
  const before = await topUps();
  const connected = event('payment_intent.succeeded', intent(payment.id) as never, { account: 'acct_other' });
  expect(await stripe.webhooks.send(connected)).toBe(200);
  expect(await stored(connected)).toBeUndefined();
  const lacking = await outcome(
    event('payment_intent.succeeded', {
      id: 'pi_of_another_account',
      amount_received: 10_000,
      status: 'succeeded',
      metadata: { teehouse_payment: payment.id },
    }),
  );
  expect(lacking).toMatchObject({ state: 'pending', error: expect.stringContaining('no such object') });
  expect(await topUps()).toBe(before);
  await server.services.db.deleteFrom('stripe_events').where('state', '=', 'pending').execute();
  await team.owner.call('cancelTopUp', { path: { payment_id: payment.id } });
});

it('trusts the object at Stripe, not the event’s copy', async () => {
  const payment = await team.start('20');
  const page = await team.open(payment);
  const session = stripe.account.get('checkout.session', sessionOf(page));
  const before = await topUps();
  const said = event('checkout.session.completed', {
    ...session,
    status: 'complete',
    payment_status: 'paid',
    amount_total: 1_000_000,
  });
  expect((await outcome(said)).state).toBe('done');
  expect(await topUps()).toBe(before);
  stripe.account.complete(session.id);
  await team.until(payment, 'paid');
  expect(await team.paymentNow(payment)).toMatchObject({ received: '20.00' });
});

it('credits no bank transfer, and credits two receipts for one payment separately', async () => {
  const { body } = await team.owner.call('createTopUp', { body: { amount: '100' }, headers: once() });
  const transfer = body as Payment;
  const before = await topUps();
  const named = await outcome(event('payment_intent.succeeded', intent(transfer.id) as never));
  expect(named).toMatchObject({ state: 'pending', error: expect.stringContaining('no card payment') });
  expect(await topUps()).toBe(before);
  await server.services.db.deleteFrom('stripe_events').where('state', '=', 'pending').execute();
  // Nor can a bank's number stand in for a card payment's.
  const { id } = await team.adminPayment(transfer);
  const confirmed = await team.admin.call('confirmAdminPayment', {
    path: { id },
    body: { amount: '100', bank_reference: ' pi_123 ' },
    headers: once(),
  });
  expect(confirmed.status).toBe(422);
  await team.owner.call('cancelTopUp', { path: { payment_id: transfer.id } });

  // The money is the team's, and each part can be refunded.
  const payment = await team.paid('30');
  const again = event('payment_intent.succeeded', intent(payment.id, { amount_received: 3_000 }) as never);
  expect((await outcome(again)).state).toBe('done');
  expect(await team.paymentNow(payment)).toMatchObject({ state: 'paid', received: '60.00' });
  stripe.account.refund(chargeOf(payment), 3_000, {});
  await eventually(
    'the first is refunded',
    async () => (await team.paymentNow(payment)).returned === '30.00',
  );
});

it('may report a refund or a dispute before the payment: each is booked once, after it', async () => {
  const before = await team.prepaid();
  stripe.webhooks.hold();
  const [refunded, disputed] = [await team.start('40'), await team.start('60')];
  for (const payment of [refunded, disputed]) stripe.account.complete(sessionOf(await team.open(payment)));
  stripe.account.refund(chargeOf(refunded), 1_500, {});
  stripe.account.winDispute(stripe.account.dispute(chargeOf(disputed)).id);
  await stripe.webhooks.release({ reverse: true, times: 2 });
  await team.until(refunded, 'paid');
  await team.until(disputed, 'paid');
  await server.services.db.updateTable('stripe_events').set({ due_at: new Date() }).execute();
  await team.settled();
  expect((await team.prepaid()) - before).toBe(85);
  expect(await team.paymentNow(refunded)).toMatchObject({ returned: '15.00' });
  expect(await team.paymentNow(disputed)).toMatchObject({ returned: '0.00' });
});

it('about an object of another kind changes nothing', async () => {
  const payment = await team.paid('10');
  const prepaid = await team.prepaid();
  const { id, latest_charge } = stripe.account
    .list('payment_intent')
    .find((one) => one.metadata.teehouse_payment === payment.id)!;
  for (const [type, object_id] of [
    ['charge.refunded', id],
    ['charge.dispute.funds_withdrawn', latest_charge],
    ['payment_method.detached', id],
    ['checkout.session.completed', latest_charge],
  ])
    expect((await outcome(event(type!, { id: object_id }))).state).not.toBe('done');
  expect(await team.prepaid()).toBe(prepaid);
  await server.services.db.deleteFrom('stripe_events').where('state', '=', 'pending').execute();
});

it('that isn’t JSON is refused, even with a valid signature', async () => {
  const one = event('plan.updated', { id: 'plan_1' });
  for (const body of ['{', 'null', '"evt_1"', '[]', 'id=evt_1', '{"object":"v2.core.event"}']) {
    const signature = stripe.webhooks.sign(body);
    expect([body, await stripe.webhooks.send(one, { body, signature })]).toEqual([body, 400]);
  }
});

it('with a valid signature is stored, regardless of other traffic from its address', async () => {
  const one = event('plan.updated', { id: 'plan_1' });
  const statuses = new Set<number>();
  for (let i = 0; i < 61; i++) statuses.add(await stripe.webhooks.send(one, { signature: 't=1,v1=00' }));
  expect([...statuses]).toEqual([400, 429]);
  expect(await stored(one)).toBeUndefined();
  expect(await stripe.webhooks.send(one)).toBe(200);
  expect(await stored(one)).toBeDefined();
});

it('with an unknown object ID is acknowledged, so that Stripe doesn’t retry it', async () => {
  for (const id of ['x'.repeat(300), 'gold plan', 'evt\u0000', '../customers/cus_1']) {
    const odd = event('plan.updated', { id });
    expect([id, await stripe.webhooks.send(odd)]).toEqual([id, 200]);
    expect(await stored(odd)).toBeUndefined();
  }
  const nul = { ...event('plan.updated', { id: 'plan_1' }), id: 'evt_\u0000' };
  expect(await stripe.webhooks.send(nul)).toBe(400);
});
