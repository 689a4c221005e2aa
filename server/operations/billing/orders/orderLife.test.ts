import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Billing,
  CvmDetail,
  NotificationPage,
  Order,
  Preflight,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { accruedUsage } from '../../../db/billing/accrued';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { fanOutEvents } from '../../../jobs/notifications/notifyFeed';
import { eventually } from '../../../testing/server';
import { code, once, startOrderServer, type OrderServer } from './testing/orderTeams';

const DOLLAR = 1_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let s: OrderServer;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_ENFORCEMENT: 'on' });
});
afterAll(async () => {
  expect(await checkBooks(s.server.services.db)).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;
const detail = (body: unknown) => (body as { details?: { field?: string; value?: unknown }[] }).details?.[0];
const time = (text: string | null) => new Date(text ?? 0);
const later = (text: string | null, ms: number) => new Date(time(text).getTime() + ms);
const get = async (client: Parameters<OrderServer['order']>[0], id: string) =>
  (await client.call('getOrder', { path: { order_id: id } })).body as Order;
const cancel = (client: Parameters<OrderServer['order']>[0], id: string, refund: string) =>
  client.call('cancelOrder', { path: { order_id: id }, body: { refund }, headers: once() });
/** Backdates an order: its term and coverage move into the past. */
async function age(order: Order, ms: number): Promise<void> {
  const seconds = Math.floor(ms / 1000);
  await sql`alter table order_terms disable trigger order_terms_refuse`.execute(db());
  await sql`update order_terms set starts_at = starts_at - make_interval(secs => ${seconds}),
    ends_at = ends_at - make_interval(secs => ${seconds}) where order_id = (select id from orders where public_id = ${order.id})`.execute(
    db(),
  );
  await sql`alter table order_terms enable trigger order_terms_refuse`.execute(db());
  await sql`update orders set starts_at = starts_at - make_interval(secs => ${seconds}),
    ends_at = ends_at - make_interval(secs => ${seconds}), notice_at = notice_at - make_interval(secs => ${seconds}),
    renew_at = renew_at - make_interval(secs => ${seconds}) where public_id = ${order.id}`.execute(db());
}
const events = async (team_id: number) =>
  (
    await db()
      .selectFrom('events')
      .select('kind')
      .where('team_id', '=', team_id)
      .where('kind', 'like', 'order.%')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind);

describe('an order’s coverage', () => {
  it('meters at zero until it ends, running or stopped; the CVM is then charged to the second', async () => {
    const team = await s.team(100 * DOLLAR);
    const product = await s.offer({ period: 'day', price: '1.00', max_periods: 2 });
    const order = await s.ordered(team.client, product, { periods: 2 });
    // Deployed with an order waiting for it: not a second is charged.
    const cvm = await team.cvm({ disk_gb: 100 });
    expect(await s.covered(cvm)).toBe(order.id);
    const uncovered = await team.cvm();
    expect(await s.covered(uncovered)).toBeNull();
    const ends = time(order.ends_at).getTime();
    const { lines, hourly } = await accruedUsage(db(), team.team_id, new Date(ends + HOUR));
    const of = lines.filter(({ cvm_id }) => cvm_id === cvm.id);
    expect(of.map(({ amount_micros }) => amount_micros)).toEqual([0, 0, 48_000, 10_000]);
    expect(of[2]?.from).toEqual(time(order.ends_at));
    expect(hourly).toBe(2 * 58_000);
    const during = await accruedUsage(db(), team.team_id, new Date(ends - HOUR));
    expect(during.hourly).toBe(58_000);
    // A run spends about ten seconds per team, and the next one continues.
    for (let run = 0; run < 2; run++)
      await closeUsage({ ...s.server.services, now: new Date(ends + 2 * HOUR) });
    const posted = await s.books.lines(cvm.id);
    expect(
      posted
        .filter(({ order_id, basis }) => order_id !== null && basis === 'disk')
        .reduce((sum, { seconds }) => sum + seconds, 0),
    ).toBe(Math.floor(ends / 1000) - Math.floor(cvm.created_at.getTime() / 1000));
    for (const line of posted) if (line.order_id !== null) expect(line.amount_micros).toBe(0);
    expect(
      posted.filter(({ order_id, basis }) => order_id === null && basis === 'size')[0]?.starts_at,
    ).toEqual(time(order.ends_at));
  });

  it('pays for the first hour, so that an empty balance doesn’t keep the CVM from running', async () => {
    const team = await s.team(20 * DOLLAR);
    await s.ordered(team.client, await s.offer());
    const preflight = async () =>
      (
        (
          await team.client.call('deployPreflight', {
            body: {
              name: 'reserved-app',
              instance_type: 'tdx.small',
              compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
            },
          })
        ).body as Preflight
      ).refusal?.limit ?? null;
    expect(await preflight()).not.toBe('funds');
    const cvm = await team.cvm({ status: 'stopped', desired: 'stopped' });
    expect(await preflight()).toBe('funds');
    const start = await team.client.call('startCvm', { path: { cvm_id: cvm.public_id } });
    expect(start.status, JSON.stringify(start.body)).toBeLessThan(300);
    const other = await team.cvm({ status: 'stopped', desired: 'stopped' });
    expect(code(await team.client.call('startCvm', { path: { cvm_id: other.public_id } }))).toEqual([
      402,
      'ERR-04-001',
    ]);
    const { body } = await team.client.call('getCvm', { path: { cvm_id: cvm.public_id } });
    expect(body).toMatchObject({ hourly_rate: { total: '0.00', disk: '0.00' } });
  });

  it('reverts to the usual rate at its end, which the balance projection takes into account', async () => {
    const team = await s.team(DOLLAR + 58_000 * 3);
    const order = await s.ordered(team.client, await s.offer({ period: 'day', price: '1.00' }));
    const cvm = await team.cvm();
    expect(await s.covered(cvm)).toBe(order.id);
    const billing = async () => (await team.client.call('getBilling')).body as Billing;
    // A CVM is metered from its first whole second.
    const { as_of, ...read } = await eventually('the end is known', async () => {
      const body = await billing();
      return body.rate_changes.length > 0 && body;
    });
    expect(read).toMatchObject({
      balance: '0.174',
      hourly_rate: '0.00',
      rate_changes: [{ at: order.ends_at, hourly_rate: '0.058' }],
    });
    const left = (time(order.ends_at).getTime() - time(as_of).getTime()) / 1000;
    expect(read.runway_seconds! - left).toBeCloseTo(3 * 3600, -1);
    const { hourly_rate } = (await team.client.call('getCvm', { path: { cvm_id: cvm.public_id } }))
      .body as CvmDetail;
    expect(hourly_rate.after_order).toEqual({ at: order.ends_at, total: '0.058', stopped: '0.002' });
    // One that renews charges its price again, never by the hour.
    await team.client.call('updateOrder', { path: { order_id: order.id }, body: { renews: true } });
    expect((await billing()).rate_changes).toEqual([{ at: order.ends_at, hourly_rate: '0.041667' }]);
  });

  it('follows a running CVM, and is free again once the CVM is deleted or resized', async () => {
    const team = await s.team(100 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer());
    const [first, second] = [await team.cvm(), await team.cvm()];
    expect(await s.covered(first)).toBe(order.id);
    const set = (id: number, change: object) =>
      db().updateTable('cvms').set(change).where('id', '=', id).execute();
    await set(first.id, { status: 'stopped' });
    await s.tick();
    expect([await s.covered(first), await s.covered(second)]).toEqual([null, order.id]);
    await set(second.id, { instance_type: 'tdx.medium', vcpu: 2, hourly_rate_micros: 116_000 });
    expect(await s.covered(second)).toBeNull();
    await s.tick();
    expect(await s.covered(first)).toBe(order.id);
    await set(first.id, { status: 'deleted', deleted_at: new Date() });
    expect(await s.covered(first)).toBeNull();
    const third = await team.cvm();
    expect(await s.covered(third)).toBe(order.id);
    await set(third.id, { status: 'stopped', deleted_at: new Date(), purge_at: new Date() });
    await set(third.id, { deleted_at: null, purge_at: null });
    expect(await s.covered(third)).toBe(order.id);
  });

  it('is limited to the GPUs if so ordered, and to the ordered type', async () => {
    await db()
      .updateTable('instance_types')
      .set({ gpu_rate_micros: 2_800_000, hourly_rate_micros: 3_500_000 })
      .where('id', '=', 'h200.small')
      .execute();
    const team = await s.team(5_000 * DOLLAR);
    await s.ordered(
      team.client,
      await s.offer({ instance_type: 'h200.small', covers: 'gpus', price: '900.00' }),
    );
    const rates = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000, gpus: 1 };
    const small = await team.cvm();
    const gpu = await team.cvm({ instance_type: 'h200.small', ...rates });
    expect(await s.covered(small)).toBeNull();
    const { current } = await accruedUsage(db(), team.team_id, new Date(Date.now() + HOUR));
    expect(current.find(({ cvm_id }) => cvm_id === gpu.id)?.hourly).toBe(700_000);
  });
});

describe('canceling', () => {
  it('refunds the displayed amount to its sources; another amount is refused with the right one', async () => {
    const team = await s.team(30 * DOLLAR);
    const grant = await s.books.grant(team.team_id, 40 * DOLLAR, '2099-01-01T00:00:00Z');
    const cvm = await team.cvm();
    const product = await s.offer({
      period: 'day',
      price: '10.00',
      min_periods: 1,
      max_periods: 6,
      refund_percent: 50,
    });
    const order = await s.ordered(team.client, product, { periods: 6 });
    expect(await team.posted()).toBe(10 * DOLLAR);
    // Five whole days after the first, at half price.
    expect(order.refund).toBe('25.00');
    await age(order, 2.5 * DAY);
    const shown = await get(team.client, order.id);
    // 3.5 days are left; the current hour doesn't count.
    const hours = Math.floor((time(shown.ends_at).getTime() - Date.now()) / HOUR);
    expect(Number(shown.refund)).toBeCloseTo((60 * hours) / 144 / 2, 5);
    const wrong = await cancel(team.client, order.id, '60.00');
    expect(code(wrong)).toEqual([409, 'ERR-04-011']);
    expect(detail(wrong.body)?.value).toBe(shown.refund);
    const done = await cancel(team.client, order.id, shown.refund ?? '');
    expect([done.status, done.body]).toMatchObject([
      200,
      { state: 'refunded', refunded: shown.refund, refund: null, cvm: null, renews: false },
    ]);
    // Prepaid money is refunded first, because credits were used first.
    expect(await s.books.remaining(grant)).toBe(0);
    expect(await team.posted()).toBe(10 * DOLLAR + Math.round(Number(shown.refund) * DOLLAR));
    expect(code(await cancel(team.client, order.id, shown.refund ?? ''))).toEqual([409, 'ERR-04-013']);
    expect(await s.covered(cvm)).toBeNull();
    const { lines } = await accruedUsage(db(), team.team_id, new Date(Date.now() + HOUR));
    expect(lines.slice(-2)).toMatchObject([
      { basis: 'size', rate_micros: 56_000, order_id: null },
      { basis: 'disk', rate_micros: 2_000, order_id: null },
    ]);
    expect(await events(team.team_id)).toEqual(['order.started', 'order.cancelled']);
  });

  it('before the start refunds everything', async () => {
    const team = await s.team(20 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer(), {
      starts_at: new Date(Date.now() + 5 * DAY).toISOString(),
    });
    expect([order.state, await team.posted()]).toEqual(['paid', 0]);
    expect((await cancel(team.client, order.id, '20.00')).body).toMatchObject({ state: 'refunded' });
    expect(await team.posted()).toBe(20 * DOLLAR);
    expect(await events(team.team_id)).toEqual(['order.paid', 'order.cancelled']);
  });

  it('check 15: an order of at least 24 hours that ends after 2 hours was charged for 24 hours, once', async () => {
    const team = await s.team(1_000 * DOLLAR);
    const product = await s.offer({ period: 'day', price: '84.00', max_periods: 7, refund_percent: 100 });
    const order = await s.ordered(team.client, product, { periods: 7 });
    await age(order, 2 * HOUR);
    const { refund } = await get(team.client, order.id);
    expect((await cancel(team.client, order.id, refund ?? '')).status).toBe(200);
    expect(await team.posted()).toBe(916 * DOLLAR);
  });

  it('ten times concurrently refunds once', async () => {
    const team = await s.team(20 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer(), {
      starts_at: new Date(Date.now() + 5 * DAY).toISOString(),
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => cancel(team.client, order.id, '20.00')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await team.posted()).toBe(20 * DOLLAR);
  });
});

describe('the end of a term', () => {
  it('is announced once, happens automatically, and frees stock and CVM', async () => {
    const team = await s.team(21 * DOLLAR);
    const product = await s.offer({ stock: 1 });
    const cvm = await team.cvm();
    const order = await s.ordered(team.client, product);
    for (let run = 0; run < 2; run++) await s.tick(later(order.ends_at, -7 * DAY + 1_000));
    expect(await events(team.team_id)).toEqual(['order.started', 'order.ending']);
    await s.tick(later(order.ends_at, -1_000));
    expect((await get(team.client, order.id)).state).toBe('active');
    for (let run = 0; run < 2; run++) await s.tick(later(order.ends_at, 1_000));
    expect(await get(team.client, order.id)).toMatchObject({ state: 'ended', refund: null, cvm: null });
    expect(await s.covered(cvm)).toBeNull();
    expect(await s.offered(team.client, product)).toMatchObject({ left: 1 });
    expect(await events(team.team_id)).toEqual(['order.started', 'order.ending', 'order.ended']);
    await fanOutEvents(db(), 'https://cloud.example.test');
    const { body } = await team.client.call('listNotifications');
    const titles = (body as NotificationPage).data.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([`${order.name} started`, `${order.name} ends soon`, `${order.name} has ended`]),
    );
  });

  it('is renewed only if chosen, once per term, without a gap in coverage', async () => {
    const team = await s.team(50 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer());
    // Coverage starts with the order, not seconds before it.
    const cvm = await team.cvm();
    const path = { order_id: order.id };
    const chosen = await team.client.call('updateOrder', { path, body: { renews: true } });
    expect(chosen.body).toMatchObject({ renews: true });
    await s.tick(later(order.ends_at, -DAY - 1_000));
    expect((await get(team.client, order.id)).charged).toBe('20.00');
    for (let run = 0; run < 3; run++) await s.tick(later(order.ends_at, -DAY + 1_000));
    const renewed = await get(team.client, order.id);
    expect(renewed).toMatchObject({ state: 'active', charged: '40.00', renews: true });
    expect(time(renewed.ends_at).getTime()).toBeGreaterThan(time(order.ends_at).getTime() + 27 * DAY);
    expect(await team.posted()).toBe(10 * DOLLAR);
    const { lines } = await accruedUsage(db(), team.team_id, later(renewed.ends_at, HOUR));
    const charged = lines.filter(({ cvm_id, amount_micros }) => cvm_id === cvm.id && amount_micros > 0);
    expect(charged.map(({ from, amount_micros }) => [from, amount_micros])).toEqual([
      [time(renewed.ends_at), 56_000],
      [time(renewed.ends_at), 2_000],
    ]);
    expect(await events(team.team_id)).toEqual(['order.started', 'order.ending', 'order.renewed']);
    // The next term has not started: canceling refunds all of it.
    expect(Number(renewed.refund)).toBeGreaterThanOrEqual(20);
    const off = await team.client.call('updateOrder', { path, body: { renews: false } });
    expect(off.body).toMatchObject({ renews: false, renews_at: null });
  });

  it('happens despite renewal if the price changed or the product is retired', async () => {
    for (const change of [{ price: '21.00' }, { state: 'retired' }, { refund_percent: 1 }]) {
      const team = await s.team(100 * DOLLAR);
      const product = await s.offer();
      const order = await s.ordered(team.client, product, { renews: true });
      await s.admin.call('updateAdminOrderProduct', { path: { id: product.id }, body: change as never });
      await s.tick(later(order.ends_at, -DAY + 1_000));
      expect(await get(team.client, order.id)).toMatchObject({ renews: false, charged: '20.00' });
      expect(await team.posted()).toBe(80 * DOLLAR);
      expect(await events(team.team_id)).toContain('order.renewal_failed');
      const again = await team.client.call('updateOrder', {
        path: { order_id: order.id },
        body: { renews: true },
      });
      expect(code(again)).toEqual([409, 'ERR-04-013']);
    }
  });

  it('waits for funds until then, and notifies once', async () => {
    const team = await s.team(20 * DOLLAR);
    const order = await s.ordered(team.client, await s.offer(), { renews: true });
    for (const minutes of [1, 7, 14]) await s.tick(later(order.ends_at, -DAY + minutes * 60_000));
    expect((await events(team.team_id)).filter((kind) => kind === 'order.renewal_failed')).toHaveLength(1);
    await s.books.topUp(team.team_id, 20 * DOLLAR);
    await s.tick(later(order.ends_at, -60_000));
    expect(await get(team.client, order.id)).toMatchObject({ state: 'active', charged: '40.00' });
    const poor = await s.team(20 * DOLLAR);
    const ending = await s.ordered(poor.client, await s.offer(), { renews: true });
    await s.tick(later(ending.ends_at, -60_000));
    await s.tick(later(ending.ends_at, 1_000));
    expect(await get(poor.client, ending.id)).toMatchObject({ state: 'ended', charged: '20.00' });
  });

  it('is counted from the agreed start, however late the job runs', async () => {
    const team = await s.team(20 * DOLLAR);
    const starts = new Date(Math.floor(Date.now() / 1000) * 1000 + 2_000);
    const order = await s.ordered(team.client, await s.offer(), { starts_at: starts.toISOString() });
    const cvm = await team.cvm();
    expect([order.state, await s.covered(cvm)]).toEqual(['paid', null]);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await s.tick();
    expect(await get(team.client, order.id)).toMatchObject({
      state: 'active',
      cvm: { vm_uuid: cvm.vm_uuid },
    });
    const { lines } = await accruedUsage(db(), team.team_id, new Date(starts.getTime() + HOUR));
    expect(lines.filter(({ rate_micros }) => rate_micros === 0).map(({ from }) => from)).toEqual([
      starts,
      starts,
    ]);
  });
});
