import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  AdminOrderProduct,
  CostForecast,
  CvmDetail,
  CvmPrices,
  Order,
  Preflight,
  Provision,
} from '../../../generated/api/types.gen';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { accruedUsage } from '../../db/billing/accrued';
import { heldFunds } from '../../db/billing/holds';
import { draftInvoice, linesOfInvoice } from '../../db/billing/invoices';
import { withTransaction } from '../../db/core/client';
import { closeTeamHour } from '../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import {
  COMPOSE,
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

const RATE = 58_000;

/** No worker runs, so that operations stay as the tests leave them. */
let server: TestServer;
let admin: TestClient;
let books: Books;
let fake: FakeVmm;
let host: TestHost;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  books = await startBooks(server.services);
  fake = await startFakeVmm();
  host = await insertHost(db(), { name: 'paid', url: fake.url });
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

async function team(funds: number) {
  const client = await server.register();
  const who = await identityOf(db(), client.email!);
  if (funds > 0) await books.topUp(who.team_id, funds);
  const app: TestApp = await insertApp(db(), { ...who, host, name: `paid-${++count}` });
  /** A stopped CVM that has run before; its disk is free, so that the balance stays constant. */
  const stopped = () =>
    insertCvm(db(), {
      ...app,
      host,
      change: { status: 'stopped', desired: 'stopped', hourly_rate_micros: RATE, started_at: null },
    });
  const held = () => heldFunds(db(), who.team_id, new Date());
  return { client, ...who, stopped, held };
}

const deployment = (name: string) => ({
  name,
  instance_type: 'tdx.small',
  kms_id: host.kms.public_id,
  compose_file: { docker_compose_file: COMPOSE },
});

/* Disk above the amount included in a size's rate. */
const GROWN = 5000;
const MORE = (GROWN - 20) * 100;
const newest = (team_id: number) =>
  db()
    .selectFrom('cvms')
    .select(['id', 'vm_uuid'])
    .where('team_id', '=', team_id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
const largeQuota = (team_id: number) =>
  db().updateTable('teams').set({ max_disk_gb: 20_000 }).where('id', '=', team_id).execute();
const rates = ({ id }: { id: number }) =>
  db()
    .selectFrom('cvms')
    .select(['hourly_rate_micros', 'disk_rate_micros'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

it('is part of the running price, so that stopping never costs more', async () => {
  const { client, team_id } = await team(0);
  await largeQuota(team_id);
  const price = async (body: object) =>
    (await client.call('deployPreflight', { body: { ...deployment('priced'), ...body } })).body as Preflight;
  expect(await price({})).toMatchObject({ hourly_rate: '0.058', stopped_disk_hourly: '0.002' });
  // Less disk than included costs the same.
  expect((await price({ disk_size: 10 })).hourly_rate).toBe('0.058');
  expect(await price({ disk_size: GROWN })).toMatchObject({
    hourly_rate: '0.556',
    stopped_disk_hourly: '0.50',
    refusal: { reason: expect.stringContaining('The first hour costs $0.556') as string },
  });
  // A custom size includes 20 GB.
  const custom = { instance_type: undefined, vcpu: 1, memory: 2048 };
  expect((await price({ ...custom, disk_size: 20 })).hourly_rate).toBe('0.058');
  expect((await price({ ...custom, disk_size: 120 })).hourly_rate).toBe('0.068');
});

it('is charged from deployment, and its first hour is held', async () => {
  const { client, team_id, held } = await team(RATE + 3_000);
  const deploy = async (name: string, disk_size: number) => {
    const provision = await client.call('provisionCvm', { body: { ...deployment(name), disk_size } });
    if (provision.status !== 200) return provision;
    const { app_id, compose_hash } = provision.body as Provision;
    return client.call('createCvm', { body: { app_id, compose_hash } });
  };
  expect((await deploy('too-large', 51)).status).toBe(402);
  const made = await deploy('large-enough', 50);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(await held()).toBe(RATE + 3_000);
  const { vm_uuid } = await newest(team_id);
  const read = await client.call('getCvm', { path: { cvm_id: vm_uuid } });
  expect(read.body).toMatchObject({ hourly_rate: { total: '0.061', disk: '0.005', stopped: '0.005' } });
});

it('needs funds when it grows, running or stopped, and is refused in debt', async () => {
  const { client, team_id, stopped, held } = await team(0);
  const cvm = await stopped();
  await largeQuota(team_id);
  await db().updateTable('teepods').set({ max_disk_gb: 50_000 }).where('id', '=', host.teepod.id).execute();
  await books.topUp(team_id, -1_000_000);
  const grow = (disk_size: number) =>
    client.call('updateCvmResources', { path: { cvm_id: cvm.public_id }, body: { disk_size } });
  const set = (status: 'running' | 'stopped') =>
    db().updateTable('cvms').set({ status, desired: status }).where('id', '=', cvm.id).execute();
  for (const status of ['stopped', 'running'] as const) {
    await set(status);
    expect([status, (await grow(21)).status]).toEqual([status, 402]);
  }
  await books.topUp(team_id, 1_000_000 + MORE - 100);
  expect((await grow(GROWN)).status).toBe(402);
  // Covers usage metered in the meantime.
  await books.topUp(team_id, 2_000);
  const grown = await grow(GROWN);
  expect(grown.status, JSON.stringify(grown.body)).toBe(202);
  expect(await held()).toBe(MORE);
});

it('is not charged for a CVM deployed before, until its disk grows', async () => {
  const { client, stopped } = await team(10_000_000);
  const cvm = await stopped();
  await db()
    .updateTable('cvms')
    .set({ status: 'running', desired: 'running', disk_gb: 100 })
    .where('id', '=', cvm.id)
    .execute();
  expect(await rates(cvm)).toEqual({ hourly_rate_micros: RATE, disk_rate_micros: 0 });
  const path = { cvm_id: cvm.public_id };
  expect((await client.call('getCvm', { path })).body).toMatchObject({ hourly_rate: { total: '0.058' } });
  expect((await client.call('updateCvmResources', { path, body: { disk_size: 101 } })).status).toBe(202);
  const { payload } = await db()
    .selectFrom('operations')
    .select('payload')
    .where('cvm_id', '=', cvm.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(payload).toMatchObject({ hourly_rate_micros: RATE + 8_100, disk_rate_micros: 8_100 });
  // A copy is a new CVM.
  await db().updateTable('operations').set({ state: 'failed' }).where('cvm_id', '=', cvm.id).execute();
  await db().updateTable('cvms').set({ status: 'running' }).where('id', '=', cvm.id).execute();
  const replica = await client.call('createCvmReplica', { path, body: {} });
  expect(replica.status, JSON.stringify(replica.body)).toBe(200);
  expect(await rates(await newest(cvm.team_id))).toEqual({
    hourly_rate_micros: RATE + 8_000,
    disk_rate_micros: 8_000,
  });
});

it('is charged in addition to an order, running or stopped, and starting needs no funds for it', async () => {
  const { client, team_id, stopped } = await team(3_000_000);
  const made = await admin.call('createAdminOrderProduct', {
    body: { name: 'A day', instance_type: 'tdx.small', period: 'day', price: '1.00', stock: 1 },
  });
  const product = made.body as AdminOrderProduct;
  const ordered = await client.call('createOrder', {
    headers: { 'idempotency-key': 'covers-all-but-disk' },
    body: { product_id: product.public_id, periods: 1, version: product.version, total: '1.00' },
  });
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
  expect((ordered.body as Order).rules[0]).toContain('except for disk above what the type includes');
  const cvm = await stopped();
  const set = (change: object) => db().updateTable('cvms').set(change).where('id', '=', cvm.id).execute();
  const read = async () =>
    ((await client.call('getCvm', { path: { cvm_id: cvm.public_id } })).body as CvmDetail).hourly_rate;
  expect(await read()).toMatchObject({ total: '0.00', compute: '0.00', disk: '0.00', stopped: '0.00' });
  await set({ status: 'running', desired: 'running' });
  // State after its resize to 50 GB.
  await set({ disk_gb: 50, hourly_rate_micros: RATE + 3_000, disk_rate_micros: 3_000 });
  expect(await read()).toEqual({
    total: '0.003',
    compute: '0.00',
    disk: '0.003',
    stopped: '0.003',
    after_order: { at: expect.any(String), total: '0.061', stopped: '0.005' },
  });
  const usage = async () => {
    const { current, lines } = await accruedUsage(db(), team_id, new Date(Date.now() + 60_000));
    return [current.map(({ hourly }) => hourly), lines.at(-1)] as const;
  };
  const [running, line] = await usage();
  expect(running).toEqual([3_000]);
  // Reserved, and not free: invoices include it.
  expect(line).toMatchObject({ basis: 'disk', rate_micros: 3_000, order_id: expect.any(Number) as number });
  // From its first second.
  const [current] = await eventually('the forecast has it', async () => {
    const { body } = await client.call('getCostForecast');
    const found = (body as CostForecast).current;
    return found.length > 0 ? found : null;
  });
  expect(current).toMatchObject({ hourly_rate: '0.003', stopped_hourly_rate: '0.003' });
  await set({ status: 'stopped', desired: 'stopped' });
  expect((await usage())[0]).toEqual([3_000]);
  await books.topUp(team_id, -2_500_000);
  const started = await client.call('startCvm', { path: { cvm_id: cvm.public_id } });
  expect(started.status, JSON.stringify(started.body)).toBe(200);
});

it('adds only the larger disk to the order’s coverage, which needs funds', async () => {
  const { client, team_id, stopped, held } = await team(2_000_000);
  const made = await admin.call('createAdminOrderProduct', {
    body: { name: 'Another day', instance_type: 'tdx.small', period: 'day', price: '1.00', stock: 1 },
  });
  const product = made.body as AdminOrderProduct;
  const ordered = await client.call('createOrder', {
    headers: { 'idempotency-key': 'grows-while-covered' },
    body: { product_id: product.public_id, periods: 1, version: product.version, total: '1.00' },
  });
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
  const cvm = await stopped();
  await db()
    .updateTable('cvms')
    .set({ status: 'running', desired: 'running' })
    .where('id', '=', cvm.id)
    .execute();
  await books.topUp(team_id, -999_000);
  const grow = (disk_size: number) =>
    client.call('updateCvmResources', { path: { cvm_id: cvm.public_id }, body: { disk_size } });
  expect((await grow(50)).status).toBe(402);
  expect((await grow(30)).status).toBe(202);
  expect(await held()).toBe(1_000);
});

it('is part of the quoted prices of a replica and a resize', async () => {
  const { client, team_id, stopped, held } = await team(0);
  const cvm = await stopped();
  // Deployed before disk was charged and before its type's price increased.
  await db()
    .updateTable('cvms')
    .set({ disk_gb: 100, hourly_rate_micros: RATE - 8_000, disk_rate_micros: 0 })
    .where('id', '=', cvm.id)
    .execute();
  const prices = async (query: Record<string, unknown> = {}) =>
    (await client.call('getCvmPrices', { path: { cvm_id: cvm.public_id }, query })).body as CvmPrices;
  expect(await prices()).toEqual({ replica_hourly_rate: '0.058', resized: null });
  expect((await prices({ disk_size: 100 })).resized).toBeNull();
  // With a larger disk, the rest keeps its old price; the disk is charged from then on.
  expect((await prices({ disk_size: 120 })).resized).toMatchObject({ total: '0.06', stopped: '0.012' });
  expect((await prices({ instance_type: 'tdx.medium' })).resized).toMatchObject({ total: '0.122' });
  // A free order that covers the new size excludes its larger disk, in the price and in the hold.
  const offer = { name: 'A medium day', instance_type: 'tdx.medium', period: 'day', price: '1.00', stock: 1 };
  const made = await admin.call('createAdminOrderProduct', { body: offer as never });
  const product = made.body as AdminOrderProduct;
  await books.topUp(team_id, 2_000_000);
  const ordered = await client.call('createOrder', {
    headers: { 'idempotency-key': 'medium-for-resize' },
    body: { product_id: product.public_id, periods: 1, version: product.version, total: '1.00' },
  });
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201);
  expect((await prices({ instance_type: 'tdx.medium' })).resized).toMatchObject({
    total: '0.006',
    stopped: '0.006',
  });
  await db()
    .updateTable('cvms')
    .set({ status: 'running', desired: 'running', hourly_rate_micros: 1_000 })
    .where('id', '=', cvm.id)
    .execute();
  const resized = await client.call('updateCvmResources', {
    path: { cvm_id: cvm.public_id },
    body: { instance_type: 'tdx.medium' },
  });
  expect(resized.status, JSON.stringify(resized.body)).toBe(202);
  expect(await held()).toBe(5_000);
  const refused = await client.call('getCvmPrices', {
    path: { cvm_id: cvm.public_id },
    query: { disk_size: 99 },
  });
  expect(refused.status).toBe(400);
});

it('is on the invoice, unlike the part an order covers; both months match the ledger', async () => {
  const team_id = await books.team();
  const who = await identityOf(db(), admin.email!);
  const { id: order_id } = await db()
    .insertInto('orders')
    .values({
      public_id: 'ord_invoiced',
      team_id,
      product_id: sql<number>`(select min(id) from order_products)`,
      state: 'ended',
      name: 'A week',
      instance_type: 'tdx.small',
      covers: 'cvm',
      period: 'day',
      price_micros: 1_000_000,
      periods: 7,
      min_periods: 1,
      refund_percent: 0,
      product_version: 1,
      starts_at: new Date('2030-11-28T00:00:00Z'),
      ends_at: new Date('2030-12-05T00:00:00Z'),
      renews: false,
      closed_at: new Date('2030-12-05T00:00:00Z'),
      pay_until: null,
      created_by: who.user_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const covered = { order_id, covers: 'cvm', covered_until: new Date('2030-12-05T00:00:00Z') } as const;
  const larger = { disk_gb: 50, hourly_rate_micros: RATE + 3_000, disk_rate_micros: 3_000 };
  const cvm_id = await books.cvm(team_id, [
    // Two hours without, then ten with more disk, half of them stopped; then hours of December.
    ['running', '2030-11-30T10:00:00Z', covered],
    ['running', '2030-11-30T12:00:00Z', { ...covered, ...larger }],
    ['stopped', '2030-11-30T17:00:00Z', { ...covered, ...larger }],
    ['deleted', '2030-12-01T02:00:00Z', { ...covered, ...larger }],
  ]);
  for (
    let end = Date.parse('2030-11-30T11:00:00Z');
    end <= Date.parse('2030-12-01T03:00:00Z');
    end += 3_600_000
  )
    await withTransaction(db(), (trx) => closeTeamHour(trx, team_id, new Date(end)));
  const draft = async (from: string, to: string) => {
    const period = { start: new Date(from), end: new Date(to) };
    const invoice = await withTransaction(db(), (trx) => draftInvoice(trx, team_id, period));
    const lines = invoice ? await linesOfInvoice(db(), invoice.id) : [];
    return { invoice, lines };
  };
  const november = await draft('2030-11-01T00:00:00Z', '2030-12-01T00:00:00Z');
  expect(november.lines).toMatchObject([
    // Stopped for 7 hours, running for 5.
    { basis: 'disk', rate_micros: 3_000, amount_micros: 36_000, seconds: 12 * 3600 },
  ]);
  const december = await draft('2030-12-01T00:00:00Z', '2031-01-01T00:00:00Z');
  expect(december.lines).toMatchObject([{ basis: 'disk', rate_micros: 3_000, amount_micros: 6_000 }]);
  const sums = [november, december].map(({ invoice }) => invoice?.subtotal_micros);
  expect(sums).toEqual([36_000, 6_000]);
  expect(await books.charged(team_id)).toBe(42_000);
  // The order's coverage has usage lines without a price.
  expect((await books.lines(cvm_id))[0]).toMatchObject({ order_id, rate_micros: 0, amount_micros: 0 });
});
