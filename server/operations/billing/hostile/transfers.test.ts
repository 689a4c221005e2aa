import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminPayment, Billing, Payment } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/* Typing errors by staff in bank transfer numbers, dates and reasons. */

let server: TestServer;
let admin: TestClient;
let keys = 0;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await server.stop();
});

const once = () => ({ 'idempotency-key': `transfer-${++keys}` });
async function startTransfer(client: TestClient, amount: string): Promise<AdminPayment> {
  const { body } = await client.call('createTopUp', { body: { amount }, headers: once() });
  const found = await admin.call('listAdminPayments', {
    query: { filter: JSON.stringify({ q: (body as Payment).id }) },
  });
  return (found.body as AdminPayment[])[0]!;
}
const confirm = ({ id }: AdminPayment, bank_reference: string, more: { received_at?: string } = {}) =>
  admin.call('confirmAdminPayment', {
    path: { id },
    body: { amount: '10', bank_reference, ...more },
    headers: once(),
  });
const reverse = ({ id }: AdminPayment, bank_reference: string) =>
  admin.call('reverseAdminPayment', {
    path: { id },
    body: { bank_reference, reason: 'Of another team' },
    headers: once(),
  });
const prepaid = async (client: TestClient) => ((await client.call('getBilling')).body as Billing).prepaid;

it('counts a transfer once, however its number is formatted', async () => {
  const [payer, other] = [await server.register(), await server.register()];
  const payment = await startTransfer(payer, '10');
  const wrong = await startTransfer(other, '10');
  const first = await confirm(payment, 'REF 2026/1');
  expect(first.status).toBe(200);
  expect(first.body).not.toHaveProperty('already_confirmed');
  const spellings = [
    'ref 2026/1',
    'Ref2026/1',
    ' REF\u00a02026/1\u200b',
    '\u202eＲＥＦ 2026/1',
    'R\u00adEF 2026/1',
  ];
  for (const spelling of spellings) {
    const again = await confirm(payment, spelling);
    expect([again.status, again.body], JSON.stringify(spelling)).toMatchObject([
      200,
      { already_confirmed: true },
    ]);
    expect((await confirm(wrong, spelling)).body, JSON.stringify(spelling)).toMatchObject({
      code: 'ERR-04-006',
    });
  }
  expect([await prepaid(payer), await prepaid(other)]).toEqual(['10.00', '0.00']);
  expect((await confirm(payment, '\u200b\u2060')).status).toBe(422);
  expect((await confirm(payment, 'p\u200bi_1')).status).toBe(422);
  // Any spelling reverses it, and then it counts for the intended payment.
  expect((await reverse(payment, 'ref 2026/1\u200b')).status).toBe(200);
  expect((await confirm(wrong, 'ref2026/1')).status).toBe(200);
  expect([await prepaid(payer), await prepaid(other)]).toEqual(['0.00', '10.00']);
});

it('stores a transfer number without invisible characters', async () => {
  const payment = await startTransfer(await server.register(), '10');
  expect((await confirm(payment, '\u202eRef\u200b 7')).status).toBe(200);
  const { rows } = await sql<{ bank_reference: string }>`
    select bank_reference from payment_receipts where payment_id = ${payment.id}`.execute(server.services.db);
  expect(rows).toEqual([{ bank_reference: 'Ref 7' }]);
});

it('can reverse a transfer counted twice before numbers were compared', async () => {
  const payer = await server.register();
  const payment = await startTransfer(payer, '20');
  expect((await confirm(payment, 'twice-1')).status).toBe(200);
  expect((await confirm(payment, 'twice-2')).status).toBe(200);
  // The state after the migration.
  await server.services.db
    .updateTable('payment_receipts')
    .set({ bank_reference: 'Twice-1', reference_key: 'TWICE-1 again 2' })
    .where('reference_key', '=', 'TWICE-2')
    .execute();
  expect(await prepaid(payer)).toBe('20.00');
  expect((await reverse(payment, 'Twice-1')).status).toBe(200);
  expect(await prepaid(payer)).toBe('10.00');
  expect((await reverse(payment, 'twice-1')).status).toBe(200);
  expect(await prepaid(payer)).toBe('0.00');
  expect((await reverse(payment, 'twice-1')).status).toBe(409);
});

it('refuses a credit with an unreadable reason', async () => {
  const owner = await server.register();
  const { team_id } = await identityOf(server.services.db, owner.email!);
  const grant = (reason: string) => {
    const headers = { 'idempotency-key': `transfer-${++keys}` };
    return admin.call('createAdminCredit', { body: { team_id, amount: '1', reason }, headers });
  };
  for (const reason of ['\u200b', ' ', 'Outage\u202e', 'Outage\u0001'])
    expect(await grant(reason), JSON.stringify(reason)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'reason' }] },
    });
  expect((await grant('Outage on May 2')).status).toBe(201);
  expect(((await owner.call('getBilling')).body as Billing).credits).toBe('1.00');
});

it('requires a transfer date within the last year and not in the future', async () => {
  const owner = await server.register();
  const payment = await startTransfer(owner, '10');
  const at = (days: number) => ({ received_at: new Date(Date.now() + days * 86_400_000).toISOString() });
  for (const wrong of [{ received_at: '0001-01-01T00:00:00Z' }, at(-367), at(2)])
    expect(await confirm(payment, 'dated-1', wrong), JSON.stringify(wrong)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'received_at' }] },
    });
  // Tomorrow in another time zone.
  const confirmed = (await confirm(payment, 'dated-1', at(0.5))).body as AdminPayment;
  expect(new Date(confirmed.receipts[0]?.received_at ?? 0).getTime()).toBeLessThanOrEqual(Date.now());
  const early = at(-365);
  const { receipts } = (await confirm(payment, 'dated-2', early)).body as AdminPayment;
  expect(receipts.map(({ received_at }) => received_at)).toContain(early.received_at);
});
