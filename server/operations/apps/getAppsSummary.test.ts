import { afterAll, beforeAll, expect, it } from 'vitest';
import { hourlyMicros } from '../../../console/lib/billing/spend';
import { formatMicros } from '../../../console/lib/billing/money';
import type { Cvm } from '../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let member: TestClient;
let stranger: TestClient;

const RUNNING = 120;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  const who = await identityOf(db, member.email!);
  const host = await insertHost(db, { name: 'eu-1' });
  const made = await insertApp(db, { ...who, host, name: 'large' });
  const add = (change: Parameters<typeof insertCvm>[1]['change'] = {}) =>
    insertCvm(db, { ...made, host, ...who, change });
  for (let n = 0; n < RUNNING; n += 1) await add();
  await add({ status: 'stopped', desired: 'stopped', disk_gb: 70 });
  await add({ status: 'error' });
  await add({ status: 'lost' });
  // Its first deployment failed: it costs nothing.
  await insertOperation(db, await add({ status: 'starting' }), { type: 'deploy', state: 'failed' });
  const deleted_at = new Date();
  const purge_at = new Date(Date.now() + 3_600_000);
  await add({ status: 'stopped', desired: 'stopped', disk_gb: 40, deleted_at, purge_at });
  await add({ status: 'deleted', disk_gb: 500, deleted_at });
});
afterAll(() => server.stop());

it('counts all CVMs of a team by status, listing those in the recycle bin separately', async () => {
  const { status, body } = await member.call('getAppsSummary');
  expect([status, body]).toEqual([
    200,
    {
      cvm_count: RUNNING + 4,
      statuses: [
        { status: 'running', cvm_count: RUNNING },
        { status: 'error', cvm_count: 1 },
        { status: 'lost', cvm_count: 1 },
        { status: 'starting', cvm_count: 1 },
        { status: 'stopped', cvm_count: 1 },
      ],
      hourly_rate: '6.969',
      hourly_rate_after_orders: null,
      recycled_cvm_count: 1,
      recycled_hourly_rate: '0.004',
    },
  ]);
});

it('costs the sum of its CVMs’ individual costs', async () => {
  const pages = await Promise.all(
    [1, 2].map((page) => member.call('listCvmsPaginated', { query: { page, page_size: 100 } })),
  );
  const cvms = pages.flatMap(({ body }) => (body as { items: Cvm[] }).items);
  expect(cvms).toHaveLength(RUNNING + 4);
  expect((await member.call('getAppsSummary')).body).toMatchObject({
    hourly_rate: formatMicros(hourlyMicros(cvms)),
  });
});

it('shows nothing to another team', async () => {
  const named = stranger.with({ 'x-workspace': member.slug! });
  expect((await named.call('getAppsSummary')).status).toBe(404);
  expect((await stranger.call('getAppsSummary')).body).toEqual({
    cvm_count: 0,
    statuses: [],
    hourly_rate: '0.00',
    hourly_rate_after_orders: null,
    recycled_cvm_count: 0,
    recycled_hourly_rate: '0.00',
  });
});
