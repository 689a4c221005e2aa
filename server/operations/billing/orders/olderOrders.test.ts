import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmDetail, Order } from '../../../../generated/api/types.gen';
import { accruedUsage } from '../../../db/billing/accrued';
import { checkBooks } from '../../../db/billing/checkBooks';
import { migrations } from '../../../db/migrations';
import { code, startOrderServer, type OrderServer } from './testing/orderTeams';

/* Orders from before disk beyond a size's included amount was priced: buyers were promised no further CVM costs. */

const DOLLAR = 1_000_000;
const HOUR = 3_600_000;
const LARGER = { disk_gb: 50, hourly_rate_micros: 61_000, disk_rate_micros: 3_000 };
let s: OrderServer;

/** Emulates migration 0191 being applied at that point. */
const pricedSince = (at: Date) =>
  s.server.database.pool.query(`update kysely_migration set timestamp = $1 where name = '0191_disk_rates'`, [
    at.toISOString(),
  ]);

beforeAll(async () => {
  s = await startOrderServer({ BILLING_ENFORCEMENT: 'on' });
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

it('cover the disk until their term ends, and are not renewed under the new terms', async () => {
  const { db } = s.server.services;
  const team = await s.team(100 * DOLLAR);
  await db
    .updateTable('instance_types')
    .set({ gpu_rate_micros: 2_800_000, hourly_rate_micros: 3_500_000 })
    .where('id', '=', 'h200.small')
    .execute();
  const product = await s.offer();
  const gpus = await s.offer({ instance_type: 'h200.small', covers: 'gpus', price: '900.00' });
  const order = await s.ordered(team.client, product, { renews: true });
  const cvm = await team.cvm();
  const resize = (change: object) => db.updateTable('cvms').set(change).where('id', '=', cvm.id).execute();
  await resize(LARGER);
  const hourly = async (at = new Date(Date.now() + 60_000)) => {
    const { current } = await accruedUsage(db, team.team_id, at);
    const { body } = await team.client.call('getCvm', { path: { cvm_id: cvm.public_id } });
    return [
      current[0]?.hourly,
      (body as CvmDetail).hourly_rate.total,
      (body as CvmDetail).hourly_rate.stopped,
    ];
  };
  expect(await hourly()).toEqual([3_000, '0.003', '0.003']);
  const read = async () =>
    (await team.client.call('getOrder', { path: { order_id: order.id } })).body as Order;
  expect((await read()).rules[0]).toContain('except for disk above what the type includes');
  // Backdates the order to before the change.
  await migrations['0202_orders_of_disks']!.up(db);
  expect(await hourly()).toEqual([0, '0.00', '0.00']);
  // Clients see the current offer; the order's rules state the difference.
  expect(await read()).toMatchObject({ covers: 'cvm' });
  expect((await read()).rules[0]).toContain(
    'that CVM costs nothing more, running or stopped. If there are several',
  );
  // Also when stopped or grown, and for the next CVM the order covers.
  await resize({ status: 'stopped', desired: 'stopped' });
  await resize({ disk_gb: 60, hourly_rate_micros: 62_000, disk_rate_micros: 4_000 });
  expect(await hourly()).toEqual([0, '0.00', '0.00']);
  await resize({ status: 'running', desired: 'running' });
  const ends = new Date(order.ends_at!).getTime();
  const { lines } = await accruedUsage(db, team.team_id, new Date(ends + HOUR));
  expect(lines.filter(({ amount_micros }) => amount_micros > 62_000)).toEqual([]);
  const from = new Date(order.ends_at!);
  expect(lines.slice(-2)).toMatchObject([
    { from, basis: 'size', amount_micros: 56_000 },
    { from, basis: 'disk', amount_micros: 6_000 },
  ]);

  const offered = await s.offered(team.client, product);
  expect(offered).toMatchObject({ version: product.version + 1 });
  expect(offered?.rules[0]).toContain('except for disk above what the type includes');
  expect(await s.offered(team.client, gpus)).toMatchObject({ version: gpus.version });
  expect(code(await s.order(team.client, product))).toEqual([409, 'ERR-04-011']);
  await s.tick(new Date(ends - 60_000));
  expect(await read()).toMatchObject({ renews: false, charged: '20.00' });
});

it('made after disk was priced exclude it again, and are renewed: only the migration changed their product version', async () => {
  const { db } = s.server.services;
  const { pool } = s.server.database;
  const team = await s.team(100 * DOLLAR);
  const product = await s.offer();
  const older = await s.ordered(team.client, product);
  const newer = await s.ordered(team.client, product, { renews: true });
  const changed = await s.ordered(team.client, await s.offer(), { renews: true });
  const cvms = [await team.cvm(), await team.cvm(), await team.cvm()];
  await db
    .updateTable('cvms')
    .set(LARGER)
    .where(
      'id',
      'in',
      cvms.map(({ id }) => id),
    )
    .execute();
  const made = Date.now() - 24 * HOUR;
  for (const [{ id }, hours] of [
    [older, -1],
    [newer, 1],
    [changed, 1],
  ] as const)
    await pool.query('update orders set created_at = $1 where public_id = $2', [
      new Date(made + hours * HOUR),
      id,
    ]);
  await migrations['0202_orders_of_disks']!.up(db);
  await s.admin.call('updateAdminOrderProduct', {
    path: { id: (await productOf(changed)).id },
    body: { price: '21.00' },
  });
  const rates = async () => {
    const { current } = await accruedUsage(db, team.team_id, new Date(Date.now() + 60_000));
    return current.map(({ hourly }) => hourly).sort((a, b) => a - b);
  };
  // No record shows when disk got its price.
  await pool.query(`update kysely_migration set name = '0191_other' where name = '0191_disk_rates'`);
  await migrations['0234_orders_since_disk_rates']!.up(db);
  expect(await rates()).toEqual([0, 0, 0]);
  await pool.query(`update kysely_migration set name = '0191_disk_rates' where name = '0191_other'`);
  await pricedSince(new Date(made));
  await migrations['0234_orders_since_disk_rates']!.up(db);
  expect(await rates()).toEqual([0, 3_000, 3_000]);
  const rule = async ({ id }: Order) =>
    ((await team.client.call('getOrder', { path: { order_id: id } })).body as Order).rules[0]?.includes(
      'except for disk above what the type includes',
    );
  expect([await rule(older), await rule(newer), await rule(changed)]).toEqual([false, true, true]);
  await s.tick(new Date(new Date(newer.ends_at!).getTime() - 60_000));
  const charged = (await team.orders()).map(({ id, charged }) => [id, charged]);
  expect(Object.fromEntries(charged)).toEqual({
    [older.id]: '20.00',
    [newer.id]: '40.00',
    [changed.id]: '20.00',
  });
});

const productOf = ({ id }: Order) =>
  s.server.services.db
    .selectFrom('orders')
    .innerJoin('order_products as p', 'p.id', 'orders.product_id')
    .select('p.id')
    .where('orders.public_id', '=', id)
    .executeTakeFirstOrThrow();

it('also notify of missing funds if a budget delayed renewal before reasons were distinguished', async () => {
  const { db } = s.server.services;
  const { pool } = s.server.database;
  const team = await s.team(20 * DOLLAR);
  const product = await s.offer();
  const order = await s.ordered(team.client, product, { renews: true });
  const told = async (message: string) => {
    await pool.query('delete from events where team_id = $1', [team.team_id]);
    await pool.query(
      `insert into events (team_id, kind, severity, message, data) values ($1, 'order.renewal_failed', 'error', $2, $3)`,
      [team.team_id, message, JSON.stringify({ order_id: order.id, title: '', term: order.ends_at })],
    );
    await db
      .updateTable('orders')
      .set({ renewal_told: ['funds'] })
      .where('public_id', '=', order.id)
      .execute();
    await migrations['0235_budget_renewals']!.up(db);
    const row = await db
      .selectFrom('orders')
      .select('renewal_told')
      .where('public_id', '=', order.id)
      .executeTakeFirstOrThrow();
    return row.renewal_told;
  };
  expect(
    await told('The balance does not cover the next term. It is tried again until the end: add funds.'),
  ).toEqual(['funds']);
  expect(await told('The next term costs $20.00, and $10.00 of the monthly team budget is left.')).toEqual([
    'budget',
  ]);
  await s.tick(new Date(new Date(order.ends_at!).getTime() - 60_000));
  const events = await db
    .selectFrom('events')
    .select('message')
    .where('team_id', '=', team.team_id)
    .where('kind', '=', 'order.renewal_failed')
    .orderBy('id')
    .execute();
  expect(events.map(({ message }) => message.slice(0, 11))).toEqual(['The next te', 'The balance']);
});
