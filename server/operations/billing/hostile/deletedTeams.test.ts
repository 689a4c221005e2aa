import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CardSettings, Notification, Payment } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { runAutoTopUps } from '../../../jobs/billing/autoTopUp';
import { closePages } from '../../../jobs/billing/cardEvents';
import { removeCards } from '../../../jobs/billing/removeCards';
import { identityOf } from '../../../testing/cvmFixtures';
import { eventually, type TestClient } from '../../../testing/server';
import { once, sessionOf, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* Pending payments to a deleted team, and its saved card. */

let team: CardTeam;
beforeAll(async () => void (team = await startCardTeam({ TEEHOUSE_ROLE: 'web' })));
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

async function openPage(client: TestClient, amount: string): Promise<{ payment: Payment; session: string }> {
  const { body } = await client.call('createTopUp', {
    body: { amount, driver: 'stripe' },
    headers: once(),
  });
  return { payment: body as Payment, session: sessionOf(await team.open(body as Payment, client)) };
}
async function erase(client: TestClient): Promise<void> {
  const { status, body } = await client.call('deleteAccount', { body: { email: client.email! } });
  expect(status, JSON.stringify(body)).toBe(204);
}
const notices = async () =>
  ((await team.admin.call('listNotifications')).body as { data: Notification[] }).data.filter(
    ({ kind }) => kind === 'finance_action',
  );

it('cancels its payments and closes their pages', async () => {
  const { db, cards, log } = team.server.services;
  const client = await team.server.register();
  const { payment, session } = await openPage(client, '30');
  const transfer = (await client.call('createTopUp', { body: { amount: '5' }, headers: once() }))
    .body as Payment;
  await erase(client);
  for (const one of [payment, transfer])
    expect(await team.adminPayment(one)).toMatchObject({ state: 'cancelled', received: '0.00' });
  await closePages({ db, cards: cards!, log });
  expect(() => team.stripe.account.complete(session)).toThrow();
  expect(await notices()).toEqual([]);
});

it('notifies finance of money that arrives anyway', async () => {
  const client = await team.server.register();
  const { team_id } = await identityOf(team.server.services.db, client.email!);
  const { payment, session } = await openPage(client, '30');
  await erase(client);
  team.stripe.account.complete(session);
  await eventually('it is credited', async () => {
    await team.handleEvents();
    return (await team.adminPayment(payment)).state === 'paid';
  });
  expect(await team.adminPayment(payment)).toMatchObject({ received: '30.00', team_id });
  expect(await notices()).toMatchObject([
    {
      title: 'Payment for a deleted team: $30.00',
      message: expect.stringContaining(`Payment ${payment.id} of `) as string,
      resolved_at: null,
    },
  ]);
});

/** Saves a card as a payer does on Stripe's page. @returns its ID at Stripe */
async function saveCard(client: TestClient): Promise<string> {
  team.stripe.account.complete(sessionOf(await client.call('openCardSetup')));
  await eventually('the card is saved', async () => {
    await team.handleEvents();
    return ((await client.call('getCardSettings')).body as CardSettings).card !== null;
  });
  return team.stripe.account.list('payment_method').at(-1)!.id;
}

it('removes its saved card, here and at Stripe', async () => {
  const { db, cards, log } = team.server.services;
  const client = await team.server.register();
  const { team_id } = await identityOf(db, client.email!);
  const card_id = await saveCard(client);
  const stored = () => db.selectFrom('team_cards').select('card_id').where('team_id', '=', team_id).execute();
  const minute = 60_000;
  const removeAt = (ms: number) => removeCards({ db, cards: cards!, log, now: new Date(Date.now() + ms) });
  await removeAt(0);
  expect(await stored()).toEqual([{ card_id }]);
  await erase(client);
  // Stripe is down, so the card can't be forgotten yet.
  team.stripe.fail(9, 'before', /detach/);
  await removeAt(0);
  expect(await stored()).toEqual([{ card_id }]);
  team.stripe.fail(0, 'before', /detach/);
  // Not tried again in every run, so that cards that can't be removed don't delay the others.
  await removeAt(30 * minute);
  expect(await stored()).toEqual([{ card_id }]);
  await removeAt(61 * minute);
  expect(await stored()).toEqual([]);
  expect(team.stripe.account.get('payment_method', card_id).customer).toBeNull();
});

it('no longer charges its card for a payment that never reached Stripe', async () => {
  const { db, cards, log } = team.server.services;
  const client = await team.server.register();
  const { team_id } = await identityOf(db, client.email!);
  await saveCard(client);
  const body = { enabled: true, amount: '20', threshold: '10', consent: true };
  expect((await client.call('setAutoTopUp', { body })).status).toBe(200);
  team.stripe.fail(3, 'before', /POST .*payment_intents$/);
  await runAutoTopUps({ db, cards: cards!, log, now: new Date() });
  const charged = () => team.stripe.account.list('payment_intent').length;
  const before = charged();
  await erase(client);
  await runAutoTopUps({ db, cards: cards!, log, now: new Date(Date.now() + 60_000) });
  expect(charged()).toBe(before);
  const payments = await db
    .selectFrom('payments')
    .select(['automatic', 'state'])
    .where('team_id', '=', team_id)
    .execute();
  expect(payments).toEqual([{ automatic: true, state: 'cancelled' }]);
});
