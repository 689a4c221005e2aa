import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalStripe, type LocalStripe } from '../../tools/localStripe/server';
import type { CardPayments } from './index';
import { createStripeDriver, STRIPE_VERSION } from './stripe';

/** The same requests to the local server and, with STRIPE_SECRET_KEY of a sandbox, to Stripe: both must agree. */
const { STRIPE_SECRET_KEY: SANDBOX } = process.env;
const targets = SANDBOX?.startsWith('sk_test_') ? (['local', 'sandbox'] as const) : (['local'] as const);

describe.each(targets)('Stripe, %s', (target) => {
  let local: LocalStripe | undefined;
  let cards: CardPayments;
  let customer_id: string;
  const team_id = `wks_${randomUUID()}`;

  beforeAll(async () => {
    const key = target === 'local' ? 'sk_test_local' : (SANDBOX ?? '');
    if (target === 'local')
      local = await startLocalStripe({ key, version: STRIPE_VERSION, webhook_secret: 'whsec_local' });
    const url = local?.url ?? 'https://api.stripe.com';
    cards = createStripeDriver({ key, webhook_secrets: ['whsec_local'], url });
    customer_id = await cards.createCustomer(team_id);
  });
  afterAll(() => local?.stop());

  const request = (payment_id: string) => ({
    payment_id,
    customer_id,
    cents: 2_550,
    description: 'Prepaid funds, TH-TEST',
    saves_card: true,
    success_url: 'https://example.test/setup-billing',
    cancel_url: 'https://example.test/setup-billing',
  });

  it('creates one customer for a team', async () => {
    expect(await cards.createCustomer(team_id)).toBe(customer_id);
  });

  it('opens one page for a payment, which can be closed', async () => {
    const payment_id = `pay_${randomUUID()}`;
    const page = await cards.openCheckout(request(payment_id));
    expect(await cards.openCheckout(request(payment_id))).toEqual(page);
    expect(await cards.checkout(page.id)).toMatchObject({
      mode: 'payment',
      status: 'open',
      payment_id,
      customer_id,
      intent_id: null,
    });
    expect((await cards.expireCheckout(page.id)).status).toBe('expired');
    expect((await cards.expireCheckout(page.id)).status).toBe('expired');
  });

  it('refuses a used key with another amount, and too small an amount', async () => {
    const payment_id = `pay_${randomUUID()}`;
    await cards.openCheckout(request(payment_id));
    await expect(cards.openCheckout({ ...request(payment_id), cents: 100 })).rejects.toMatchObject({
      failure: 'refused',
    });
    await expect(cards.openCheckout({ ...request(`pay_${randomUUID()}`), cents: 1 })).rejects.toMatchObject({
      failure: 'refused',
    });
  });

  it('opens a page to save a card on', async () => {
    const urls = { success_url: 'https://example.test/', cancel_url: 'https://example.test/' };
    const page = await cards.openSetup({ customer_id, ...urls });
    const { mode, setup_id } = await cards.checkout(page.id);
    expect(mode).toBe('setup');
    expect(await cards.savedCard(setup_id ?? '')).toBeNull();
  });

  it('reports that an object does not exist', async () => {
    await expect(cards.payment('pi_unknown')).rejects.toMatchObject({ failure: 'gone' });
    await expect(cards.dispute('dp_unknown')).rejects.toMatchObject({ failure: 'gone' });
  });
});
