import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { SAVE_CARD_CONSENT } from '../../../console/lib/billing/consent';
import type {
  AdminUserBilling,
  CardSettings,
  NotificationPage,
  Payment,
} from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { runAutoTopUps } from '../../jobs/billing/autoTopUp';
import { mailNotifications } from '../../jobs/notifications/notifyMail';
import { mailsTo } from '../../testing/mail';
import type { CardDigits } from '../../tools/localStripe/objects';
import type { LocalStripe } from '../../tools/localStripe/server';
import { identityOf } from '../../testing/cvmFixtures';
import { eventually, type TestClient } from '../../testing/server';
import { once, sessionOf, startCardTeam, type CardTeam } from './testing/cardTeam';

let team: CardTeam;
let stripe: LocalStripe;
let owner: TestClient;
let team_id: number;

beforeAll(async () => {
  // The test runs the job itself, at chosen times.
  team = await startCardTeam({ TEEHOUSE_ROLE: 'web' });
  ({ stripe, owner } = team);
  ({ team_id } = await identityOf(team.server.services.db, owner.email!));
  await sql`update users set email_verified_at = now()`.execute(team.server.services.db);
});
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

const settings = async () => (await owner.call('getCardSettings')).body as CardSettings;
const payments = async () =>
  ((await owner.call('listTopUps', { query: { limit: 100 } })).body as { items: Payment[] }).items;
const notices = async () => ((await owner.call('listNotifications')).body as NotificationPage).data;

/** Saves a card as a payer does on Stripe's page. */
async function saveCard(digits: CardDigits): Promise<void> {
  const page = await owner.call('openCardSetup');
  expect(page.status, JSON.stringify(page.body)).toBe(200);
  stripe.account.complete(sessionOf(page), digits);
  await eventually('the card is saved', async () => {
    await team.handleEvents();
    return (await settings()).card?.last4 === digits;
  });
}
const agree = (change: object = {}) =>
  owner.call('setAutoTopUp', {
    body: { enabled: true, amount: '20', threshold: '10', consent: true, ...change },
  });
let hours = 0;
/** Runs the job an hour later than before. */
function nextHour(): Promise<void> {
  const { db, cards, log } = team.server.services;
  hours += 1;
  return runAutoTopUps({ db, cards: cards!, log, now: new Date(Date.now() + hours * 3_601_000) });
}
function again(): Promise<void> {
  const { db, cards, log } = team.server.services;
  return runAutoTopUps({ db, cards: cards!, log, now: new Date(Date.now() + hours * 3_601_000 + 60_000) });
}

/** Each test starts with an empty balance. */
beforeEach(() => balanceOf(0));

/** Sets the balance, in micro-dollars. */
async function balanceOf(wanted: number): Promise<void> {
  const balance = Math.round((await team.prepaid()) * 1_000_000) - wanted;
  if (balance === 0) return;
  await sql`insert into ledger_transactions (public_id, team_id, kind, source_type, source_id, description, effective_at, entries)
    select 'crt_' || gen_random_uuid(), ${team_id}, 'adjustment', 'test', gen_random_uuid()::text, 'Adjustment', now(),
      jsonb_build_array(jsonb_build_object('account', 'adjustment', 'amount', ${balance}::bigint),
        jsonb_build_object('account', 'prepaid', 'amount', ${-balance}::bigint))`.execute(
    team.server.services.db,
  );
}

describe('automatic payments', () => {
  it('need a saved card, amounts and recorded consent', async () => {
    expect(await settings()).toEqual({ card: null, auto_top_up: null });
    expect((await agree()).status).toBe(409);
    await saveCard('4242');
    expect((await settings()).card).toMatchObject({ brand: 'visa', last4: '4242', exp_year: 2034 });
    for (const change of [
      { consent: false },
      { amount: undefined },
      { threshold: undefined },
      { amount: '4.99' },
      // Otherwise, the card would be charged every hour for years.
      { amount: '5', threshold: '1000000' },
      { amount: '5', threshold: '50.01' },
    ])
      expect((await agree(change)).status).toBe(422);
    expect((await settings()).auto_top_up).toBeNull();
    const { status, body } = await agree();
    expect([status, body]).toMatchObject([
      200,
      { auto_top_up: { enabled: true, consent: expect.stringContaining('charged $20.00') } },
    ]);
    const entry = await team.server.services.db
      .selectFrom('audit_log')
      .select(['after', 'actor_user_id'])
      .where('action', '=', 'auto_top_up.enable')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      after: { consent: expect.stringContaining('$20.00') },
      actor_user_id: expect.any(Number),
    });
    for (const change of [{ amount: '5', threshold: '50' }, {}])
      expect((await agree(change)).status).toBe(200);
  });

  it('check 36: charge once below the threshold, however often the job runs, and not above it', async () => {
    const before = (await payments()).length;
    await Promise.all([nextHour(), again(), again()]);
    await again();
    expect((await payments()).length).toBe(before + 1);
    expect((await payments())[0]).toMatchObject({ driver: 'stripe', state: 'paid', received: '20.00' });
    expect(await team.prepaid()).toBe(20);
    await nextHour();
    expect((await payments()).length).toBe(before + 1);
  });

  it('cap a threshold agreed to before the limit existed at ten times the amount', async () => {
    const { db } = team.server.services;
    const stored = (micros: number) =>
      db
        .updateTable('auto_top_ups')
        .set({ threshold_micros: micros })
        .where('team_id', '=', team_id)
        .execute();
    await stored(1_000_000_000_000);
    expect((await settings()).auto_top_up).toMatchObject({ amount: '20.00', threshold: '200.00' });
    const before = (await payments()).length;
    await balanceOf(200_000_000);
    await nextHour();
    expect(await payments()).toHaveLength(before);
    await balanceOf(199_000_000);
    await nextHour();
    expect(await payments()).toHaveLength(before + 1);
    await stored(10_000_000);
  });

  it('are made once if Stripe’s reply is lost', async () => {
    const before = (await payments()).length;
    stripe.fail(3, 'after', /payment_intents$/);
    await nextHour();
    const [pending] = (await payments()) as [Payment];
    // In progress, wherever it is shown.
    expect(pending).toMatchObject({ state: 'pending', waits_for_payer: false });
    expect((await team.adminPayment(pending)).state).toBe('pending');
    const { user_id: id } = await identityOf(team.server.services.db, owner.email!);
    const billing = await team.admin.call('getAdminUserBilling', { path: { id } });
    expect((billing.body as AdminUserBilling).teams[0]?.waiting_payments).toBe(1);
    // It may already have been charged, so it can be neither paid on the page nor canceled.
    const refused = { status: 409, body: { code: 'ERR-04-009' } };
    expect(await team.open(pending)).toMatchObject(refused);
    expect(await owner.call('cancelTopUp', { path: { payment_id: pending.id } })).toMatchObject(refused);
    await again();
    expect((await payments())[0]).toMatchObject({ state: 'paid' });
    expect((await payments()).length).toBe(before + 1);
    await team.handleEvents();
    expect(await team.prepaid()).toBe(20);
  });

  it('whose reply is lost are looked up, not repeated, once turned off or a day old', async () => {
    stripe.fail(3, 'after', /POST .*payment_intents$/);
    await nextHour();
    expect((await owner.call('setAutoTopUp', { body: { enabled: false } })).status).toBe(200);
    await again();
    expect((await payments())[0]).toMatchObject({ state: 'paid', received: '20.00' });
    expect(await team.prepaid()).toBe(20);
    await agree();
    // Never received, and turned off since: the card is no longer charged.
    await balanceOf(0);
    stripe.fail(3, 'before', /POST .*payment_intents$/);
    await nextHour();
    await owner.call('setAutoTopUp', { body: { enabled: false } });
    const charges = stripe.account.list('payment_intent').length;
    await again();
    expect((await payments())[0]).toMatchObject({ state: 'cancelled', received: '0.00' });
    expect(stripe.account.list('payment_intent').length).toBe(charges);
    // Never received, and too old for its key: it is abandoned and the next one starts.
    await agree();
    stripe.fail(3, 'before', /POST .*payment_intents$/);
    await nextHour();
    hours += 24;
    const before = (await payments()).length;
    await again();
    expect((await payments()).slice(0, 2)).toMatchObject([{ state: 'paid' }, { state: 'rejected' }]);
    expect((await payments()).length).toBe(before + 1);
  });

  it('check 36: are not repeated while Stripe is still processing one', async () => {
    hours += 1;
    const before = (await payments()).length;
    stripe.fail(3, 'after', /POST .*payment_intents$/);
    await nextHour();
    const intent = stripe.account.list('payment_intent').at(-1)!;
    Object.assign(intent, { status: 'processing', amount_received: 0 });
    await again();
    const [processing] = (await payments()) as [Payment];
    expect(processing).toMatchObject({ state: 'pending', reason: null });
    const last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      message: 'Your card was declined.',
    };
    // Still below the threshold, an hour after the attempt.
    for (let i = 0; i < 3; i++) await nextHour();
    expect((await payments()).length).toBe(before + 1);
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error });
    hours += 6;
    await again();
    expect((await payments()).find(({ id }) => id === processing.id)).toMatchObject({
      state: 'rejected',
      reason: 'Your card was declined.',
    });
  });

  it('check 35: are tried once an hour while the card is declined, stop after three, and are mailed', async () => {
    await saveCard('0341');
    await agree();
    const before = (await payments()).length;
    for (const expected of [true, true, false]) {
      await nextHour();
      for (let times = 0; times < 5; times++) await again();
      expect((await settings()).auto_top_up?.enabled).toBe(expected);
    }
    await nextHour();
    expect((await payments()).slice(0, 3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'rejected', reason: 'Your card was declined.' })),
    );
    expect((await payments()).length).toBe(before + 3);
    expect((await settings()).auto_top_up?.stopped_reason).toContain('3 payments in a row failed');
    expect(await notices()).toContainEqual(
      expect.objectContaining({ kind: 'payment', title: 'Automatic payments are turned off' }),
    );
    expect(await team.prepaid()).toBe(0);
    const { db, seal, mail: outbox } = team.server.services;
    const later = () => new Date(Date.now() + (hours + 1) * 3_601_000);
    await mailNotifications({ db, outbox, seal, public_url: 'https://cloud.example.test', now: later });
    const mails = (await mailsTo({ db, seal }, owner.email!)).map(({ text }) => text).join();
    expect(mails).toContain('Automatic payments are turned off');
    expect(mails).toContain('Your card was declined.');
  });

  it('notify the payer of a payment that needs confirmation', async () => {
    await saveCard('3184');
    await agree();
    await nextHour();
    const [payment] = (await payments()) as [Payment];
    expect(payment).toMatchObject({ state: 'pending', reason: expect.stringContaining('confirmation') });
    expect(await notices()).toContainEqual(
      expect.objectContaining({
        title: 'Confirm a payment',
        message: expect.stringContaining(payment.reference),
      }),
    );
    // The payment is pending, and nothing else is charged.
    await nextHour();
    expect((await payments())[0]?.id).toBe(payment.id);
    expect((await settings()).auto_top_up).toMatchObject({
      enabled: true,
      waiting_payment: payment.reference,
    });
    const { db, seal, mail: outbox } = team.server.services;
    const later = () => new Date(Date.now() + (hours + 2) * 3_601_000);
    await mailNotifications({ db, outbox, seal, public_url: 'https://cloud.example.test', now: later });
    const mails = (await mailsTo({ db, seal }, owner.email!)).map(({ text }) => text.replace(/\s+/g, ' '));
    expect(mails.join()).toContain(`choose Pay by card for ${payment.reference}`);
    expect(mails.join()).toContain('Nothing else is charged automatically until it is paid or canceled.');
    stripe.account.complete(sessionOf(await team.open(payment)));
    await eventually('it is paid', async () => {
      await team.handleEvents();
      return (await payments())[0]?.state === 'paid';
    });
    expect(await team.prepaid()).toBe(20);
    expect((await settings()).auto_top_up?.waiting_payment).toBeNull();
    expect((await notices()).find(({ title }) => title === 'Confirm a payment')?.resolved_at).not.toBeNull();
  });

  it('that need confirmation are retried an hour after a payer canceled one', async () => {
    await saveCard('3184');
    await agree();
    await nextHour();
    const [payment] = (await payments()) as [Payment];
    expect(payment).toMatchObject({ state: 'pending', waits_for_payer: true });
    await owner.call('cancelTopUp', { path: { payment_id: payment.id } });
    expect((await settings()).auto_top_up?.waiting_payment).toBeNull();
    expect((await notices()).find(({ title }) => title === 'Confirm a payment')?.resolved_at).not.toBeNull();
    await again();
    expect((await payments())[0]?.id).toBe(payment.id);
    await nextHour();
    const [next] = (await payments()) as [Payment];
    expect(next.id).not.toBe(payment.id);
    await owner.call('cancelTopUp', { path: { payment_id: next.id } });
  });

  it('end when the card is removed, here or at Stripe', async () => {
    await saveCard('4242');
    await agree();
    expect((await owner.call('deleteCard')).status).toBe(204);
    expect(await settings()).toMatchObject({ card: null, auto_top_up: { enabled: false } });
    expect((await owner.call('deleteCard')).status).toBe(404);
    await saveCard('4242');
    await agree();
    const saved = await team.server.services.db
      .selectFrom('team_cards')
      .select('card_id')
      .executeTakeFirstOrThrow();
    const method = stripe.account.get('payment_method', saved.card_id);
    method.customer = null;
    stripe.account.emit('payment_method.detached', method);
    await eventually('it is gone', async () => {
      await team.handleEvents();
      return (await settings()).card === null;
    });
    expect((await settings()).auto_top_up).toMatchObject({
      enabled: false,
      stopped_reason: 'The saved card was removed.',
    });
  });

  it('can use the card from a manual payment', async () => {
    const { body } = await owner.call('createTopUp', {
      body: { amount: '30', driver: 'stripe', save_card: true },
      headers: once(),
    });
    stripe.account.complete(sessionOf(await team.open(body as Payment)));
    await eventually('the card is saved', async () => {
      await team.handleEvents();
      return (await settings()).card?.last4 === '4242';
    });
    const { db } = team.server.services;
    const kept = await db.selectFrom('team_cards').selectAll().executeTakeFirstOrThrow();
    const payment = await db
      .selectFrom('payments')
      .selectAll()
      .where('public_id', '=', (body as Payment).id)
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({
      consent: SAVE_CARD_CONSENT,
      consented_by: payment.created_by,
      consented_at: payment.created_at,
    });
    expect((await settings()).card).toMatchObject({ consent: SAVE_CARD_CONSENT });
    const asked = await db
      .selectFrom('audit_log')
      .select(['actor_user_id', 'after'])
      .where('action', '=', 'payment.create')
      .where('target_id', '=', payment.public_id)
      .executeTakeFirst();
    expect(asked).toMatchObject({
      actor_user_id: payment.created_by,
      after: { card_consent: SAVE_CARD_CONSENT },
    });
    // Both events of the payment name the card; it is stored once.
    const saved = await team.server.services.db
      .selectFrom('audit_log')
      .select(({ fn }) => ['target_id', fn.countAll<number>().as('count')])
      .where('action', '=', 'card.save')
      .groupBy('target_id')
      .execute();
    expect(saved.filter(({ count }) => Number(count) > 1)).toEqual([]);
    const off = await owner.call('setAutoTopUp', { body: { enabled: false } });
    expect(off.body).toMatchObject({ auto_top_up: { enabled: false } });
  });

  it('do not save a card without agreement, after a decline or when the page is left', async () => {
    await owner.call('deleteCard');
    const open = async (change: object) => {
      const { body } = await owner.call('createTopUp', {
        body: { amount: '30', driver: 'stripe', ...change },
        headers: once(),
      });
      return { payment: body as Payment, session: sessionOf(await team.open(body as Payment)) };
    };
    const requested = () => stripe.account.list('checkout.session').at(-1)?.intent.setup_future_usage;
    const plain = await open({});
    expect(requested()).toBeNull();
    stripe.account.complete(plain.session);
    await team.until(plain.payment, 'paid');
    const declined = await open({ save_card: true });
    expect(requested()).toBe('off_session');
    expect(() => stripe.account.complete(declined.session, '0341')).toThrow();
    const left = await open({ save_card: true });
    stripe.account.expire(left.session);
    await team.until(left.payment, 'cancelled');
    await team.settled();
    expect((await settings()).card).toBeNull();
    expect(await team.server.services.db.selectFrom('team_cards').select('card_id').execute()).toEqual([]);
  });
});
