import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment, TransactionPage } from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import type { LocalStripe } from '../../tools/localStripe/server';
import { eventually, type TestClient } from '../../testing/server';
import { once, startCardTeam, type CardTeam } from './testing/cardTeam';

let team: CardTeam;
let stripe: LocalStripe;
let admin: TestClient;
let owner: TestClient;

beforeAll(async () => {
  team = await startCardTeam();
  ({ stripe, admin, owner } = team);
});
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

const start = (amount: string) => team.start(amount);
const paid = (amount: string) => team.paid(amount);
const prepaid = () => team.prepaid();
const paymentNow = (payment: Payment) => team.paymentNow(payment);
const adminPayment = (payment: Payment) => team.adminPayment(payment);
const settled = () => team.settled();
/** Stripe's charge of a payment that was made. */
function chargeOf({ id }: Payment): string {
  const intent = stripe.account.list('payment_intent').find((one) => one.metadata.teehouse_payment === id);
  return intent?.latest_charge ?? '';
}

describe('a refund', () => {
  it('is made by an administrator, once, from what is left', async () => {
    const payment = await paid('40');
    const { id } = await adminPayment(payment);
    const before = await prepaid();
    const headers = once();
    const body = { amount: '15.50', reason: 'Paid twice' };
    expect((await admin.call('refundAdminPayment', { path: { id }, body })).status).toBe(400);
    // Stripe's reply is lost: the client repeats the request.
    stripe.fail(3, 'after', /^POST .*refunds$/);
    expect((await admin.call('refundAdminPayment', { path: { id }, body, headers })).status).toBe(502);
    const again = await admin.call('refundAdminPayment', { path: { id }, body, headers });
    expect(again).toMatchObject({ status: 200, body: { returned: '15.50', state: 'paid' } });
    await settled();
    expect((await prepaid()) - before).toBe(-15.5);
    expect(await paymentNow(payment)).toMatchObject({ returned: '15.50' });
    const more = { amount: '24.51', reason: 'More than is left' };
    expect(
      (await admin.call('refundAdminPayment', { path: { id }, body: more, headers: once() })).status,
    ).toBe(422);
    expect((await owner.call('refundAdminPayment', { path: { id }, body, headers: once() })).status).toBe(
      403,
    );
  });

  it('33: made at Stripe, in two parts that are reported again, counts twice', async () => {
    const payment = await paid('50');
    const before = await prepaid();
    const charge = chargeOf(payment);
    stripe.webhooks.hold();
    stripe.account.refund(charge, 1_000, {});
    stripe.account.refund(charge, 500, {});
    await stripe.webhooks.release({ reverse: true, times: 3 });
    await settled();
    expect((await prepaid()) - before).toBe(-15);
    expect(await paymentNow(payment)).toMatchObject({ returned: '15.00', state: 'paid' });
  });

  it('that the bank sends back returns to the balance, once', async () => {
    const payment = await paid('60');
    const before = await prepaid();
    const { id } = stripe.account.refund(chargeOf(payment), 2_000, {});
    await eventually('it is booked', async () => (await prepaid()) - before === -20);
    stripe.account.failRefund(id);
    await eventually('it is back', async () => (await prepaid()) === before);
    expect(await paymentNow(payment)).toMatchObject({ returned: '0.00' });
  });

  it('of a bank transfer, or of a payment without money, is refused', async () => {
    const transfer = await owner.call('createTopUp', { body: { amount: '5' }, headers: once() });
    const waiting = await start('5');
    for (const payment of [transfer.body as Payment, waiting]) {
      const { id } = await adminPayment(payment);
      const body = { amount: '5', reason: 'No' };
      expect((await admin.call('refundAdminPayment', { path: { id }, body, headers: once() })).status).toBe(
        409,
      );
      await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
    }
  });
});

describe('a dispute', () => {
  it('34: takes the money, gives it back when it is won, and an inquiry does neither', async () => {
    const payment = await paid('70');
    const before = await prepaid();
    stripe.webhooks.hold();
    stripe.account.dispute(chargeOf(payment), { inquiry: true });
    await stripe.webhooks.release();
    await settled();
    expect(await prepaid()).toBe(before);
    stripe.webhooks.hold();
    const { id } = stripe.account.dispute(chargeOf(payment));
    await stripe.webhooks.release({ reverse: true, times: 2 });
    await settled();
    expect((await prepaid()) - before).toBe(-70);
    expect(await paymentNow(payment)).toMatchObject({ returned: '70.00' });
    stripe.account.winDispute(id);
    await eventually('it is back', async () => (await prepaid()) === before);
    expect(await paymentNow(payment)).toMatchObject({ returned: '0.00' });
    const { body } = await owner.call('listTransactions', { query: { limit: 2 } });
    expect((body as TransactionPage).items.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['dispute_reversal', '70.00'],
      ['dispute', '-70.00'],
    ]);
  });
});
