import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminPromotionCode,
  Billing,
  CreditList,
  Payment,
  PaymentPage,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { eventually, type TestClient } from '../../../testing/server';
import type { CardDigits } from '../../../tools/localStripe/objects';
import { once, sessionOf, startCardTeam, type CardTeam } from '../testing/cardTeam';

/* The credit for a team's first payment, and attempts to get it twice. */

let team: CardTeam;
let admin: TestClient;
let code: AdminPromotionCode;

beforeAll(async () => {
  team = await startCardTeam({ TEEHOUSE_ROLE: 'web' });
  ({ admin } = team);
  const made = await createCode({ code: 'WELCOME', amount: '20', credit_days: 60, welcome: true });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  code = made.body as AdminPromotionCode;
});
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

const createCode = (body: object) => admin.call('createAdminPromotionCode', { body });
const credits = async (client: TestClient) =>
  ((await client.call('listCredits')).body as CreditList).items.map(({ source, amount, remaining }) => [
    source,
    amount,
    remaining,
  ]);
async function begin(client: TestClient, body: object): Promise<Payment> {
  const { status, body: made } = await client.call('createTopUp', { body, headers: once() });
  expect(status, JSON.stringify(made)).toBe(201);
  return made as Payment;
}
/** Pays by card without saving it. */
async function pay(client: TestClient, amount: string, digits: CardDigits = '4242'): Promise<Payment> {
  const payment = await begin(client, { amount, driver: 'stripe' });
  const page = await client.call('openCheckout', { path: { payment_id: payment.id } });
  team.stripe.account.complete(sessionOf(page), digits);
  await eventually('the payment is credited', async () => {
    await team.settled();
    const { items } = (await client.call('listTopUps')).body as PaymentPage;
    return items.find(({ id }) => id === payment.id)?.state === 'paid';
  });
  return payment;
}
let transfers = 0;
async function confirm(payment: Payment, amount: string): Promise<void> {
  const { id } = await team.adminPayment(payment);
  const body = { amount, bank_reference: `bank-${payment.id}-${transfers++}` };
  expect((await admin.call('confirmAdminPayment', { path: { id }, body, headers: once() })).status).toBe(200);
}
async function transfer(client: TestClient, amount: string): Promise<Payment> {
  const payment = await begin(client, { amount });
  await confirm(payment, amount);
  return payment;
}

describe('a welcome credit', () => {
  it('comes with a team’s first payment, not with registration or the second payment', async () => {
    const client = await team.server.register();
    expect(await credits(client)).toEqual([]);
    await transfer(client, '5');
    expect(await credits(client)).toEqual([['welcome', '20.00', '20.00']]);
    await transfer(client, '5');
    expect(await credits(client)).toHaveLength(1);
  });

  it('skips payments below the minimum, and comes with the first one that reaches it', async () => {
    const client = await team.server.register();
    const offered = async () => ((await client.call('getBilling')).body as Billing).welcome_credit;
    const offer = { amount: '20.00', percent: null, cap: null, minimum: '5.00' };
    expect(await offered()).toEqual(offer);
    const started = await begin(client, { amount: '10' });
    await confirm(started, '0.01');
    await transfer(client, '4.99');
    expect([await credits(client), await offered()]).toEqual([[], offer]);
    // Paid in parts.
    await confirm(started, '4.99');
    expect([await credits(client), await offered()]).toEqual([[['welcome', '20.00', '20.00']], null]);
    await transfer(client, '5');
    expect(await credits(client)).toHaveLength(1);
  });

  it('has its code’s minimum', async () => {
    const refused = await createCode({ code: 'MINIMUM', amount: '1', minimum: '5' });
    expect(refused.status).toBe(422);
    const made = await createCode({ code: 'MORE', amount: '30', minimum: '50', welcome: true });
    expect(made.body).toMatchObject({ minimum: '50.00' });
    const client = await team.server.register();
    await transfer(client, '50');
    expect(await credits(client)).toEqual([['welcome', '30.00', '30.00']]);
    const { id } = made.body as AdminPromotionCode;
    await admin.call('updateAdminPromotionCode', { path: { id }, body: { state: 'retired' } });
  });

  it('comes once if several first payments arrive concurrently', async () => {
    const client = await team.server.register();
    await Promise.all(Array.from({ length: 4 }, () => transfer(client, '5')));
    expect(await credits(client)).toEqual([['welcome', '20.00', '20.00']]);
  });

  it('is refused for the same owner’s other teams, and for another account with the same card', async () => {
    const first = await team.server.register();
    await pay(first, '5', '3184');
    expect(await credits(first)).toHaveLength(1);
    const made = await first.call('createWorkspace', { body: { name: 'Second', slug: 'welcome-again' } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const second = first.with({ 'x-workspace': 'welcome-again' });
    await transfer(second, '5');
    expect(await credits(second)).toEqual([]);
    const other = await team.server.register();
    await pay(other, '5', '3184');
    expect(await credits(other)).toEqual([]);
  });

  it('is refused for an account whose card an earlier team used after its own welcome', async () => {
    const first = await team.server.register();
    await transfer(first, '5');
    await pay(first, '5', '4242');
    const other = await team.server.register();
    await pay(other, '5', '4242');
    expect(await credits(other)).toEqual([]);
  });

  it('is reversed with the payment that earned it, as far as it is unused', async () => {
    const client = await team.server.register();
    const payment = await transfer(client, '10');
    const { id } = await team.adminPayment(payment);
    const body = { bank_reference: `bank-${payment.id}-${transfers - 1}`, reason: 'Of another team' };
    expect((await admin.call('reverseAdminPayment', { path: { id }, body, headers: once() })).status).toBe(
      200,
    );
    expect(await credits(client)).toEqual([['welcome', '20.00', '0.00']]);
  });

  it('cannot be redeemed by entering its code, and ends with it', async () => {
    const client = await team.server.register();
    const redeemed = await client.call('redeemPromotionCode', { body: { code: 'welcome' }, headers: once() });
    expect(redeemed.status).toBe(409);
    const unlimited = { max_uses_per_team: null };
    const change = (body: object) => admin.call('updateAdminPromotionCode', { path: { id: code.id }, body });
    expect((await change(unlimited)).status).toBe(422);
    expect((await createCode({ code: 'AGAIN', amount: '1', welcome: true, ...unlimited })).status).toBe(422);
    expect((await change({ state: 'retired' })).status).toBe(200);
    await transfer(client, '5');
    expect(await credits(client)).toEqual([]);
  });

  it('may be a percentage of that payment', async () => {
    await createCode({ code: 'WELCOME10', percent: 10, cap: '3', welcome: true });
    const client = await team.server.register();
    await transfer(client, '20');
    expect(await credits(client)).toEqual([['welcome', '2.00', '2.00']]);
    await transfer(client, '20');
    expect(await credits(client)).toHaveLength(1);
  });

  it('covers all parts of that payment up to its cap, however often one is confirmed', async () => {
    const client = await team.server.register();
    const payment = await begin(client, { amount: '40' });
    const { id } = await team.adminPayment(payment);
    const part = (amount: string, bank_reference: string) =>
      admin.call('confirmAdminPayment', {
        path: { id },
        body: { amount, bank_reference },
        headers: once(),
      });
    const sum = async () =>
      (await credits(client)).map(([source, amount]) => [source, Number(amount)] as const);
    await part('3', 'part-one');
    expect(await sum()).toEqual([]);
    await Promise.all([part('4', 'part-two'), part('4', 'part-two'), part('3', 'part-one')]);
    expect(await sum()).toEqual([['welcome', 0.7]]);
    await part('13', 'part-three');
    await part('13', 'part-three');
    expect((await sum()).reduce((total, [, amount]) => total + amount, 0)).toBeCloseTo(2);
    await part('20', 'part-four');
    expect((await sum()).reduce((total, [, amount]) => total + amount, 0)).toBeCloseTo(3);
    // Another payment adds nothing.
    await transfer(client, '20');
    expect((await sum()).reduce((total, [, amount]) => total + amount, 0)).toBeCloseTo(3);
  });

  it('is the one that was offered if several codes are eligible', async () => {
    const made = await createCode({ code: 'LARGER', amount: '30', minimum: '50', welcome: true });
    const client = await team.server.register();
    const offered = async () => ((await client.call('getBilling')).body as Billing).welcome_credit;
    const offer = { amount: '30.00', percent: null, cap: null, minimum: '50.00' };
    expect(await offered()).toEqual(offer);
    await transfer(client, '10');
    expect([await credits(client), await offered()]).toEqual([[], offer]);
    await transfer(client, '50');
    expect([await credits(client), await offered()]).toEqual([[['welcome', '30.00', '30.00']], null]);
    const { id } = made.body as AdminPromotionCode;
    await admin.call('updateAdminPromotionCode', { path: { id }, body: { state: 'retired' } });
  });
});
