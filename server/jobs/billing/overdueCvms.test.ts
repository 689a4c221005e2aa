import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminOrderProduct, Problem, Rollout } from '../../../generated/api/types.gen';
import { beginOperation } from '../../db/activity/operations';
import { insertBudget } from '../../db/billing/budgets';
import { openDebt } from '../../db/billing/debts';
import { lockLedger, post } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import { STOPPED, type CvmChange, type CvmRow } from '../../db/cvms/cvmsTable';
import { periodOf } from '../../domain/billing/budget';
import { transfer } from '../../domain/billing/ledger';
import type { VmInfo } from '../../drivers/vmm';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { at, composeWith } from '../../testing/hostedTeam';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { advance } from '../apps/rolloutSteps';
import type { RolloutWorld } from '../apps/rollouts';
import { reconcileCvm } from '../cvms/reconcileCvm';
import { watchBudgets } from './watchBudgets';
import { watchDebts } from './debts';

/*
 * The jobs that stop CVMs skip busy ones, so nothing may keep a CVM busy and running once it must stop. No
 * worker runs, so operations stay as the tests leave them.
 */

const DAYS = { grace: 0, keep: 30, pending: 14 };

let server: TestServer;
let admin: TestClient;
let host: TestHost;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
  host = await insertHost(db(), { name: 'overdue' });
});
afterAll(() => server.stop());

const db = () => server.services.db;
const parts = () => ({ db: db(), jobs: server.services.jobs, log: server.services.log, now: new Date() });
const stateOf = async ({ id }: CvmRow) =>
  (await db().selectFrom('cvms').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
const codeOf = ({ status, body }: { status: number; body: unknown }) => `${status} ${(body as Problem).code}`;
const DEBT = '402 ERR-04-001';
const BUDGET = '409 ERR-04-008';

async function team() {
  const client = await server.register();
  const who = await identityOf(db(), client.email!);
  const app = await insertApp(db(), { ...who, host, name: `overdue-${++count}` });
  const cvm = (change: CvmChange = {}) => insertCvm(db(), { ...app, host, ...who, change });
  const book = (amount: number) =>
    withTransaction(db(), async (trx) => {
      await lockLedger(trx, who.team_id);
      await post(trx, {
        team_id: who.team_id,
        kind: 'adjustment',
        source_type: 'test',
        source_id: `overdue-${++count}`,
        description: 'Test',
        effective_at: new Date(),
        entries: transfer('adjustment', 'prepaid', amount),
      });
    });
  return {
    client,
    ...who,
    app,
    cvm,
    book,
    /** One that an order covers. */
    async covered() {
      await book(1_000_000);
      const instance_type = 'tdx.xlarge';
      const offered = await admin.call('createAdminOrderProduct', {
        body: { name: `Day ${++count}`, instance_type, period: 'day', price: '1.00', stock: 1 },
      });
      const { public_id, version } = offered.body as AdminOrderProduct;
      const ordered = await client.call('createOrder', {
        headers: { 'idempotency-key': `overdue-${++count}` },
        body: { product_id: public_id, periods: 1, version, total: '1.00' },
      });
      expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
      const made = await cvm({ instance_type });
      expect(made.covers).toBe('cvm');
      return made;
    },
    /** Starts a debt that stops CVMs from now on, before the job has seen them. */
    async owe() {
      await book(-5_000_000);
      await withTransaction(db(), (trx) => openDebt(trx, who.team_id, new Date(), DAYS));
    },
    async useUpBudget() {
      const public_id = await withTransaction(db(), (trx) =>
        insertBudget(trx, {
          team_id: who.team_id,
          app_id: null,
          period: 'month',
          amount_micros: 1,
          alerts: [100],
          action: 'stop',
        }),
      );
      await db()
        .updateTable('budgets')
        .set({ used_up_at: new Date(), period_start: periodOf('month', new Date()).from })
        .where('public_id', '=', public_id)
        .execute();
    },
  };
}

/** Every action of a member that leaves a CVM running. */
const attempts = (client: TestClient, cvm: CvmRow) => [
  () => client.call('restartCvm', { path: at(cvm), body: { force: true } }),
  () => client.call('startCvm', { path: at(cvm) }),
  () => client.call('updateCvmVisibility', { path: at(cvm), body: { public_logs: false } }),
  () => client.call('updateCvmEnvs', { path: at(cvm), body: { encrypted_env: 'a1'.repeat(80) } }),
  () => client.call('updateCvmResources', { path: at(cvm), body: { vcpu: 1, memory: 1024 } }),
];

it('a CVM that a debt stops can’t be kept running, and can be stopped', async () => {
  const { client, cvm, owe, book } = await team();
  const [busy, other] = [await cvm(), await cvm()];
  await owe();
  for (const attempt of attempts(client, busy)) expect(codeOf(await attempt())).toBe(DEBT);
  const refused = (await client.call('restartCvm', { path: at(busy) })).body as unknown as Problem;
  expect(JSON.stringify(refused)).toMatch(/\$5\.00 is due\. CVMs are stopped until it is paid\./);
  expect((await client.call('getCvm', { path: at(busy) })).status).toBe(200);
  expect((await client.call('shutdownCvm', { path: at(other) })).status).toBe(200);
  await watchDebts({ ...parts(), days: DAYS });
  expect(await stateOf(busy)).toBe('shutting_down');
  // Canceling the stop is refused too, until the debt is settled.
  const cancel = () => client.call('cancelCvmOperation', { path: at(busy) });
  expect(codeOf(await cancel())).toBe(DEBT);
  await book(10_000_000);
  expect((await cancel()).status).toBe(202);
  expect(await stateOf(busy)).toBe('running');
  expect((await client.call('restartCvm', { path: at(busy) })).status).toBe(200);
});

it('before its date, a debt leaves CVMs alone', async () => {
  const { client, cvm, team_id, book } = await team();
  const running = await cvm();
  await book(-5_000_000);
  await withTransaction(db(), (trx) => openDebt(trx, team_id, new Date(), { ...DAYS, grace: 3 }));
  expect((await client.call('restartCvm', { path: at(running) })).status).toBe(200);
});

it('a debt also stops CVMs that an order covers; updates of stopped CVMs and platform staff are not refused', async () => {
  const { client, covered, cvm, owe } = await team();
  const running = await covered();
  const stopped = await cvm({ status: 'stopped', desired: 'stopped' });
  await owe();
  expect(codeOf(await client.call('restartCvm', { path: at(running) }))).toBe(DEBT);
  expect(codeOf(await client.call('startCvm', { path: at(running) }))).toBe(DEBT);
  const update = { path: at(stopped), body: { public_logs: false } };
  expect((await client.call('updateCvmVisibility', update)).status).toBe(200);
  expect((await admin.call('restartAdminCvm', { path: { id: running.vm_uuid } })).status).toBe(200);
});

it('a CVM that a used-up budget stops can’t be kept running, unless an order covers it', async () => {
  const { client, covered, cvm, book, useUpBudget } = await team();
  await book(100_000_000);
  // One second costs more than the budget, and more than that passes before the job runs.
  const busy = await cvm({ hourly_rate_micros: 3_600_000 });
  const free = await covered();
  await useUpBudget();
  for (const attempt of attempts(client, busy)) expect(codeOf(await attempt())).toBe(BUDGET);
  expect((await client.call('restartCvm', { path: at(free) })).status).toBe(200);
  await watchBudgets({ ...parts(), now: new Date(Date.now() + 5_000) });
  expect(await stateOf(busy)).toBe('shutting_down');
  expect(codeOf(await client.call('cancelCvmOperation', { path: at(busy) }))).toBe(BUDGET);
});

/** Runs a reconciler round in which the CVM's host lists its VM in this state. */
async function seeAs({ id, host_vm_id }: CvmRow, status: 'stopped' | 'exited' | 'running'): Promise<void> {
  const row = await db().selectFrom('cvms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const vm: VmInfo = {
    id: host_vm_id!,
    name: row.vm_uuid,
    status,
    uptime: '',
    app_url: null,
    app_id: '',
    instance_id: row.instance_id,
    configuration: null,
    exited_at: null,
    boot_progress: status === 'running' ? 'booting' : '',
    boot_error: '',
    shutdown_progress: '',
    image_version: '',
    events: [],
    interfaces: [],
  };
  const seen = { vm, host: 'overdue', asked_at: new Date(), inquiry: null };
  const { jobs, config } = server.services;
  await reconcileCvm({ db: db(), jobs, terms: config }, row, seen);
}
const messagesOf = async ({ id }: CvmRow) =>
  (await db().selectFrom('events').select('message').where('cvm_id', '=', id).execute()).map(
    ({ message }) => message,
  );
const statesOf = (...cvms: CvmRow[]) => Promise.all(cvms.map(stateOf));

it('a CVM whose VM stopped isn’t started while a debt stops CVMs, but is once the debt is settled', async () => {
  const { cvm, owe, book } = await team();
  const [crashed, booting, other] = [await cvm(), await cvm(), await cvm()];
  const found = await cvm({ status: 'lost' });
  await seeAs(other, 'exited');
  expect(await statesOf(other), 'nothing is due yet').toEqual(['starting']);
  await owe();
  await seeAs(crashed, 'exited');
  await seeAs(found, 'stopped');
  await seeAs(booting, 'running');
  expect(await statesOf(crashed, found, booting)).toEqual(['stopped', 'stopped', 'running']);
  expect(await messagesOf(crashed)).toContain('Not started again: a payment is due. The disk is kept');
  await seeAs(crashed, 'exited');
  expect(await statesOf(crashed)).toEqual(['stopped']);
  await watchDebts({ ...parts(), days: DAYS });
  expect(await statesOf(booting)).toEqual(['shutting_down']);
  await book(10_000_000);
  await watchDebts({ ...parts(), days: DAYS });
  expect(await statesOf(crashed, found)).toEqual(['starting', 'starting']);
});

it('a CVM whose VM stopped isn’t started while a budget is used up, unless an order covers it', async () => {
  const { client, covered, cvm, book, useUpBudget } = await team();
  await book(100_000_000);
  const crashed = await cvm();
  const free = await covered();
  await useUpBudget();
  await seeAs(crashed, 'exited');
  await seeAs(free, 'exited');
  expect(await statesOf(crashed, free)).toEqual(['stopped', 'starting']);
  expect(await messagesOf(crashed)).toContain('Not started again: the monthly team budget is used up');
  expect((await client.call('listBudgets')).body).toMatchObject({ items: [{ stopped_cvms: 1 }] });
});

it('a host back in service leaves CVMs stopped that a debt or a budget forbids to run', async () => {
  const [owing, frugal, other] = await Promise.all([team(), team(), team()]);
  const drain = await db()
    .insertInto('drains')
    .values({
      teepod_id: host.teepod.id,
      movable: 'stop',
      others: 'stop',
      stop_at: new Date(),
      reason: 'Test',
      state: 'succeeded',
      finished_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const drained = async ({ cvm }: Awaited<ReturnType<typeof team>>) => {
    const made = await cvm();
    const operation = await withTransaction(db(), (trx) =>
      beginOperation(trx, { cvm: made, type: 'shutdown', user_id: null }),
    );
    await db().updateTable('operations').set({ state: 'succeeded' }).where('id', '=', operation.id).execute();
    await db().updateTable('cvms').set(STOPPED).where('id', '=', made.id).execute();
    await db()
      .insertInto('drain_cvms')
      .values({
        drain_id: drain.id,
        cvm_id: made.id,
        action: 'stop',
        state: 'stopped',
        operation_id: operation.id,
      })
      .execute();
    return made;
  };
  const cvms = [await drained(owing), await drained(frugal), await drained(other)] as const;
  await owing.owe();
  await frugal.useUpBudget();
  const path = { id: host.teepod.id };
  await admin.call('cordonAdminTeepod', { path });
  const back = await admin.call('uncordonAdminTeepod', { path, body: {} });
  expect(back.status, JSON.stringify(back.body)).toBe(200);
  expect(await statesOf(...cvms)).toEqual(['stopped', 'stopped', 'starting']);
  expect(await messagesOf(cvms[0])).toContain('Not started again: a payment is due. The disk is kept');
});

it('a rollout skips CVMs that a debt stops', async () => {
  const { client, app, cvm, owe } = await team();
  const running = await cvm();
  const path = { app_id: app.app.app_id };
  const begun = await client.call('createRollout', {
    path,
    body: { docker_compose_file: composeWith('overdue') },
  });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  const { rollout_id } = begun.body as Rollout;
  await owe();
  const { id } = await db()
    .selectFrom('rollouts')
    .select('id')
    .where('public_id', '=', rollout_id)
    .executeTakeFirstOrThrow();
  const { jobs, log, vmm, compose } = server.services;
  const world: RolloutWorld = {
    db: db(),
    jobs,
    log,
    vmm,
    compose,
    collateral: null,
    fundsRequired: true,
    owner: 'overdue',
    stopping: new AbortController().signal,
  };
  await db()
    .updateTable('rollouts')
    .set({ lease_owner: 'overdue', lease_until: new Date(Date.now() + 600_000) })
    .where('id', '=', id)
    .execute();
  while (await advance(world, id));
  const { items } = (await client.call('getRollout', { path: { ...path, rollout_id } })).body as Rollout;
  expect(items).toMatchObject([
    {
      state: 'skipped',
      reason: 'payment_due',
      detail: null,
      message: 'Not updated: a payment is due, so CVMs are stopped.',
    },
  ]);
  expect(await stateOf(running)).toBe('running');
});

it('notifies the console of teams that must pay', async () => {
  const client = await server.register('charged@example.test');
  expect((await client.call('getSession')).body.features.billing).toBe(true);
});
