import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreditList, Payment, TransactionPage } from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { resumeRefunds } from '../../jobs/billing/resumeRefunds';
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
/** Returns Stripe's charge for a completed payment. */
function chargeOf({ id }: Payment): string {
  const intent = stripe.account.list('payment_intent').find((one) => one.metadata.teehouse_payment === id);
  return intent?.latest_charge ?? '';
}

describe('a refund', () => {
  it('is made by an administrator, once, up to the remainder', async () => {
    const payment = await paid('40');
    const { id } = await adminPayment(payment);
    const before = await prepaid();
    const headers = once();
    const body = { amount: '15.50', reason: 'Paid twice' };
    expect((await admin.call('refundAdminPayment', { path: { id }, body })).status).toBe(400);
    // Stripe's reply is lost: the client repeats the request.
    stripe.fail(3, 'after', /^POST .*refunds$/);
    expect((await admin.call('refundAdminPayment', { path: { id }, body, headers })).status).toBe(502);
    const other = { ...body, amount: '5.50' };
    expect(await admin.call('refundAdminPayment', { path: { id }, body: other, headers })).toMatchObject({
      status: 409,
      body: { code: 'ERR-00-011' },
    });
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

  it('reserves its amount until settled, and the job completes an interrupted one', async () => {
    const { db, cards, log } = team.server.services;
    const payment = await paid('20');
    const { id } = await adminPayment(payment);
    const refund = (amount: string) =>
      admin.call('refundAdminPayment', { path: { id }, body: { amount, reason: 'Unused' }, headers: once() });
    const before = await prepaid();
    stripe.webhooks.hold();
    stripe.fail(3, 'before', /^POST .*refunds$/);
    expect((await refund('12')).status).toBe(502);
    expect(await prepaid()).toBe(before);
    // Of $20, $12 are being refunded.
    expect((await Promise.all([refund('8'), refund('8')])).map(({ status }) => status).sort()).toEqual([
      200, 422,
    ]);
    await resumeRefunds({ db, cards: cards!, log }, new Date(Date.now() + 120_000));
    expect((await prepaid()) - before).toBe(-20);
    await stripe.webhooks.release();
    await settled();
    expect(await paymentNow(payment)).toMatchObject({ returned: '20.00' });
    expect((await prepaid()) - before).toBe(-20);
    expect(
      (await db.selectFrom('card_refunds').select('state').where('state', '<>', 'done').execute()).length,
    ).toBe(0);
  });

  it('check 33: made at Stripe in two parts counts as two, even if reported again', async () => {
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

  it('that the bank returns goes back to the balance, once', async () => {
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

describe('a bonus', () => {
  it('is reversed in proportion to the payment that earned it, and restored with it', async () => {
    const code = { code: 'CARD10', percent: 10, cap: '100' };
    expect((await admin.call('createAdminPromotionCode', { body: code })).status).toBe(201);
    const redeemed = await owner.call('redeemPromotionCode', { body: { code: 'CARD10' }, headers: once() });
    expect(redeemed.status).toBe(201);
    const payment = await paid('80');
    const bonus = async () => ((await owner.call('listCredits')).body as CreditList).items[0];
    expect(await bonus()).toMatchObject({ amount: '8.00', remaining: '8.00', reason: 'Code CARD10' });
    const refund = stripe.account.refund(chargeOf(payment), 2_000, {});
    await eventually('a quarter is taken back', async () => (await bonus())?.remaining === '6.00');
    expect((await bonus())?.reason).toBe(
      `Code CARD10. Reversed: $2.00, because ${payment.reference} was returned`,
    );
    stripe.account.failRefund(refund.id);
    await eventually('it is given back', async () => (await bonus())?.remaining === '8.00');
    stripe.account.dispute(chargeOf(payment));
    await eventually('all of it is taken back', async () => (await bonus())?.remaining === '0.00');
    const { body } = await owner.call('listTransactions', { query: { kind: ['credit_revocation'] } });
    expect((body as TransactionPage).items.map(({ amount }) => amount)).toEqual(['-8.00', '-2.00']);
  });
});

describe('a dispute', () => {
  it('check 34: deducts the money and returns it when won; an inquiry does neither', async () => {
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
