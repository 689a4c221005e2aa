import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmDetail, Order } from '../../../../generated/api/types.gen';
import { accruedUsage } from '../../../db/billing/accrued';
import { checkBooks } from '../../../db/billing/checkBooks';
import { migrations } from '../../../db/migrations';
import { code, startOrderServer, type OrderServer } from './testing/orderTeams';

/* Orders made before disk above what a size includes had a price: their buyers were promised that the CVM costs nothing more. */

const DOLLAR = 1_000_000;
const HOUR = 3_600_000;
const LARGER = { disk_gb: 50, hourly_rate_micros: 61_000, disk_rate_micros: 3_000 };
let s: OrderServer;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_ENFORCEMENT: 'on' });
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

it('cover the disk until their term ends, and are not renewed as what is offered since', async () => {
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
  // As if the order had been made before.
  await migrations['0202_orders_of_disks']!.up(db);
  expect(await hourly()).toEqual([0, '0.00', '0.00']);
  const read = async () =>
    (await team.client.call('getOrder', { path: { order_id: order.id } })).body as Order;
  expect(await read()).toMatchObject({ covers: 'cvm' });
  expect((await read()).rules[0]).toContain('that CVM costs nothing more, running or stopped. With several');
  // Stopped and grown, too; a CVM that the order covers next has the same.
  await resize({ status: 'stopped', desired: 'stopped' });
  await resize({ disk_gb: 60, hourly_rate_micros: 62_000, disk_rate_micros: 4_000 });
  expect(await hourly()).toEqual([0, '0.00', '0.00']);
  await resize({ status: 'running', desired: 'running' });
  const ends = new Date(order.ends_at!).getTime();
  const { lines } = await accruedUsage(db, team.team_id, new Date(ends + HOUR));
  expect(lines.filter(({ amount_micros }) => amount_micros > 62_000)).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ from: new Date(order.ends_at!), amount_micros: 62_000 });

  const offered = await s.offered(team.client, product);
  expect(offered).toMatchObject({ version: product.version + 1 });
  expect(offered?.rules[0]).toContain('except for disk above what the type includes');
  expect(await s.offered(team.client, gpus)).toMatchObject({ version: gpus.version });
  expect(code(await s.order(team.client, product))).toEqual([409, 'ERR-04-011']);
  await s.tick(new Date(ends - 60_000));
  expect(await read()).toMatchObject({ renews: false, charged: '20.00' });
});
