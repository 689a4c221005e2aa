import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminFinanceAction } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { resumeRefunds } from '../../../jobs/billing/resumeRefunds';
import type { TestClient } from '../../../testing/server';
import { once, startCardTeam, type CardTeam } from '../testing/cardTeam';

let team: CardTeam;
let second: TestClient;
beforeAll(async () => {
  team = await startCardTeam({ BILLING_APPROVAL_LIMIT: '0' });
  second = await team.server.register();
  await team.server.services.db
    .updateTable('users')
    .set({ platform_role: 'finance' })
    .where('email', '=', second.email!)
    .execute();
});
afterAll(async () => {
  expect(await checkBooks(team.server.services.db)).toEqual([]);
  await team.stop();
});

const refunds = () => team.stripe.account.list('refund').length;

it('a card refund reaches Stripe with the approval, once', async () => {
  const payment = await team.paid('40');
  const { id } = await team.adminPayment(payment);
  const body = { amount: '15', reason: 'Paid twice' };
  const asked = await team.admin.call('refundAdminPayment', { path: { id }, body, headers: once() });
  expect(asked).toMatchObject({ status: 202, body: { action: 'refund_payment', amount: '15.00' } });
  expect(refunds()).toBe(0);
  expect(await team.paymentNow(payment)).toMatchObject({ returned: '0.00' });
  const path = { id: (asked.body as AdminFinanceAction).id };
  expect((await second.call('approveAdminFinanceAction', { path, headers: once() })).body).toMatchObject({
    state: 'done',
  });
  await team.settled();
  expect(refunds()).toBe(1);
  expect(await team.paymentNow(payment)).toMatchObject({ returned: '15.00' });
  expect((await second.call('approveAdminFinanceAction', { path, headers: once() })).status).toBe(409);
  expect(refunds()).toBe(1);
});

describe('a refund that Stripe refuses permanently', () => {
  /** Refunds everything at Stripe before this server receives the events. */
  async function refundedElsewhere(): Promise<number> {
    const payment = await team.paid('20');
    const intent = team.stripe.account
      .list('payment_intent')
      .find((one) => one.metadata.teehouse_payment === payment.id);
    team.stripe.webhooks.hold();
    team.stripe.account.refund(intent?.latest_charge ?? '', 2_000, {});
    return (await team.adminPayment(payment)).id;
  }
  const ask = async (id: number) => {
    const body = { amount: '10', reason: 'Unused' };
    const asked = await team.admin.call('refundAdminPayment', { path: { id }, body, headers: once() });
    expect(asked.status, JSON.stringify(asked.body)).toBe(202);
    return (asked.body as AdminFinanceAction).id;
  };
  const actionNow = async (id: number) =>
    (await team.admin.call('getAdminFinanceAction', { path: { id } })).body as AdminFinanceAction;

  it('shows as failed with the reason, and can be requested again', async () => {
    const id = await refundedElsewhere();
    const path = { id: await ask(id) };
    expect(await second.call('approveAdminFinanceAction', { path, headers: once() })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('greater than unrefunded amount') },
    });
    expect(await actionNow(path.id)).toMatchObject({
      state: 'failed',
      decision: expect.stringContaining('greater than unrefunded amount'),
      decided_by: expect.any(Number),
    });
    expect((await second.call('approveAdminFinanceAction', { path, headers: once() })).status).toBe(409);
    expect(await actionNow(await ask(id))).toMatchObject({ state: 'pending' });
    await team.stripe.webhooks.release();
    await team.settled();
  });

  it('does so too if only the refund job finds out', async () => {
    const { db, cards, log } = team.server.services;
    const path = { id: await ask(await refundedElsewhere()) };
    team.stripe.fail(3, 'before', /^POST .*refunds$/);
    expect((await second.call('approveAdminFinanceAction', { path, headers: once() })).status).toBe(502);
    expect(await actionNow(path.id)).toMatchObject({ state: 'done' });
    await resumeRefunds({ db, cards: cards!, log }, new Date(Date.now() + 120_000));
    expect(await actionNow(path.id)).toMatchObject({
      state: 'failed',
      decision: expect.stringContaining('greater than unrefunded amount'),
    });
    await team.stripe.webhooks.release();
    await team.settled();
  });
});

it('a refund that the bank returns shows as failed', async () => {
  const payment = await team.paid('25');
  const { id } = await team.adminPayment(payment);
  const body = { amount: '25', reason: 'Closed' };
  const asked = await team.admin.call('refundAdminPayment', { path: { id }, body, headers: once() });
  const path = { id: (asked.body as AdminFinanceAction).id };
  expect((await second.call('approveAdminFinanceAction', { path, headers: once() })).status).toBe(200);
  team.stripe.account.failRefund(team.stripe.account.list('refund').at(-1)?.id ?? '');
  await team.settled();
  expect((await second.call('getAdminFinanceAction', { path })).body).toMatchObject({
    state: 'failed',
    decision: 'The bank sent the refund back.',
  });
});
