import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CardSettings, NotificationPage, Payment, PaymentPage } from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { runAutoTopUps } from '../../jobs/billing/autoTopUp';
import { checkWaitingPayments } from '../../jobs/billing/cardEvents';
import { eventually } from '../../testing/server';
import type { CardDigits } from '../../tools/localStripe/objects';
import { sessionOf, startCardTeam, type CardTeam } from './testing/cardTeam';

/* Outcomes of payments that are known only after the payer has left Stripe's page. */

let team: CardTeam;
beforeAll(async () => void (team = await startCardTeam({ TEEHOUSE_ROLE: 'web' })));
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

const MESSAGE = 'The customer’s account has insufficient funds to cover this payment.';

/** The payer agrees to a bank debit, which the bank executes days later. */
async function agreeToDebit(payment: Payment) {
  const { account } = team.stripe;
  const session = account.get('checkout.session', sessionOf(await team.open(payment)));
  const intent = account.add('payment_intent', {
    amount: session.amount_total ?? 0,
    amount_received: 0,
    currency: 'usd',
    status: 'processing',
    customer: session.customer,
    payment_method: null,
    latest_charge: null,
    last_payment_error: null,
    ...session.intent,
  });
  Object.assign(session, { status: 'complete', payment_intent: intent.id, url: null });
  account.emit('payment_intent.processing', intent);
  account.emit('checkout.session.completed', session);
  await team.settled();
  return { session, intent };
}

it('a bank debit that fails later ends its payment, which can’t be paid on its page anymore', async () => {
  const { account } = team.stripe;
  const payment = await team.start('25');
  const { session, intent } = await agreeToDebit(payment);
  expect(await team.paymentNow(payment)).toMatchObject({ state: 'pending', reason: null });
  Object.assign(intent, {
    status: 'requires_payment_method',
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_payment_attempt_failed',
      message: MESSAGE,
    },
  });
  account.emit('payment_intent.payment_failed', intent);
  account.emit('checkout.session.async_payment_failed', session);
  await team.until(payment, 'rejected');
  expect(await team.paymentNow(payment)).toMatchObject({
    state: 'rejected',
    reason: MESSAGE,
    received: '0.00',
  });
  const { data } = (await team.owner.call('listNotifications')).body as NotificationPage;
  expect(data).toContainEqual(
    expect.objectContaining({
      title: 'Payment rejected',
      message: expect.stringContaining(MESSAGE) as string,
    }),
  );
});

it('the same debit is found if its events were lost, and one that succeeds later is credited', async () => {
  const { db, cards, log } = team.server.services;
  const lost = await team.start('25');
  const failed = await agreeToDebit(lost);
  Object.assign(failed.intent, {
    status: 'requires_payment_method',
    last_payment_error: { type: 'invalid_request_error', message: MESSAGE },
  });
  const late = await team.start('30');
  const { intent } = await agreeToDebit(late);
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
  await db
    .updateTable('payments')
    .set({ updated_at: new Date(0) })
    .execute();
  await checkWaitingPayments({ db, cards: cards!, log });
  expect(await team.paymentNow(lost)).toMatchObject({ state: 'rejected', reason: MESSAGE });
  expect(await team.paymentNow(late)).toMatchObject({ state: 'paid', received: '30.00' });
});

it('an automatic payment that its payer confirms ends a series of declined ones', async () => {
  const { db, cards, log } = team.server.services;
  let hours = 0;
  const nextHour = () => {
    hours += 1;
    const now = new Date(Date.now() + hours * 3_601_000);
    return runAutoTopUps({ db, cards: cards!, log, now });
  };
  const settings = async () => (await team.owner.call('getCardSettings')).body as CardSettings;
  const latest = async () => ((await team.owner.call('listTopUps')).body as PaymentPage).items[0] as Payment;
  const saveCard = async (digits: CardDigits) => {
    team.stripe.account.complete(sessionOf(await team.owner.call('openCardSetup')), digits);
    await eventually('the card is saved', async () => {
      await team.handleEvents();
      return (await settings()).card?.last4 === digits;
    });
  };
  await saveCard('0341');
  const body = { enabled: true, amount: '100', threshold: '1000', consent: true };
  expect((await team.owner.call('setAutoTopUp', { body })).status).toBe(200);
  for (let declined = 0; declined < 2; declined++) {
    await nextHour();
    expect((await latest()).state).toBe('rejected');
  }
  await saveCard('3184');
  await nextHour();
  const confirmed = await latest();
  expect(confirmed).toMatchObject({ state: 'pending', waits_for_payer: true });
  team.stripe.account.complete(sessionOf(await team.open(confirmed)));
  await team.until(confirmed, 'paid');
  await saveCard('0341');
  await nextHour();
  expect((await latest()).state).toBe('rejected');
  expect((await settings()).auto_top_up).toMatchObject({ enabled: true, stopped_reason: null });
});
