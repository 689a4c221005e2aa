import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminOrder, CvmDetail, InvoiceLinePage, Order } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { draftInvoice, lockInvoice } from '../../../db/billing/invoices';
import { issueInvoice } from '../../../db/billing/issueInvoice';
import { endTeam } from '../../../db/teams/teams';
import { withTransaction } from '../../../db/core/client';
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
const get = async (client: Parameters<OrderServer['order']>[0], id: string) =>
  (await client.call('getOrder', { path: { order_id: id } })).body as Order;
const cancel = (client: Parameters<OrderServer['order']>[0], id: string, refund: string) =>
  client.call('cancelOrder', { path: { order_id: id }, body: { refund }, headers: once() });
it('ends with its team, even while awaiting payment', async () => {
  const team = await s.team(20 * DOLLAR);
  const product = await s.offer({ stock: 2 });
  await s.ordered(team.client, product);
  await s.ordered(team.client, product, { pay_with: 'manual' });
  const watcher = await s.team(0);
  expect(await s.offered(watcher.client, product)).toMatchObject({ left: 0 });
  expect(await withTransaction(db(), (trx) => endTeam(trx, team.team_id))).toMatchObject({ orders: 2 });
  expect(await s.offered(watcher.client, product)).toMatchObject({ left: 2 });
  await s.tick(new Date(Date.now() + 400 * DAY));
  const { body } = await s.admin.call('listAdminOrders', {
    query: { filter: JSON.stringify({ team_id: team.team_id }) },
  });
  expect((body as AdminOrder[]).map(({ state, refunded }) => [state, refunded])).toEqual([
    ['cancelled', '0.00'],
    ['cancelled', '0.00'],
  ]);
});

describe('administrators', () => {
  const found = async (order: Order) =>
    (
      (await s.admin.call('listAdminOrders', { query: { filter: JSON.stringify({ q: order.id }) } }))
        .body as AdminOrder[]
    )[0]!;

  it('cancel an order with its rules’ refund or another amount, and refund a part', async () => {
    const team = await s.team(60 * DOLLAR);
    const product = await s.offer();
    const [one, two, three] = [
      await s.ordered(team.client, product),
      await s.ordered(team.client, product),
      await s.ordered(team.client, product),
    ];
    const call = (id: 'cancelAdminOrder' | 'refundAdminOrder', order: AdminOrder, body: object) =>
      s.admin.call(id, { path: { id: order.id }, body: body as never, headers: once() });
    const reason = 'The host was retired';
    const row = await found(one);
    expect((await call('cancelAdminOrder', row, { reason, refund: '20.01' })).status).toBe(422);
    expect((await call('cancelAdminOrder', row, { reason, refund: '12.5' })).body).toMatchObject({
      state: 'refunded',
      refunded: '12.50',
      reason,
    });
    expect(code(await call('cancelAdminOrder', row, { reason }))).toEqual([409, 'ERR-04-013']);
    expect((await call('refundAdminOrder', row, { amount: '7.51', reason })).status).toBe(422);
    expect((await call('refundAdminOrder', row, { amount: '7.50', reason })).body).toMatchObject({
      refunded: '20.00',
    });
    expect((await call('refundAdminOrder', row, { amount: '0.01', reason })).status).toBe(422);
    expect((await call('cancelAdminOrder', await found(two), { reason })).body).toMatchObject({
      state: 'cancelled',
      refunded: '0.00',
    });
    expect((await call('refundAdminOrder', await found(three), { amount: '5', reason })).body).toMatchObject({
      state: 'active',
      refunded: '5.00',
    });
    expect(await team.posted()).toBe(25 * DOLLAR);
    const audit = await db()
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('team_id', '=', team.team_id)
      .where('target_kind', '=', 'order')
      .orderBy('id')
      .execute();
    expect(audit.map(({ action, actor_kind }) => `${actor_kind} ${action}`)).toEqual([
      'user order.create',
      'user order.create',
      'user order.create',
      'staff order.cancel',
      'staff order.refund',
      'staff order.cancel',
      'staff order.refund',
    ]);
    expect(code(await team.client.call('listAdminOrders'))).toEqual([403, 'ERR-00-003']);
  });

  it('can only offer consistent products', async () => {
    const create = (body: object) =>
      s.admin.call('createAdminOrderProduct', {
        body: {
          name: 'Odd',
          instance_type: 'tdx.small',
          period: 'month',
          price: '20.00',
          stock: 1,
          ...body,
        } as never,
      });
    for (const [body, field] of [
      [{ instance_type: 'none.such' }, 'instance_type'],
      [{ covers: 'gpus' }, 'covers'],
      [{ price: '0' }, 'price'],
      [{ min_periods: 3, max_periods: 2 }, 'min_periods'],
      [{ max_periods: 37 }, 'max_periods'],
      [{ starts_at: '2030-02-01T00:00:00Z', ends_at: '2030-01-01T00:00:00Z' }, 'ends_at'],
    ] as const) {
      const answer = await create(body);
      expect(answer.status, field).toBe(422);
      expect(detail(answer.body)?.field).toBe(field);
    }
    for (const body of [
      { price: '1.005' },
      { stock: -1 },
      { refund_percent: 101 },
      { period: 'year' },
      { covers: 'all' },
    ])
      expect((await create(body)).status).toBe(422);
  });
});

it('is on the invoice for the month it was charged or refunded, with lines in cents', async () => {
  const team = await s.team(100 * DOLLAR);
  const product = await s.offer({ period: 'day', price: '3.33', max_periods: 3, refund_percent: 33 });
  const order = await s.ordered(team.client, product, { periods: 3 });
  const kept = await s.ordered(team.client, product, { periods: 2 });
  const { refund } = await get(team.client, order.id);
  expect((await cancel(team.client, order.id, refund ?? '')).status).toBe(200);
  const now = new Date();
  const month = {
    start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
  };
  const draft = await withTransaction(db(), (trx) => draftInvoice(trx, team.team_id, month));
  const issued = await withTransaction(db(), async (trx) => {
    const row = await lockInvoice(trx, draft?.id ?? 0);
    if (!row) throw new Error('no draft');
    return issueInvoice(
      trx,
      row,
      { review_days: 0, due_days: 14, tax_rule: 'fixed', tax_rate: 1_900, seller: null, seller_vat_id: null },
      now,
    );
  });
  const { items } = (
    await team.client.call('listInvoiceLines', { path: { invoice_id: issued.public_id }, query: {} })
  ).body as InvoiceLinePage;
  expect(
    items.map(({ basis, order_id, exact_amount, vm_uuid }) => [basis, order_id, exact_amount, vm_uuid]),
  ).toEqual([
    ['order', order.id, '9.99', null],
    ['order', kept.id, '6.66', null],
    ['order', order.id, `-${refund}`, null],
  ]);
  expect(items.map(({ hours }) => hours)).toEqual([72, 48, 0]);
  expect(items[0]?.description).toContain(order.name);
  const cents = items.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  expect(cents).toBe(issued.subtotal_cents);
  expect(issued.state).toBe('paid');
  const pdf = await team.client.call('downloadInvoice', { path: { invoice_id: issued.public_id } });
  expect(pdf.status).toBe(200);
});

it('is shown beside a CVM with GPUs, as published clients read it', async () => {
  const team = await s.team(3000 * DOLLAR);
  const product = await s.offer({ instance_type: 'h200.small', price: '2500.00', max_periods: 2 });
  const order = await s.ordered(team.client, product);
  const cvm = await team.cvm({ instance_type: 'h200.small' });
  expect(await s.covered(cvm)).toBe(order.id);
  const shown = async (version = '2026-06-23') => {
    const client = team.client.with({ 'x-phala-version': version });
    const one = await client.call('getCvm', { path: { cvm_id: cvm.public_id } });
    const list = (await client.call('listCvmsPaginated')).body as unknown as { items: CvmDetail[] };
    expect(list.items.map((item) => item.gpu_rental_order)).toEqual([one.body.gpu_rental_order]);
    return one.body.gpu_rental_order;
  };
  const days = Math.round((Date.parse(order.ends_at ?? '') - Date.parse(order.starts_at ?? '')) / DAY);
  expect(await shown('2026-01-21')).toEqual({
    order_id: order.id,
    status: 'active',
    pricing_plan: 'month',
    commitment_days: days,
    auto_renew: false,
    expires_at: order.ends_at,
    renewal_in_progress: false,
    renewal_next_attempt_at: null,
    agreed_hourly_rate: null,
    hourly_billing_start_time: order.ends_at,
    activated_at: order.starts_at,
    completed_at: null,
    cancelled_at: null,
    decoupled_at: null,
    sku_code: product.public_id,
    sku_display_name: product.name,
  });
  const renewed = await team.client.call('updateOrder', {
    path: { order_id: order.id },
    body: { renews: true },
  });
  expect(renewed.status).toBe(200);
  expect(await shown()).toMatchObject({
    auto_renew: true,
    renewal_next_attempt_at: (renewed.body as Order).renews_at,
    hourly_billing_start_time: null,
  });
});
