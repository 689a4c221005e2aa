import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminCredit, NotificationPage, Payment } from '../../../../generated/api/types.gen';
import { utcDay } from '../../../domain/core/dates';
import { expireCredits } from '../../../jobs/billing/expireCredits';
import { mailNotifications } from '../../../jobs/notifications/notifyMail';
import { identityOf } from '../../../testing/cvmFixtures';
import { mailsTo } from '../../../testing/mail';
import { eventually, type TestClient } from '../../../testing/server';
import { once, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* Notifications and emails to payers about money that arrives, leaves or is refused. */

let team: CardTeam;
let admin: TestClient;
let owner: TestClient;
let team_id: number;

beforeAll(async () => {
  team = await startCardTeam({ TEEHOUSE_ROLE: 'web' });
  ({ admin, owner } = team);
  ({ team_id } = await identityOf(team.server.services.db, owner.email!));
  await sql`update users set email_verified_at = now()`.execute(team.server.services.db);
});
afterAll(() => team.stop());

/** Returns the severities of the bell's notices, by title. */
const looks = async (client = owner) =>
  Object.fromEntries(
    ((await client.call('listNotifications')).body as NotificationPage).data.map(({ title, severity }) => [
      title,
      severity,
    ]),
  );
/** New notices in the bell since it was last read, oldest first. */
async function news(client = owner): Promise<[title: string, message: string][]> {
  const { db } = team.server.services;
  const { data } = (await client.call('listNotifications')).body as NotificationPage;
  const told = data.map(({ title, message }): [string, string] => [title, message]).reverse();
  await db.updateTable('notifications').set({ hidden: true }).execute();
  return told;
}
/** Waits until every Stripe event has arrived and been handled. */
async function handled(): Promise<void> {
  await eventually('every event has arrived', async () => team.stripe.webhooks.idle());
  await team.settled();
}
/** Returns the mail to the owner after five minutes. */
async function mailed(): Promise<string> {
  const { db, seal, mail: outbox, config } = team.server.services;
  const now = () => new Date(Date.now() + 6 * 60_000);
  await mailNotifications({ db, outbox, seal, public_url: config.publicUrl, now });
  return (await mailsTo({ db, seal }, owner.email!))
    .map(({ text }) => text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' '))
    .join('\n');
}

it('reports a transfer that arrives in parts, and a rejected one', async () => {
  const start = async (amount: string) =>
    (await owner.call('createTopUp', { body: { amount }, headers: once() })).body as Payment;
  const payment = await start('100');
  const { id } = await team.adminPayment(payment);
  for (const [amount, bank_reference] of [
    ['60', 'a'],
    ['40', 'b'],
  ] as const)
    await admin.call('confirmAdminPayment', {
      path: { id },
      body: { amount, bank_reference },
      headers: once(),
    });
  const { reference } = payment;
  // Good news is no warning but is still mailed.
  expect(await looks()).toEqual({ 'Payment received': 'info' });
  expect(await news()).toEqual([
    [
      'Payment received',
      `$60.00 arrived by bank transfer and was added to the balance. Reference: ${reference}. $40.00 of $100.00 hasn’t arrived yet.`,
    ],
    [
      'Payment received',
      `$40.00 arrived by bank transfer and was added to the balance. Reference: ${reference}.`,
    ],
  ]);
  const other = await start('7');
  const rejected = await team.adminPayment(other);
  const body = { reason: 'The bank sent it back.' };
  await admin.call('rejectAdminPayment', { path: { id: rejected.id }, body, headers: once() });
  expect(await news()).toEqual([
    ['Payment rejected', `${other.reference} of $7.00 was rejected. The bank sent it back.`],
  ]);
  const mail = await mailed();
  expect(mail).toContain('$60.00 arrived by bank transfer');
  expect(mail).toContain('Payment rejected');
});

it('reports a card payment, its refund, a returned refund and a dispute, each once', async () => {
  const { stripe } = team;
  const payment = await team.paid('50');
  const { reference } = payment;
  const intent = stripe.account
    .list('payment_intent')
    .find((one) => one.metadata.teehouse_payment === payment.id);
  const charge = intent?.latest_charge ?? '';
  const refund = stripe.account.refund(charge, 2_000, {});
  await handled();
  stripe.account.failRefund(refund.id);
  await handled();
  const dispute = stripe.account.dispute(charge);
  await handled();
  stripe.account.winDispute(dispute.id);
  await handled();
  expect(await looks()).toEqual({
    'Payment received': 'info',
    'Payment refunded': 'warning',
    'A refund was returned': 'warning',
    'A payment is disputed': 'error',
    'A dispute was resolved': 'info',
  });
  expect(await news()).toEqual([
    ['Payment received', `$50.00 arrived by card and was added to the balance. Reference: ${reference}.`],
    [
      'Payment refunded',
      `$20.00 of ${reference} is being refunded to the card and was taken from the balance.`,
    ],
    [
      'A refund was returned',
      `The bank returned the refund of ${reference}. $20.00 was added to the balance again.`,
    ],
    [
      'A payment is disputed',
      `$50.00 was taken from the balance, because the cardholder disputes ${reference}.`,
    ],
    ['A dispute was resolved', `$50.00 of ${reference} was added to the balance again.`],
  ]);
  expect(await mailed()).toContain('A payment is disputed');
});

it('reports a credit that is granted, expires soon, and is revoked', async () => {
  const { db, log } = team.server.services;
  const expires_at = new Date(Date.now() + 30 * 86_400_000);
  const body = {
    team_id,
    amount: '12',
    reason: 'Sorry for the outage',
    expires_at: expires_at.toISOString(),
  };
  const made = await admin.call('createAdminCredit', { body, headers: once() });
  const credit = made.body as AdminCredit;
  const day = utcDay(expires_at);
  expect(await looks()).toEqual({ 'Credit granted': 'info' });
  expect(await news()).toEqual([
    ['Credit granted', `$12.00 in credit was added. Sorry for the outage. It expires on ${day}.`],
  ]);
  const run = (days: number) =>
    expireCredits({ db, log, now: new Date(expires_at.getTime() - days * 86_400_000) });
  await run(8);
  expect(await news()).toEqual([]);
  await Promise.all([run(6.9), run(6.9)]);
  await run(1);
  expect(await news()).toEqual([
    ['Credit expires soon', `$12.00 of credit is left until ${day}. Sorry for the outage.`],
  ]);
  await admin.call('revokeAdminCredit', {
    path: { id: credit.id },
    body: { reason: 'A mistake.' },
    headers: once(),
  });
  expect(await news()).toEqual([['Credit revoked', '$12.00 in credit was revoked. A mistake.']]);
  expect(await mailed()).toContain('Credit expires soon');
});

it('reports promotion credit when redeemed and when a payment earns it', async () => {
  for (const body of [
    { code: 'TAKE5', amount: '5' },
    { code: 'PLUS10', percent: 10, cap: '20' },
  ])
    await admin.call('createAdminPromotionCode', { body, headers: once() });
  const redeem = (code: string) => owner.call('redeemPromotionCode', { body: { code }, headers: once() });
  await redeem('TAKE5');
  expect(await news()).toEqual([['Credit granted', '$5.00 in credit was added. Promotion code TAKE5.']]);
  await redeem('PLUS10');
  // Pending until a payment.
  expect(await news()).toEqual([]);
  await team.paid('15');
  expect(await news()).toContainEqual([
    'Credit granted',
    '$1.50 in credit was added. Promotion code PLUS10.',
  ]);
  expect(await mailed()).toContain('Promotion code PLUS10');
});
