import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminCredit,
  AdminPayment,
  Billing,
  CreditList,
  NotificationPage,
  Payment,
  TransactionPage,
} from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { newDebtors } from '../../db/billing/debts';
import { lockLedger, post } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import { transfer, type LedgerEntry } from '../../domain/billing/ledger';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Money credited or given by mistake. */
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

const once = () => ({ 'idempotency-key': `back-${++keys}` });
const book = (team_id: number, entries: readonly LedgerEntry[]) =>
  withTransaction(server.services.db, async (trx) => {
    await lockLedger(trx, team_id);
    await post(trx, {
      team_id,
      kind: 'adjustment',
      source_type: 'test',
      source_id: String(++keys),
      description: 'Test',
      effective_at: new Date(),
      entries,
    });
  });
const billing = async (client: TestClient) => (await client.call('getBilling')).body as Billing;
const redeem = (client: TestClient, code: string) =>
  client.call('redeemPromotionCode', { body: { code }, headers: once() });
async function startTransfer(client: TestClient, amount: string): Promise<AdminPayment> {
  const { body } = await client.call('createTopUp', { body: { amount }, headers: once() });
  const found = await admin.call('listAdminPayments', {
    query: { filter: JSON.stringify({ q: (body as Payment).id }) },
  });
  return (found.body as AdminPayment[])[0]!;
}
const confirm = ({ id }: AdminPayment, amount: string, bank_reference: string) =>
  admin.call('confirmAdminPayment', {
    path: { id },
    body: { amount, bank_reference },
    headers: once(),
  });
const reverse = ({ id }: AdminPayment, bank_reference: string, by = admin) =>
  by.call('reverseAdminPayment', {
    path: { id },
    body: { bank_reference, reason: 'The transfer was for another team' },
    headers: once(),
  });

describe('a bank transfer confirmed by mistake', () => {
  it('is reversed with its bonus, once, and then counts for the intended payment', async () => {
    const [wrong, right] = [await server.register(), await server.register()];
    await admin.call('createAdminPromotionCode', { body: { code: 'TENTH', percent: 10, cap: '100' } });
    expect((await redeem(wrong, 'TENTH')).status).toBe(201);
    const mistaken = await startTransfer(wrong, '50');
    expect((await confirm(mistaken, '50', 'bank-77')).status).toBe(200);
    const found = await admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: 'BANK-77' }) },
    });
    expect((found.body as AdminPayment[]).map(({ id }) => id)).toEqual([mistaken.id]);
    expect(await billing(wrong)).toMatchObject({ prepaid: '50.00', credits: '5.00' });

    expect((await reverse(mistaken, 'bank-77', wrong)).status).toBe(403);
    expect((await reverse(mistaken, 'bank-78')).status).toBe(422);
    expect((await reverse({ ...mistaken, id: 999_999 }, 'bank-77')).status).toBe(404);
    const reversed = await reverse(mistaken, 'bank-77');
    expect([reversed.status, reversed.body]).toMatchObject([
      200,
      {
        state: 'reversed',
        received: '0.00',
        reason: 'The transfer was for another team',
        receipts: [{ bank_reference: 'bank-77', reversed_at: expect.any(String) }],
      },
    ]);
    expect((await reverse(mistaken, 'bank-77')).body).toMatchObject({ code: 'ERR-04-006' });
    expect(await billing(wrong)).toMatchObject({ prepaid: '0.00', credits: '0.00' });
    const { items } = (await wrong.call('listTransactions')).body as TransactionPage;
    const topUp = items.find(({ kind }) => kind === 'top_up');
    expect(items.find(({ kind }) => kind === 'adjustment')).toMatchObject({
      amount: '-50.00',
      corrects: topUp?.id,
      description: expect.stringContaining('confirmed by mistake: The transfer was for another team'),
    });
    const [credit] = ((await wrong.call('listCredits')).body as CreditList).items;
    expect(credit?.reason).toContain(`Reversed: $5.00, because ${mistaken.reference} was returned`);
    expect(((await wrong.call('listNotifications')).body as NotificationPage).data).toContainEqual(
      expect.objectContaining({ kind: 'payment', title: 'A bank transfer was reversed' }),
    );

    const meant = await startTransfer(right, '50');
    expect((await confirm(meant, '50', 'bank-77')).body).toMatchObject({ state: 'paid' });
  });

  it('may leave a debt, and is refused for a partly refunded payment', async () => {
    const { db } = server.services;
    const client = await server.register();
    const { team_id } = await identityOf(db, client.email!);
    const payment = await startTransfer(client, '20');
    await confirm(payment, '20', 'bank-80');
    await db.updateTable('payments').set({ returned_micros: 1 }).where('id', '=', payment.id).execute();
    expect((await reverse(payment, 'bank-80')).status).toBe(409);
    await db.updateTable('payments').set({ returned_micros: 0 }).where('id', '=', payment.id).execute();
    const tax = await startTransfer(client, '1');
    await confirm(tax, '1', 'bank-81');
    expect((await reverse(payment, 'bank-80')).status).toBe(200);
    expect((await newDebtors(db, 1000)).map(({ id }) => id)).not.toContain(team_id);
    await book(team_id, transfer('prepaid', 'adjustment', 5_000_000));
    expect((await reverse(tax, 'bank-81')).status).toBe(200);
    expect((await newDebtors(db, 1000)).map(({ id }) => id)).toContain(team_id);
  });
});

it('revokes again a credit that was reopened after revocation', async () => {
  const client = await server.register();
  const { team_id } = await identityOf(server.services.db, client.email!);
  const body = { team_id, amount: '5', reason: 'Sorry' };
  const credit = (await admin.call('createAdminCredit', { body, headers: once() })).body as AdminCredit;
  const revoke = () =>
    admin.call('revokeAdminCredit', {
      path: { id: credit.id },
      body: { reason: 'A mistake' },
      headers: once(),
    });
  expect((await revoke()).status).toBe(200);
  await book(team_id, [
    { account: 'promotion', amount: -2_000_000 },
    { account: 'credits', amount: 2_000_000, grant: credit.public_id },
  ]);
  expect(await revoke()).toMatchObject({ status: 200, body: { remaining: '0.00' } });
  expect(await billing(client)).toMatchObject({ credits: '0.00' });
  expect((await revoke()).status).toBe(409);
});

describe('a promotion code', () => {
  it('is redeemed once per account with several teams, and once per card', async () => {
    const { db } = server.services;
    await admin.call('createAdminPromotionCode', { body: { code: 'ONEEACH', amount: '5' } });
    const person = await server.register();
    const made = await person.call('createWorkspace', { body: { name: 'Second', slug: 'second-team' } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const second = person.with({ 'x-workspace': 'second-team' });
    const answers = await Promise.all([redeem(person, 'ONEEACH'), redeem(second, 'ONEEACH')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const cards = [await server.register(), await server.register()];
    for (const [index, client] of cards.entries()) {
      const { team_id } = await identityOf(db, client.email!);
      await db
        .insertInto('team_cards')
        .values({
          team_id,
          card_id: `pm_${index}`,
          brand: 'visa',
          last4: '4242',
          exp_month: 1,
          exp_year: 2034,
          fingerprint: 'fp_same',
        })
        .execute();
      expect((await redeem(client, 'ONEEACH')).status).toBe(index === 0 ? 201 : 409);
    }
    expect((await redeem(await server.register(), 'ONEEACH')).status).toBe(201);
  });
});
