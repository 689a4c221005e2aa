import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Budget, NotificationPage, Problem } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { identityOf } from '../../testing/cvmFixtures';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually, type TestClient } from '../../testing/server';
import { startBooks } from './testing/books';
import { watchBudgets } from './watchBudgets';

/* Budgets with a worker and a host. The server's own job also runs; each check gives the same result. */

let team: HostedTeam;
let owner: TestClient;
let team_id: number;

beforeAll(async () => {
  team = await startHostedTeam('thrifty');
  owner = team.member;
  ({ team_id } = await identityOf(db(), owner.email!));
  const books = await startBooks(team.server.services);
  // It used about $1,000 in the last second, and is stopped.
  const spender = await books.cvm(team_id, [
    ['running', new Date(Date.now() - 1000).toISOString(), { hourly_rate_micros: 3_600_000_000_000 }],
  ]);
  await db()
    .updateTable('cvms')
    .set({ status: 'stopped', desired: 'stopped' })
    .where('id', '=', spender)
    .execute();
});
afterAll(() => team.close());

const db = () => team.server.services.db;
const run = () => {
  const { jobs, log } = team.server.services;
  return watchBudgets({ db: db(), jobs, log, now: new Date() });
};
const isIn = (cvm: CvmRow, state: string) =>
  eventually(`the CVM is ${state}`, async () => (await team.now(cvm)).status === state || null);
const budgetOf = async (id: string) =>
  ((await owner.call('listBudgets')).body as { items: Budget[] }).items.find((one) => one.id === id);
const create = async (body: object) =>
  (await owner.call('createBudget', { body: { period: 'month', ...body } })).body as Budget;
const set = (budget: Budget, body: object) =>
  owner.call('updateBudget', { path: { budget_id: budget.id }, body });
const startAll = (budget: Budget) => owner.call('startBudgetCvms', { path: { budget_id: budget.id } });
const notices = async () =>
  ((await owner.call('listNotifications')).body as NotificationPage).data.filter(
    ({ kind }) => kind === 'budget',
  );
const audited = async ({ public_id }: { public_id: string }) =>
  (
    await db()
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', public_id)
      .where('action', 'like', '%budget%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

it('check 37: stops CVMs at 100%, keeps their disks, and offers to start them once it is raised', async () => {
  const { cvm } = await team.running();
  const budget = await create({ amount: '100000', action: 'stop' });
  await run();
  expect((await team.now(cvm)).status).toBe('running');
  expect(await notices()).toEqual([]);

  expect((await set(budget, { amount: '10' })).body).toMatchObject({ used_up_at: expect.any(String) });
  await run();
  await isIn(cvm, 'stopped');
  expect((await team.now(cvm)).deleted_at).toBeNull();
  expect(await budgetOf(budget.id)).toMatchObject({ stopped_cvms: 1 });
  const [notice] = await eventually('payers are notified', async () =>
    (await notices()).length > 0 ? notices() : null,
  );
  expect(notice).toMatchObject({ title: 'The monthly team budget is used up', severity: 'error' });
  const refused = await owner.call('startCvm', { path: at(cvm) });
  expect([refused.status, (refused.body as unknown as Problem).code]).toEqual([409, 'ERR-04-008']);
  expect((await startAll(budget)).status).toBe(409);

  expect((await set(budget, { amount: '100000' })).body).toMatchObject({ used_up_at: null, stopped_cvms: 1 });
  await run();
  expect((await team.now(cvm)).status).toBe('stopped');
  expect((await startAll(budget)).body).toMatchObject({ stopped_cvms: 0 });
  await isIn(cvm, 'running');
  expect(await audited(cvm)).toEqual(['cvm.budget_stop']);
  expect(await audited({ public_id: budget.id })).toEqual([
    'budget.create',
    'budget.used_up',
    'budget.update',
    'budget.over',
    'budget.update',
    'budget.start',
  ]);
  await eventually(
    'the notification is resolved',
    async () => (await notices()).every(({ resolved_at }) => resolved_at !== null) || null,
  );
  expect((await owner.call('deleteBudget', { path: { budget_id: budget.id } })).status).toBe(204);
});

it('of an app covers that app only, and a CVM started since is not started again', async () => {
  const { cvm } = await team.running();
  const { cvm: other } = await team.running();
  const app = await db()
    .selectFrom('apps')
    .select(['app_id', 'name'])
    .where('id', '=', cvm.app_id)
    .executeTakeFirstOrThrow();
  const budget = await create({ app_id: `app_${app.app_id}`, amount: '0.01', action: 'stop' });
  expect(budget.app).toEqual(app);
  // At its regular price, that would take minutes.
  await db()
    .insertInto('cvm_state_changes')
    .values({
      cvm_id: cvm.id,
      status: 'running',
      vcpu: 1,
      memory_mb: 2048,
      disk_gb: 20,
      hourly_rate_micros: 3_600_000_000,
      gpu_rate_micros: 0,
      at: new Date(),
    })
    .execute();
  await eventually('the budget is used up', async () => {
    await run();
    return ((await budgetOf(budget.id))?.used_up_at ?? null) !== null || null;
  });
  await run();
  await isIn(cvm, 'stopped');
  expect((await team.now(other)).status).toBe('running');
  expect(await budgetOf(budget.id)).toMatchObject({ stopped_cvms: 1 });
  await set(budget, { amount: '100000' });
  expect((await owner.call('startCvm', { path: at(cvm) })).status).toBe(200);
  await isIn(cvm, 'running');
  expect((await owner.call('shutdownCvm', { path: at(cvm) })).status).toBe(200);
  await isIn(cvm, 'stopped');
  expect((await startAll(budget)).body).toMatchObject({ stopped_cvms: 0 });
  expect((await team.now(cvm)).status).toBe('stopped');
});
