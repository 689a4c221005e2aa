import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminFinanceAction } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
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
  expect((await second.call('approveAdminFinanceAction', { path })).body).toMatchObject({ state: 'done' });
  await team.settled();
  expect(refunds()).toBe(1);
  expect(await team.paymentNow(payment)).toMatchObject({ returned: '15.00' });
  expect((await second.call('approveAdminFinanceAction', { path })).status).toBe(409);
  expect(refunds()).toBe(1);
});
