import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Budget, Problem } from '../../../../generated/api/types.gen';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import { sql } from 'kysely';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { COMPOSE, identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** No worker runs: budgets are checked when they change. */
let server: TestServer;
let books: Books;
let owner: TestClient;
let stranger: TestClient;
let team_id: number;
let fake: FakeVmm;
let host: TestHost;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
  stranger = await server.register();
  ({ team_id } = await identityOf(db(), owner.email!));
  books = await startBooks(server.services);
  fake = await startFakeVmm();
  host = await insertHost(db(), { name: 'budgeted', url: fake.url });
  await db()
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db(),
  );
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const db = () => server.services.db;
const create = (body: object, client = owner) =>
  client.call('createBudget', { body: { period: 'month', amount: '10', action: 'notify', ...body } });
const remove = (id: string) => owner.call('deleteBudget', { path: { budget_id: id } });
const list = async () => ((await owner.call('listBudgets')).body as { items: Budget[] }).items;
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as Problem).code];

describe('budgets', () => {
  it('are created, listed, changed and deleted', async () => {
    expect(await list()).toEqual([]);
    const made = await create({ alerts: [90, 50, 90], action: 'refuse' });
    expect(made.status).toBe(201);
    const budget = made.body as Budget;
    expect(budget).toMatchObject({
      app: null,
      period: 'month',
      amount: '10.00',
      alerts: [50, 90],
      action: 'refuse',
      used_up_at: null,
      stopped_cvms: 0,
    });
    expect(await list()).toEqual([budget]);
    expect(codeOf(await create({}))).toEqual([409, 'ERR-00-015']);
    const changed = await owner.call('updateBudget', {
      path: { budget_id: budget.id },
      body: { amount: '20', action: 'stop' },
    });
    expect(changed.body).toMatchObject({ amount: '20.00', alerts: [50, 90], action: 'stop' });
    expect((await remove(budget.id)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await remove(budget.id)).status).toBe(404);
  });

  it.each([
    ['amount', { amount: '0.001' }],
    ['amount', { amount: '1000001' }],
    ['alerts', { alerts: [] }],
    ['alerts', { alerts: [0] }],
    ['action', { action: 'delete' }],
    ['period', { period: 'year' }],
    ['app_id', { app_id: 'a'.repeat(40) }],
  ])('refuse a wrong %s', async (field, body) => {
    const { status, body: problem } = await create(body);
    expect(status).toBe(422);
    expect(JSON.stringify(problem)).toContain(field);
    expect(await list()).toEqual([]);
  });

  it('are limited to those who manage the team’s billing', async () => {
    const { id } = (await create({})).body as Budget;
    const foreign = stranger.with({ 'x-workspace': owner.slug! });
    for (const answer of [
      await foreign.call('listBudgets'),
      await create({ period: 'day' }, foreign),
      await foreign.call('updateBudget', { path: { budget_id: id }, body: { amount: '1' } }),
      await stranger.call('updateBudget', { path: { budget_id: id }, body: { amount: '1' } }),
      await stranger.call('deleteBudget', { path: { budget_id: id } }),
      await stranger.call('startBudgetCvms', { path: { budget_id: id } }),
    ])
      expect(answer.status).toBe(404);
    const { user_id } = await identityOf(db(), stranger.email!);
    await db()
      .insertInto('memberships')
      .values({ team_id, user_id, role: 'viewer', is_default: false })
      .execute();
    expect(
      (await foreign.call('updateBudget', { path: { budget_id: id }, body: { amount: '1' } })).status,
    ).toBe(403);
    await db()
      .deleteFrom('memberships')
      .where('team_id', '=', team_id)
      .where('user_id', '=', user_id)
      .execute();
    await remove(id);
  });

  it('are limited to 50', async () => {
    for (let n = 0; n < 50; n++) {
      const hex = n.toString(16).padStart(40, '0');
      await db()
        .insertInto('apps')
        .values({
          public_id: `prj_${n}`,
          app_id: hex,
          team_id,
          kms_id: host.kms.id,
          name: `app-${n}`,
        } as never)
        .execute();
      expect((await create({ app_id: `0x${hex}` })).status).toBe(201);
    }
    expect(codeOf(await create({}))).toEqual([409, 'ERR-00-015']);
    expect((await list()).map(({ app: of }) => of?.name).slice(0, 2)).toEqual(['app-0', 'app-1']);
    for (const { id } of await list()) await remove(id);
  });
});

describe('usage', () => {
  it('matches the cost page, posted or not', async () => {
    const from = new Date();
    from.setUTCHours(from.getUTCHours() - 3, 0, 0, 0);
    await books.cvm(team_id, [['running', from.toISOString(), { hourly_rate_micros: 1_000_000 }]]);
    await closeUsage({ db: db(), log: server.services.log, now: new Date() });
    const today = new Date().toISOString().slice(0, 10);
    const { id } = (await create({ period: 'day', amount: '1000' })).body as Budget;
    const cost = await owner.call('getTeamCost', { query: { from: `${today}T00:00:00Z` } });
    const budget = (await list()).find((one) => one.id === id);
    const spent = Number((cost.body as { amount: string }).amount);
    // At $1 an hour, the time between the two requests costs less than a cent.
    expect(Number(budget?.used) - spent).toBeGreaterThanOrEqual(0);
    expect(Number(budget?.used) - spent).toBeLessThan(0.5);
    await remove(id);
  });

  it('blocks deployments while it exceeds the budget, unless the budget only notifies', async () => {
    const { id } = (await create({ amount: '0.01', action: 'notify' })).body as Budget;
    const body = {
      name: 'over-budget',
      instance_type: 'tdx.small',
      kms_id: host.kms.public_id,
      compose_file: { docker_compose_file: COMPOSE },
    };
    const preflight = async () =>
      ((await owner.call('deployPreflight', { body })).body as { refusal: { limit: string } | null }).refusal;
    expect(await preflight()).toBeNull();
    await owner.call('updateBudget', { path: { budget_id: id }, body: { action: 'refuse' } });
    expect(await preflight()).toMatchObject({ limit: 'budget', code: 'ERR-04-008' });
    expect(codeOf(await owner.call('provisionCvm', { body }))).toEqual([409, 'ERR-04-008']);
    await owner.call('updateBudget', { path: { budget_id: id }, body: { amount: '1000' } });
    expect(await preflight()).toBeNull();
    expect((await owner.call('provisionCvm', { body })).status).toBe(200);
  });
});
