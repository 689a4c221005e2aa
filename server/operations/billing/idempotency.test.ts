import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminPayment, Billing, Payment, PaymentPage } from '../../../generated/api/types.gen';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { MONEY_REQUESTS, MOVES_NOTHING } from './testing/moneyRequests';

let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let keys = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
  owner = await server.register();
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await server.stop();
});

const once = () => ({ 'idempotency-key': `key-${++keys}` });
const payments = async (client: TestClient) => ((await client.call('listTopUps')).body as PaymentPage).items;
const prepaid = async () => Number(((await owner.call('getBilling')).body as Billing).prepaid);
const refusal = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string }).code,
];

describe('an Idempotency-Key', () => {
  it('check 27: is required for a top-up and every other request that moves money', async () => {
    const specs = Object.entries(operations) as [OperationId, (typeof operations)[OperationId]][];
    const required = specs.filter(([, { idempotent }]) => idempotent === 'required').map(([id]) => id);
    expect(required.sort()).toEqual(Object.keys(MONEY_REQUESTS).sort());
    const byFinance = specs.filter(([, { permission }]) => permission === 'admin.billing.write');
    expect(byFinance.map(([id]) => id).filter((id) => !MOVES_NOTHING.includes(id))).toEqual(
      byFinance.map(([id]) => id).filter((id) => required.includes(id)),
    );
    for (const [id, body] of Object.entries(MONEY_REQUESTS)) {
      const answer = await admin.call(id as OperationId, {
        path: { id: 1, order_id: 'ord_0123456789abcdef' },
        body,
      });
      expect([id, ...refusal(answer)]).toEqual([id, 400, 'ERR-04-004']);
    }
    expect(await payments(admin)).toEqual([]);
  });

  it('check 28: is refused with another amount; repeated, the top-up is the same payment', async () => {
    const headers = once();
    const send = (amount: string) => owner.call('createTopUp', { body: { amount }, headers });
    const first = await send('10');
    expect((await send('10')).body).toEqual(first.body);
    expect(refusal(await send('11'))).toEqual([409, 'ERR-00-011']);
    expect(await payments(owner)).toHaveLength(1);
  });

  it('check 28: is refused with another amount for a confirmation; repeated, it confirms nothing twice', async () => {
    const { body } = await owner.call('createTopUp', { body: { amount: '30' }, headers: once() });
    const found = await admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: (body as Payment).id }) },
    });
    const [{ id } = { id: 0 }] = found.body as AdminPayment[];
    const headers = once();
    const send = (amount: string) =>
      admin.call('confirmAdminPayment', { path: { id }, body: { amount, bank_reference: 'keyed' }, headers });
    const first = await send('30');
    expect(first).toMatchObject({ status: 200, body: { received: '30.00' } });
    const again = await send('30');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(refusal(await send('31'))).toEqual([409, 'ERR-00-011']);
    expect(await prepaid()).toBe(30);
  });
});
