import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hourlyMicros } from '../../../console/lib/billing/spend';
import { identityOf, insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let member: TestClient;
let stranger: TestClient;

const minute = (n: number) => new Date(Date.UTC(2026, 10, 23, 9, n));

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  const who = await identityOf(db, member.email!);
  const host = await insertHost(db, { name: 'eu-1' });
  const app = async (name: string, created: number, changes: Parameters<typeof insertCvm>[1]['change'][]) => {
    const made = await insertApp(db, { ...who, host, name });
    await db
      .updateTable('apps')
      .set({ created_at: minute(created) })
      .where('id', '=', made.app.id)
      .execute();
    const cvms = [];
    for (const change of changes)
      cvms.push(await insertCvm(db, { ...made, host, ...who, change: change ?? {} }));
    return cvms;
  };
  const rate = (hourly_rate_micros: number) => ({ hourly_rate_micros, disk_gb: 20 });
  await app('charlie', 1, [
    { ...rate(50_000), updated_at: minute(10) },
    { ...rate(50_000), updated_at: minute(11), status: 'stopped', desired: 'stopped', started_at: null },
  ]);
  await app('Alpha', 2, [{ ...rate(90_000), updated_at: minute(30), status: 'stopped', desired: 'stopped' }]);
  await app('bravo', 3, [{ ...rate(10_000), updated_at: minute(20), status: 'error' }]);
  // Its first deployment is in progress, so it costs nothing yet.
  const [fresh] = await app('delta', 4, [{ ...rate(80_000), updated_at: minute(5), status: 'starting' }]);
  await insertOperation(db, fresh!, { type: 'deploy', state: 'running' });
});
afterAll(() => server.stop());

describe('listApps', () => {
  const list = async (query: Record<string, unknown>) =>
    (await member.call('listApps', { query })).body.dstack_apps;
  const names = async (query: Record<string, unknown>) => (await list(query)).map((app) => app.name);

  it('lists the newest apps first unless sorted', async () => {
    const newest = ['delta', 'bravo', 'Alpha', 'charlie'];
    expect(await names({})).toEqual(newest);
    expect(await names({ sort: 'created_at' })).toEqual(newest);
    expect(await names({ sort: 'created_at', order: 'asc' })).toEqual(newest.toReversed());
  });

  it('sorts by each field in both directions', async () => {
    expect(await names({ sort: 'name' })).toEqual(['Alpha', 'bravo', 'charlie', 'delta']);
    expect(await names({ sort: 'name', order: 'desc' })).toEqual(['delta', 'charlie', 'bravo', 'Alpha']);
    expect(await names({ sort: 'status' })).toEqual(['bravo', 'delta', 'charlie', 'Alpha']);
    expect(await names({ sort: 'updated_at', order: 'desc' })).toEqual([
      'Alpha',
      'bravo',
      'charlie',
      'delta',
    ]);
    // Ties are sorted newest first.
    expect(await names({ sort: 'cvm_count', order: 'desc' })).toEqual(['charlie', 'delta', 'bravo', 'Alpha']);
  });

  it('sorts by the displayed cost', async () => {
    const costs = (await list({ sort: 'hourly_cost', order: 'desc' })).map((app) => hourlyMicros(app.cvms));
    expect(costs).toEqual([52_000, 2_000, 2_000, 0]);
    expect(await names({ sort: 'hourly_cost', order: 'desc' })).toEqual([
      'charlie',
      'bravo',
      'Alpha',
      'delta',
    ]);
  });

  it('sorts by the remaining cost of CVMs covered by orders', async () => {
    const { db } = server.services;
    const buyer = await server.register();
    const who = await identityOf(db, buyer.email!);
    const host = await insertHost(db, { name: 'eu-2' });
    const { id: product_id } = await db
      .insertInto('order_products')
      .values({
        public_id: 'prd_sorted',
        name: 'A month',
        instance_type: 'tdx.small',
        covers: 'cvm',
        period: 'month',
        price_micros: 20_000_000,
        min_periods: 1,
        max_periods: 1,
        refund_percent: 0,
        stock: 10,
        starts_at: null,
        ends_at: null,
        created_by: who.user_id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const add = async (name: string, covers: 'cvm' | 'gpus' | 'all' | null, change: object = {}) => {
      const made = await insertApp(db, { ...who, host, name });
      const rates = {
        hourly_rate_micros: 90_000,
        gpu_rate_micros: 60_000,
        disk_rate_micros: 5_000,
        disk_gb: 70,
      };
      const cvm = await insertCvm(db, { ...made, host, ...who, change: { ...rates, ...change } });
      if (covers === null) return;
      const ends_at = new Date(Date.now() + 86_400_000);
      const { id: order_id } = await db
        .insertInto('orders')
        .values({
          public_id: `ord_${name}`,
          team_id: who.team_id,
          product_id,
          state: 'active',
          name,
          instance_type: 'tdx.medium',
          covers,
          period: 'month',
          price_micros: 20_000_000,
          periods: 1,
          min_periods: 1,
          refund_percent: 0,
          product_version: 1,
          starts_at: new Date(),
          ends_at,
          renews: false,
          pay_until: null,
          created_by: who.user_id,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('cvms')
        .set({ order_id, covers, covered_until: ends_at })
        .where('id', '=', cvm.id)
        .execute();
    };
    const stopped = { status: 'stopped', desired: 'stopped' } as const;
    await add('whole', 'cvm');
    await add('older', 'all');
    await add('gpus', 'gpus');
    await add('still', 'cvm', { ...stopped, disk_rate_micros: 6_000 });
    await add('still-older', 'all', stopped);
    await add('uncovered', null, stopped);
    await add('usual', null);
    const answer = await buyer.call('listApps', { query: { sort: 'hourly_cost', order: 'desc' } });
    const apps = answer.body.dstack_apps;
    expect(apps.map(({ name, cvms }) => [name, hourlyMicros(cvms)])).toEqual([
      ['usual', 90_000],
      ['gpus', 30_000],
      ['uncovered', 7_000],
      ['still', 6_000],
      ['whole', 5_000],
      ['still-older', 0],
      ['older', 0],
    ]);
    expect((await buyer.call('getAppsSummary')).body).toMatchObject({
      hourly_rate: '0.138',
      hourly_rate_after_orders: '0.381',
    });
  });

  it('keeps the order across pages and with filters', async () => {
    const pages = await Promise.all(
      [1, 2].map((page) => names({ sort: 'name', order: 'asc', page, page_size: 2 })),
    );
    expect(pages).toEqual([
      ['Alpha', 'bravo'],
      ['charlie', 'delta'],
    ]);
    expect(await names({ sort: 'name', status: ['stopped'] })).toEqual(['Alpha', 'charlie']);
  });

  it('rejects unknown fields and orders', async () => {
    for (const query of [{ sort: 'team_id' }, { sort: 'name; drop table apps' }, { order: 'up' }])
      expect((await member.call('listApps', { query: query as never })).status).toBe(422);
  });

  it('shows another team none of them in any order', async () => {
    for (const sort of ['name', 'status', 'hourly_cost'] as const)
      expect((await stranger.call('listApps', { query: { sort } })).body).toMatchObject({ total: 0 });
  });
});
