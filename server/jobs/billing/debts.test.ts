import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminOrderProduct,
  Budget,
  DebtStatus,
  NotificationPage,
  Payment,
  Session,
} from '../../../generated/api/types.gen';
import { insertBudget } from '../../db/billing/budgets';
import { postponingPayment } from '../../db/billing/debts';
import { lockLedger, post, postedBalance } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { WebhookRow } from '../../db/webhooks/webhooksTable';
import { periodOf } from '../../domain/billing/budget';
import { transfer } from '../../domain/billing/ledger';
import { identityOf, insertApp, insertCvm } from '../../testing/cvmFixtures';
import { startHostedTeam, at, type HostedTeam } from '../../testing/hostedTeam';
import { eventually, type TestClient } from '../../testing/server';
import { insertTestWebhook } from '../../testing/teamFixtures';
import { closeUsage } from './closeUsage';
import { watchDebts } from './debts';
import { startBooks } from './testing/books';

const DAY = 86_400_000;
const DAYS = { grace: 3, keep: 30, pending: 14 };

/** The server's own job also runs, on the real clock, at which only starting and settling debts is due. */
let team: HostedTeam;
let owner: TestClient;
let team_id: number;
let count = 0;

beforeAll(async () => {
  team = await startHostedTeam('debtor', { BILLING_ENFORCEMENT: 'on' });
  owner = team.member;
  const row = await db()
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', owner.slug!)
    .executeTakeFirstOrThrow();
  team_id = row.id;
});
afterAll(() => team.close());

const db = () => team.server.services.db;
const run = (now: Date) => {
  const { jobs, log } = team.server.services;
  return watchDebts({ db: db(), jobs, log, now, days: DAYS });
};

/** Changes the posted balance. */
const book = (amount: number, id = team_id) =>
  withTransaction(db(), async (trx) => {
    await lockLedger(trx, id);
    await post(trx, {
      team_id: id,
      kind: 'adjustment',
      source_type: 'test',
      source_id: String(++count),
      description: 'Test',
      effective_at: new Date(),
      entries: transfer('adjustment', 'prepaid', amount),
    });
  });

const status = async (client = owner) => (await client.call('getDebt')).body as DebtStatus;
const openDebt = async (id = team_id) =>
  db()
    .selectFrom('debts')
    .selectAll()
    .where('team_id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
const after = (time: Date, days: number) => new Date(time.getTime() + days * DAY);
const isIn = (cvm: CvmRow, state: string) =>
  eventually(`the CVM is ${state}`, async () => (await team.now(cvm)).status === state || null);
/** Repeats the run, as a worker does, until each CVM was idle. */
const untilStopped = (cvms: readonly CvmRow[], at: Date) =>
  eventually('the CVMs are stopped', async () => {
    await run(at);
    const now = await Promise.all(cvms.map((cvm) => team.now(cvm)));
    return now.every(({ status: state }) => state === 'stopped') || null;
  });
/** Reserves the CVM for a day. It must be the only one of its type. */
async function cover({ id }: CvmRow): Promise<void> {
  const instance_type = 'tdx.xlarge';
  await book(100_000_000);
  await run(new Date());
  const { body } = await owner.call('createAdminOrderProduct', {
    body: { name: 'A day', instance_type, period: 'day', price: '1.00', stock: 1 },
  });
  const { public_id, version } = body as AdminOrderProduct;
  const ordered = await owner.call('createOrder', {
    headers: { 'idempotency-key': 'covers-a-stopped-one' },
    body: { product_id: public_id, periods: 1, version, total: '1.00' },
  });
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
  await db().updateTable('cvms').set({ instance_type }).where('id', '=', id).execute();
}
/** Returns what the system did to a CVM or a debt, from the audit log. */
const audited = async ({ public_id }: { public_id: string }) =>
  (
    await db()
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', public_id)
      .where('actor_kind', '=', 'system')
      .where('team_id', '=', team_id)
      .where('action', 'like', '%debt%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);
/** Creates a team webhook whose URL is refused when sending. */
async function chatWebhook(): Promise<WebhookRow> {
  const { webhook } = await insertTestWebhook(db(), team.server.services.seal, {
    team: { id: team_id, slug: owner.slug!, name: 'Debtor' },
    url: 'https://127.0.0.1/',
    events: ['debt.alert', 'debt.settled'],
    format: 'slack',
  });
  return webhook;
}
/** Returns chat texts without invisible characters. */
const chatTexts = async ({ id }: WebhookRow) =>
  (
    await db()
      .selectFrom('webhook_deliveries')
      .select('body')
      .where('webhook_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ body }) => (JSON.parse(body) as { text: string }).text.replaceAll('\u2060', ''));
const titles = async () => {
  const { body } = await owner.call('listNotifications');
  return (body as NotificationPage).data.filter(({ kind }) => kind === 'debt').map(({ title }) => title);
};

describe('a debt', () => {
  it('check 38: is noticed, stops CVMs after the grace period, and is settled before anything is deleted', async () => {
    const { cvm } = await team.running();
    const webhook = await chatWebhook();
    expect((await status()).debt).toBeNull();
    await book(-5_000_000);
    await run(new Date());
    const debt = (await openDebt())!;
    expect(debt.stops_at).toEqual(after(debt.started_at, 3));
    expect(debt.deletes_at).toEqual(after(debt.started_at, 33));
    const seen = await status();
    expect(seen.debt).toMatchObject({
      stage: 'grace',
      stops_at: debt.stops_at.toISOString(),
      deletes_at: debt.deletes_at.toISOString(),
      stopped_at: null,
    });
    expect(Number(seen.debt!.due)).toBeGreaterThanOrEqual(5);
    expect(await titles()).toEqual(['Payment due']);
    await run(after(debt.started_at, 2.9));
    expect(await titles()).toEqual(['Payment due: CVMs stop within a day']);
    expect((await team.now(cvm)).status).toBe('running');

    await untilStopped([cvm], debt.stops_at);
    await run(after(debt.stops_at, 1));
    expect((await status()).debt).toMatchObject({ stopped_at: expect.any(String) });
    expect(await titles()).toEqual(['CVMs are stopped because a payment is due']);
    const start = await owner.call('startCvm', { path: at(cvm) });
    expect(start.status).toBe(402);

    await run(after(debt.started_at, 32));
    expect((await team.now(cvm)).deleted_at).toBeNull();
    expect(await titles()).toEqual(['Payment due: disks are deleted within a week']);
    await book(10_000_000);
    await run(after(debt.started_at, 32));
    await isIn(cvm, 'running');
    const settled = await status();
    expect(settled.debt).toBeNull();
    expect(settled.settled_at).not.toBeNull();
    expect(await openDebt()).toBeUndefined();
    expect(await audited(cvm)).toEqual(['cvm.debt_stop', 'cvm.debt_start']);
    expect(await audited(debt)).toEqual(['debt.start', 'debt.settle']);
    await run(after(debt.started_at, 40));
    expect((await team.now(cvm)).deleted_at).toBeNull();
    // A webhook gets the same notices in this order; the team's event list gets none of them.
    const texts = await eventually('the webhook has every notice', async () => {
      const found = await chatTexts(webhook);
      return found.length >= 5 ? found : undefined;
    });
    for (const [i, words] of [
      'Payment due. $',
      'Payment due: CVMs stop within a day. $',
      'CVMs are stopped because a payment is due. $',
      'Payment due: disks are deleted within a week. $',
      'The debt is settled.',
    ].entries())
      expect(texts[i]).toContain(words);
    expect(texts).toHaveLength(5);
    expect(texts[0]).toContain(`${team.server.services.config.publicUrl}/debt-settlement?team=${owner.slug}`);
    const listed = await db().selectFrom('events').select('kind').where('kind', 'like', 'debt.%').execute();
    expect(listed).toEqual([]);
  });

  it('check 38: moves CVMs to the recycle bin when due, but not while a payment is pending', async () => {
    const { cvm } = await team.running();
    const { cvm: kept } = await team.running();
    const { balance } = (await owner.call('getBilling')).body as { balance: string };
    await book(-Math.ceil(Number(balance) + 5) * 1_000_000);
    await run(new Date());
    const debt = (await openDebt())!;
    await db().updateTable('cvms').set({ protected: true }).where('id', '=', kept.id).execute();
    const others = await db()
      .selectFrom('cvms')
      .selectAll()
      .where('team_id', '=', team_id)
      .where('deleted_at', 'is', null)
      .execute();
    const { body } = await owner.call('createTopUp', {
      body: { amount: '20' },
      headers: { 'idempotency-key': 'debt-1' },
    });
    // The payment was made shortly before the deletion was due.
    await db()
      .updateTable('payments')
      .set({ created_at: after(debt.deletes_at, -1) } as never)
      .where('public_id', '=', (body as Payment).id)
      .execute();
    await untilStopped(others, debt.stops_at);
    await run(debt.deletes_at);
    expect((await status()).payment_pending).toBe(true);
    // A payment doesn't postpone if it covers less than the debt, is too old, or isn't the one recorded first.
    const { id, postponing_payment } = (await openDebt())!;
    expect(postponing_payment).not.toBeNull();
    const postpones = (first: number | null, due: number, days: number) =>
      postponingPayment(
        db(),
        { team_id, postponing_payment: first },
        { due: due * 1_000_000, now: after(debt.deletes_at, days), days: DAYS.pending },
      );
    expect(await postpones(null, 20, 12)).toBe(postponing_payment);
    expect(await postpones(null, 20.01, 0)).toBeNull();
    expect(await postpones(null, 5, 14)).toBeNull();
    expect(await postpones(id + 1_000_000, 5, 0)).toBeNull();
    // An abandoned checkout page doesn't count as a pending payment.
    const paidBy = (driver: 'stripe' | 'manual') =>
      db().updateTable('payments').set({ driver }).where('id', '=', postponing_payment!).execute();
    await paidBy('stripe');
    expect(await postpones(null, 20, 12)).toBeNull();
    // An automatic payment counts as pending until the bank requires the payer's confirmation.
    const automatic = (reason: string | null) =>
      db()
        .updateTable('payments')
        .set({ automatic: true, reason })
        .where('id', '=', postponing_payment!)
        .execute();
    await automatic(null);
    expect(await postpones(null, 20, 12)).toBe(postponing_payment);
    await automatic('The card’s bank asks for confirmation.');
    expect(await postpones(null, 20, 12)).toBeNull();
    await db()
      .updateTable('payments')
      .set({ automatic: false, reason: null })
      .where('id', '=', postponing_payment!)
      .execute();
    await paidBy('manual');
    expect((await team.now(cvm)).status).toBe('stopped');

    await owner.call('cancelTopUp', { path: { payment_id: (body as Payment).id } });
    await run(debt.deletes_at);
    for (const one of others) expect((await team.now(one)).deleted_at, one.name).not.toBeNull();
    await isIn(kept, 'stopped');
    await run(after(debt.deletes_at, 1));
    expect((await status()).debt).toMatchObject({ stage: 'deleted', deleted_at: expect.any(String) });
    expect(await titles()).toContain('CVMs are deleted because a payment was due');
    // The disk is in the recycle bin regardless of deletion protection, and returns once the debt is settled.
    const bin = await team.now(kept);
    expect(bin.purge_at!.getTime()).toBeGreaterThan(bin.deleted_at!.getTime());
    const refused = await owner.call('restoreCvm', { path: at(kept), body: {} });
    expect([refused.status, (refused.body as unknown as { code: string }).code]).toEqual([402, 'ERR-04-001']);
    await book(100_000_000);
    await run(new Date());
    expect((await status()).debt).toBeNull();
    const restored = await owner.call('restoreCvm', { path: at(kept), body: {} });
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    expect(await audited(kept)).toEqual(['cvm.debt_stop', 'cvm.debt_delete']);
  });

  it('leaves a CVM stopped whose budget is exhausted by then, but not one that an order covers', async () => {
    const { cvm } = await team.running();
    const { cvm: covered } = await team.running();
    await cover(covered);
    await book(-600_000_000);
    await run(new Date());
    await run((await openDebt())!.stops_at);
    await isIn(cvm, 'stopped');
    await isIn(covered, 'stopped');
    const { from } = periodOf('month', new Date());
    const budgets: string[] = [];
    for (const { app_id } of [cvm, covered]) {
      const budget = { team_id, app_id, period: 'month', amount_micros: 1, action: 'stop' } as const;
      const id = await withTransaction(db(), (trx) => insertBudget(trx, { ...budget, alerts: [100] }));
      budgets.push(id ?? '');
    }
    await db()
      .updateTable('budgets')
      .set({ used_up_at: new Date(), period_start: from })
      .where('public_id', 'in', budgets)
      .execute();
    await book(600_000_000);
    await run(new Date());
    expect(await openDebt()).toBeUndefined();
    await isIn(covered, 'running');
    expect(await audited(covered)).toEqual(['cvm.debt_stop', 'cvm.debt_start']);
    expect((await team.now(cvm)).status).toBe('stopped');
    expect(await audited(cvm)).toEqual(['cvm.debt_stop']);
    const { body } = await owner.call('listBudgets');
    const stopped = new Map((body as { items: Budget[] }).items.map((one) => [one.id, one.stopped_cvms]));
    expect(budgets.map((id) => stopped.get(id))).toEqual([1, 0]);
  });

  it("starts below the team's credit limit, not below zero", async () => {
    const client = team.stranger;
    const { id } = await db()
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', client.slug!)
      .executeTakeFirstOrThrow();
    await db().updateTable('teams').set({ post_paid_cap_micros: 50_000_000 }).where('id', '=', id).execute();
    await book(-40_000_000, id);
    await run(new Date());
    expect(await openDebt(id)).toBeUndefined();
    await book(-11_000_000, id);
    await run(new Date());
    expect((await status(client)).debt).toMatchObject({ stage: 'grace', due: '1.00' });
  });

  it('check 26: starts with usage beyond the balance, which is booked in full', async () => {
    const client = await team.server.register();
    const { team_id: id } = await identityOf(db(), client.email!);
    const books = await startBooks({ db: db() });
    await books.topUp(id, 50_000);
    const hour = (back: number) => new Date(Math.floor(Date.now() / 3_600_000 - back) * 3_600_000);
    await books.cvm(id, [
      ['running', hour(3).toISOString()],
      ['deleted', hour(2).toISOString()],
    ]);
    const { log } = team.server.services;
    await closeUsage({ db: db(), log, now: new Date() });
    expect(await books.charged(id)).toBe(58_000);
    expect(await postedBalance(db(), id)).toMatchObject({ prepaid: -8_000 });
    expect((await client.call('getBilling')).body).toMatchObject({ balance: '-0.008' });
    await run(new Date());
    expect((await status(client)).debt).toMatchObject({ stage: 'grace', due: '0.008' });
  });

  it('leaves CVMs alone that the team stopped', async () => {
    const client = await team.server.register();
    const { id } = await db()
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', client.slug!)
      .executeTakeFirstOrThrow();
    const app = await insertApp(db(), { team_id: id, host: team.host, name: 'idle' });
    const cvm = await insertCvm(db(), {
      ...app,
      host: team.host,
      change: { status: 'stopped', desired: 'stopped' },
    });
    await book(-1_000_000, id);
    await run(new Date());
    await run((await openDebt(id))!.stops_at);
    await book(2_000_000, id);
    await run(new Date());
    expect((await team.now(cvm)).status).toBe('stopped');
    const operations = await db()
      .selectFrom('operations')
      .select('id')
      .where('cvm_id', '=', cvm.id)
      .execute();
    expect(operations).toEqual([]);
  });
});

describe('debt visibility', () => {
  it('members see the dates in their session; the amount is for those allowed to read it', async () => {
    await book(-200_000_000);
    await run(new Date());
    const debt = (await openDebt())!;
    const session = (await team.colleague.call('getSession')).body as Session;
    expect(session.teams.find(({ slug }) => slug === owner.slug)?.debt).toEqual({
      stage: 'grace',
      stops_at: debt.stops_at.toISOString(),
      deletes_at: debt.deletes_at.toISOString(),
    });
    expect((await team.colleague.call('getDebt')).status).toBe(403);
    const foreign = team.stranger.with({ 'x-workspace': owner.slug! });
    expect((await foreign.call('getDebt')).status).toBe(404);
  });
});
