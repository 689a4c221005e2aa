import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminCredit,
  AdminFinanceAction,
  AdminOrder,
  AdminPayment,
  Payment,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { draftInvoice, lockInvoice } from '../../../db/billing/invoices';
import { issueInvoice, type Invoicing } from '../../../db/billing/issueInvoice';
import { withTransaction } from '../../../db/core/client';
import type { TestClient } from '../../../testing/server';
import { code, once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

const DOLLAR = 1_000_000;
const reason = 'An agreed correction';
let s: OrderServer;
let second: TestClient;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
  second = await finance();
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;

async function finance(): Promise<TestClient> {
  const client = await s.server.register();
  await setRole(client, 'finance');
  return client;
}
const setRole = (client: TestClient, platform_role: 'finance' | 'support') =>
  db().updateTable('users').set({ platform_role }).where('email', '=', client.email!).execute();

const grant = (team_id: number, amount: string, by = s.admin, headers = once()) =>
  by.call('createAdminCredit', { body: { team_id, amount, reason }, headers });
const approve = (id: number, by: TestClient = second, headers: Record<string, string> = once()) =>
  by.call('approveAdminFinanceAction', { path: { id }, headers });
/** Returns the pending action of a 202 reply. */
function waiting({ status, body }: { status: number; body: unknown }): AdminFinanceAction {
  expect(status, JSON.stringify(body)).toBe(202);
  return body as AdminFinanceAction;
}
const ofTeam = async (team_id: number) =>
  (
    await s.admin.call('listAdminFinanceActions', {
      query: { filter: JSON.stringify({ team_id }), sort: '["id","ASC"]' },
    })
  ).body as AdminFinanceAction[];

/** Issues the team's invoice for the current month. */
async function drafted(team_id: number, now = new Date()) {
  return withTransaction(db(), async (trx) => {
    const draft = await draftInvoice(trx, team_id, {
      start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
      end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
    });
    if (!draft) throw new Error('no draft');
    return draft;
  });
}

async function invoiced(team_id: number, tax: Partial<Invoicing> = {}) {
  const now = new Date();
  const { id } = await drafted(team_id, now);
  return withTransaction(db(), async (trx) => {
    const row = await lockInvoice(trx, id);
    if (!row) throw new Error('no draft');
    const rules = { review_days: 0, due_days: 14, tax_rule: 'none', tax_rate: 0 } as const;
    return issueInvoice(trx, row, { ...rules, seller: null, seller_vat_id: null, ...tax }, now);
  });
}

describe('an action above the limit', () => {
  it('changes nothing until another administrator approves it, and then runs once', async () => {
    const team = await s.team(0);
    const action = waiting(await grant(team.team_id, '100.01'));
    expect(action).toMatchObject({ action: 'grant_credit', amount: '100.01', state: 'pending', reason });
    expect(await team.posted()).toBe(0);

    const own = await approve(action.id, s.admin);
    expect(code(own)).toEqual([409, 'ERR-00-015']);
    expect(own.body).toMatchObject({
      suggestions: ['Ask another administrator to approve it. Reject it to withdraw it.'],
    });
    expect(await team.posted()).toBe(0);

    const answers = await Promise.all([approve(action.id), approve(action.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await team.posted()).toBe(100_010_000);
    const [done] = await ofTeam(team.team_id);
    expect(done).toMatchObject({ state: 'done', decided_by: expect.any(Number) });
    expect(done?.decided_by).not.toBe(done?.requested_by);
    const trail = await db()
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('team_id', '=', team.team_id)
      .where('action', 'in', ['finance_action.request', 'finance_action.approve', 'credit.grant'])
      .orderBy('id')
      .execute();
    expect(trail.map((row) => row.action)).toEqual([
      'finance_action.request',
      'finance_action.approve',
      'credit.grant',
    ]);
    expect(trail[1]?.after).toMatchObject({ amount: '100.01', reason });
  });

  it('is not duplicated when the request is repeated, by key or by content', async () => {
    const team = await s.team(0);
    const headers = once();
    const first = waiting(await grant(team.team_id, '500', s.admin, headers));
    expect(waiting(await grant(team.team_id, '500', s.admin, headers)).id).toBe(first.id);
    expect(waiting(await grant(team.team_id, '500')).id).toBe(first.id);
    expect(waiting(await grant(team.team_id, '501')).id).not.toBe(first.id);
  });

  it('counts together with the same administrator’s actions for the team within a day', async () => {
    const [team, other] = [await s.team(0), await s.team(0)];
    expect((await grant(team.team_id, '60')).status).toBe(201);
    expect((await grant(other.team_id, '60')).status).toBe(201);
    const action = waiting(await grant(team.team_id, '40.01'));
    expect(action.moved_before).toBe('60.00');
    const rows = await ofTeam(team.team_id);
    expect(rows.map(({ state, moved_before }) => [state, moved_before])).toEqual([
      ['done', null],
      ['pending', null],
    ]);
    const movedBefore = async (id: number) => {
      const { body } = await second.call('getAdminFinanceAction', { path: { id } });
      return (body as AdminFinanceAction).moved_before;
    };
    expect(await movedBefore(action.id)).toBe('60.00');
    expect(await movedBefore(rows[0]!.id)).toBe('0.00');
    const funds = await s.admin.call('getAdminTeamFunds', { path: { id: team.team_id } });
    expect(funds.body).toMatchObject({ approval_limit: '100.00', moved: '60.00', credits: '60.00' });
    expect((await grant(team.team_id, '40')).status).toBe(201);
    // Approved actions don't count: they were reviewed.
    expect((await approve(action.id)).status).toBe(200);
    expect(code(await grant(team.team_id, '0.01', await finance()))).toEqual([201, undefined]);
    waiting(await grant(team.team_id, '0.01'));
    await sql`update finance_actions set decided_at = decided_at - interval '25 hours'`.execute(db());
    expect((await grant(team.team_id, '0.01')).status).toBe(201);
  });

  it('describes what it does and who requested it', async () => {
    const team = await s.team(0);
    const name = 'Northern Lights';
    await db().updateTable('teams').set({ name }).where('id', '=', team.team_id).execute();
    const credit = waiting(await grant(team.team_id, '250'));
    expect(credit).toMatchObject({
      title: `Grant a credit to ${name}, $250.00`,
      target_id: null,
      is_own: true,
      moved_before: '0.00',
    });
    const { body } = await second.call('getAdminFinanceAction', { path: { id: credit.id } });
    expect(body).toMatchObject({ is_own: false });
    // The admin area counts one's own requests and others' separately, and finds them by the name in their title.
    const counted = async (by: TestClient, is_own: boolean) => {
      const filter = JSON.stringify({ state: 'pending', team_id: team.team_id, is_own, q: name });
      return ((await by.call('listAdminFinanceActions', { query: { filter } })).body as unknown[]).length;
    };
    expect([await counted(s.admin, true), await counted(s.admin, false)]).toEqual([1, 0]);
    expect([await counted(second, true), await counted(second, false)]).toEqual([0, 1]);
    const transfer = await team.client.call('createTopUp', { body: { amount: '500' }, headers: once() });
    const payments = await s.admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: (transfer.body as Payment).id }) },
    });
    const [payment] = payments.body as AdminPayment[];
    const confirmed = waiting(
      await s.admin.call('confirmAdminPayment', {
        path: { id: payment!.id },
        body: { amount: '500', bank_reference: 'BANK-TITLE-1' },
        headers: once(),
      }),
    );
    expect(confirmed).toMatchObject({
      title: `Confirm transfer ${payment!.reference}, $500.00`,
      target_id: String(payment!.id),
    });
  });

  it('cannot be split into concurrent parts', async () => {
    const team = await s.team(0);
    const answers = await Promise.all(Array.from({ length: 5 }, () => grant(team.team_id, '60')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 202, 202, 202, 202]);
    expect(await team.posted()).toBe(60 * DOLLAR);
  });

  it('is approved once per Idempotency-Key, and a repeated approval returns the approved action', async () => {
    const team = await s.team(0);
    const action = waiting(await grant(team.team_id, '200'));
    const headers = once();
    expect(code(await approve(action.id, second, {}))).toEqual([400, 'ERR-04-004']);
    const first = await approve(action.id, second, headers);
    expect(first).toMatchObject({ status: 200, body: { id: action.id, state: 'done' } });
    const again = await approve(action.id, second, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    const other = waiting(await grant(team.team_id, '300'));
    expect(code(await approve(other.id, second, headers))).toEqual([409, 'ERR-00-011']);
    expect(await team.posted()).toBe(200 * DOLLAR);
    expect((await approve(other.id)).status).toBe(200);
    expect(code(await approve(other.id))).toEqual([409, 'ERR-00-015']);
  });

  it('is refused after three days, once rejected or withdrawn, and by someone who lost the role', async () => {
    const team = await s.team(0);
    const late = waiting(await grant(team.team_id, '200'));
    await sql`update finance_actions set expires_at = now() where id = ${late.id}`.execute(db());
    expect(code(await approve(late.id))).toEqual([409, 'ERR-00-015']);
    const reject = (id: number, by: TestClient) =>
      by.call('rejectAdminFinanceAction', { path: { id }, body: { reason: 'Ask the team first' } });
    const rejected = waiting(await grant(team.team_id, '300'));
    expect((await reject(rejected.id, second)).body).toMatchObject({
      state: 'rejected',
      decision: 'Ask the team first',
    });
    const again = await approve(rejected.id);
    const { username } = await db()
      .selectFrom('users')
      .select('username')
      .where('email', '=', second.email!)
      .executeTakeFirstOrThrow();
    expect([again.status, again.body]).toMatchObject([409, { message: `Already rejected by ${username}.` }]);
    const withdrawn = waiting(await grant(team.team_id, '400'));
    expect((await reject(withdrawn.id, s.admin)).status).toBe(200);
    const former = await finance();
    const orphan = waiting(await grant(team.team_id, '500', former));
    await setRole(former, 'support');
    expect(code(await approve(orphan.id))).toEqual([409, 'ERR-00-015']);
    expect((await approve(999_999)).status).toBe(404);
    expect((await ofTeam(team.team_id)).map(({ state }) => state)).toEqual([
      'expired',
      'rejected',
      'rejected',
      'pending',
    ]);
    expect(await team.posted()).toBe(0);
  });

  it('is refused if it would now move more, and stays pending if the action itself fails', async () => {
    const team = await s.team(0);
    const small = waiting(await grant(team.team_id, '200'));
    await sql`update finance_actions set amount_micros = amount_micros - 1 where id = ${small.id}`.execute(
      db(),
    );
    expect(code(await approve(small.id))).toEqual([409, 'ERR-00-015']);
    const granted = await approve(waiting(await grant(team.team_id, '250')).id);
    expect(granted.status).toBe(200);
    const credits = await s.admin.call('listAdminCredits', {
      query: { filter: JSON.stringify({ team_id: team.team_id }) },
    });
    const [credit] = credits.body as AdminCredit[];
    const revoke = (by: TestClient) =>
      by.call('revokeAdminCredit', { path: { id: credit!.id }, body: { reason }, headers: once() });
    const [one, two] = [waiting(await revoke(s.admin)), waiting(await revoke(second))];
    expect((await approve(one.id)).status).toBe(200);
    expect((await approve(two.id, s.admin)).status).toBe(409);
    expect((await ofTeam(team.team_id)).at(-1)).toMatchObject({ id: two.id, state: 'pending' });
    expect(await team.posted()).toBe(0);
  });
});

describe('every action that moves money needs approval', () => {
  it('transfers: confirming and reversing', async () => {
    const team = await s.team(0);
    const { body } = await team.client.call('createTopUp', { body: { amount: '500' }, headers: once() });
    const found = await s.admin.call('listAdminPayments', {
      query: { filter: JSON.stringify({ q: (body as Payment).id }) },
    });
    const path = { id: (found.body as AdminPayment[])[0]!.id };
    const confirm = () =>
      s.admin.call('confirmAdminPayment', {
        path,
        body: { amount: '500', bank_reference: 'bank-1' },
        headers: once(),
      });
    expect((await approve(waiting(await confirm()).id)).status).toBe(200);
    expect(await team.posted()).toBe(500 * DOLLAR);
    // Confirming the same transfer again changes nothing, so no approval is needed.
    expect((await confirm()).status).toBe(200);
    const reversal = await s.admin.call('reverseAdminPayment', {
      path,
      body: { bank_reference: 'bank-1', reason },
      headers: once(),
    });
    expect(waiting(reversal)).toMatchObject({ action: 'reverse_payment', amount: '500.00' });
    expect((await approve(waiting(reversal).id)).status).toBe(200);
    expect(await team.posted()).toBe(0);
  });

  it('orders: refunds with and without canceling', async () => {
    const team = await s.team(600 * DOLLAR);
    const product = await s.offer({ price: '300.00', refund_percent: 100 });
    const [kept, ended] = [await s.ordered(team.client, product), await s.ordered(team.client, product)];
    const row = async (id: string) =>
      (
        (await s.admin.call('listAdminOrders', { query: { filter: JSON.stringify({ q: id }) } }))
          .body as AdminOrder[]
      )[0]!;
    const refund = await s.admin.call('refundAdminOrder', {
      path: { id: (await row(kept.id)).id },
      body: { amount: '150', reason },
      headers: once(),
    });
    expect(waiting(refund).title).toBe(`Refund order “${kept.name}”, $150.00`);
    expect((await approve(waiting(refund).id)).status).toBe(200);
    const cancel = await s.admin.call('cancelAdminOrder', {
      path: { id: (await row(ended.id)).id },
      body: { refund: '250', reason },
      headers: once(),
    });
    expect(waiting(cancel)).toMatchObject({ action: 'cancel_order', amount: '250.00' });
    expect(await row(ended.id)).toMatchObject({ state: 'active' });
    expect((await approve(waiting(cancel).id)).status).toBe(200);
    expect(await row(ended.id)).toMatchObject({ state: 'refunded', refunded: '250.00' });
    expect(await team.posted()).toBe(400 * DOLLAR);
  });

  it.each([
    ['voidAdminInvoice', 'void_invoice', 'void'],
    ['writeOffAdminInvoice', 'write_off_invoice', 'uncollectible'],
    ['createAdminCreditNote', 'credit_invoice', 'paid'],
  ] as const)('invoices: %s', async (operation, action, state) => {
    const team = await s.team(300 * DOLLAR);
    await s.ordered(team.client, await s.offer({ price: '300.00' }));
    // An invoice is paid when it is issued unless the team owes money.
    if (state !== 'paid') await s.books.topUp(team.team_id, -DOLLAR);
    const invoice = await invoiced(team.team_id);
    const answer = await s.admin.call(operation, {
      path: { id: invoice.id },
      body: { reason },
      headers: once(),
    });
    expect(waiting(answer)).toMatchObject({ action, amount: '300.00', target: invoice.public_id });
    expect((await approve(waiting(answer).id)).status).toBe(200);
    const { body } = await s.admin.call('getAdminInvoice', { path: { id: invoice.id } });
    expect(body).toMatchObject({ state });
  });

  it('voiding a draft, for the tax that would never be charged', async () => {
    const team = await s.team(0);
    await s.books.topUp(team.team_id, 3000 * DOLLAR);
    await s.ordered(team.client, await s.offer({ price: '2000.00' }));
    const draft = await drafted(team.team_id);
    const { invoicing } = s.server.services.config;
    const rules = { ...invoicing };
    Object.assign(invoicing, { tax_rule: 'fixed', tax_rate: 1900 });
    const answer = await s.admin
      .call('voidAdminInvoice', {
        path: { id: draft.id },
        body: { reason },
        headers: once(),
      })
      .finally(() => Object.assign(invoicing, rules));
    expect(waiting(answer)).toMatchObject({
      action: 'void_invoice',
      amount: '380.00',
      target: draft.public_id,
    });
  });

  it('a credit note, with the tax it returns', async () => {
    const team = await s.team(200 * DOLLAR);
    await s.ordered(team.client, await s.offer({ price: '90.00' }));
    const { id } = await invoiced(team.team_id, { tax_rule: 'fixed', tax_rate: 1900 });
    const credit = (body: object) =>
      s.admin.call('createAdminCreditNote', { path: { id }, body, headers: once() });
    expect((await credit({ amount: '90.01', reason })).status).toBe(422);
    const all = waiting(await credit({ reason }));
    expect(all).toMatchObject({ action: 'credit_invoice', amount: '107.10' });
    expect((await approve(all.id)).status).toBe(200);
    expect(await team.posted()).toBe(200 * DOLLAR);
  });
});

it('is limited to staff who may move money', async () => {
  const team = await s.team(0);
  const action = waiting(await grant(team.team_id, '200'));
  const support = await s.server.register();
  await setRole(support, 'support');
  expect((await support.call('listAdminFinanceActions')).status).toBe(200);
  expect((await approve(action.id, support)).status).toBe(403);
  expect((await approve(action.id, team.client)).status).toBe(403);
});
