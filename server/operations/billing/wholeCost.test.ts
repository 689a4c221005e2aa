import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminSpend,
  AdminUsage,
  AdminWorkspace,
  Billing,
  Budget,
  CostForecast,
  CreatedAiKey,
  TeamCost,
  TeamUsage,
} from '../../../generated/api/types.gen';
import { parseMicros } from '../../../console/lib/billing/money';
import { checkBooks } from '../../db/billing/checkBooks';
import { closeAiUsage } from '../../jobs/billing/closeAiUsage';
import { closeUsage } from '../../jobs/billing/closeUsage';
import type { TestClient } from '../../testing/server';
import { once, startOrderServer, type OrderServer } from './orders/testing/orderTeams';

/** A team's total cost: CVMs across a month boundary, AI requests and an order, posted and not. */

const HOUR = 3_600_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
/** The start of this month, or of last month if this one is too recent to have closed hours. */
const edge = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCDate() < 3 ? 1 : 0), 1));
const before = new Date(Date.UTC(edge.getUTCFullYear(), edge.getUTCMonth() - 1, 1));
const at = (hours: number) => new Date(edge.getTime() + hours * HOUR).toISOString();

let s: OrderServer;
let owner: TestClient;
let team_id: number;
let key_id: number;

beforeAll(async () => {
  s = await startOrderServer();
  const team = await s.team(1_000_000_000);
  ({ client: owner, team_id } = team);
  const { key } = (await owner.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey;
  const row = await db()
    .selectFrom('ai_keys')
    .select('id')
    .where('public_id', '=', key.id)
    .executeTakeFirstOrThrow();
  key_id = row.id;
});
afterAll(async () => {
  expect(await checkBooks(db())).toEqual([]);
  await s.server.stop();
});

const db = () => s.server.services.db;
/** The team has no CVM of this type: an order would make a covered one run again. */
const uncovering = { instance_type: 'tdx.medium' };
/** Records a request to the AI gateway. The costs have fractions of a micro-dollar. */
const ask = (created_at: string | Date, model: string, cost_picos: number) =>
  sql`insert into ai_requests (public_id, team_id, key_id, created_at, model, endpoint, status, outcome, is_streamed,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, duration_ms, cost_picos)
    values (${`chatcmpl-${Math.random()}`}, ${team_id}, ${key_id}, ${new Date(created_at)}, ${model}, 'chat.completions', 200, 'completed', false,
      700, 0, 300, 0, 10, ${cost_picos})`.execute(db());
async function close(until: Date): Promise<void> {
  // One run posts two days.
  for (let run = 0; run < 20; run++) await closeUsage({ ...s.server.services, now: until });
  await closeAiUsage({ ...s.server.services, now: until });
}
const micros = (usd: string) => parseMicros(usd) ?? Number.NaN;
const months = [
  { from: before.toISOString(), to: edge.toISOString() },
  { from: edge.toISOString(), to: now.toISOString() },
];
const cost = async (query: object, group_by: TeamCost['group_by'] = 'app') =>
  (await owner.call('getTeamCost', { query: { ...query, group_by } })).body as TeamCost;
const usage = async (query: object) =>
  (await owner.call('getTeamUsage', { query: { ...query, group_by: 'app' } })).body as TeamUsage;
const accrued = async () => micros(((await owner.call('getBilling')).body as Billing).accrued);
/** Returns the ledger's charges after `from` up to `to`: hours count when they end, orders when paid. */
async function ledger({ from, to }: { from: string; to: string }): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum((select sum((e->>'amount')::bigint) from jsonb_array_elements(entries) e
      where e->>'account' = 'revenue')), 0)::bigint as amount
    from ledger_transactions where team_id = ${team_id} and case when kind in ('order', 'order_refund')
      then effective_at >= ${from} and effective_at < ${to}
      else effective_at > ${from} and effective_at <= ${to} end`.execute(db());
  return rows[0]?.amount ?? 0;
}

describe('a team’s cost', () => {
  let late: number;

  it('matches the ledger’s charges for a month, to the micro-dollar', async () => {
    await s.books.cvm(team_id, [
      ['running', at(-30)],
      ['stopped', at(1.5)],
      ['deleted', at(20)],
    ]);
    const gpu = { vcpu: 4, hourly_rate_micros: 3_500_001, gpu_rate_micros: 2_800_007 };
    await s.books.cvm(team_id, [
      ['running', at(-1.25), gpu],
      ['deleted', at(2.01), gpu],
    ]);
    late = await s.books.cvm(team_id, [['running', at(-3), { hourly_rate_micros: 77_777 }]]);
    await ask(at(-0.5), 'acme/large', 1_234_567_891);
    await ask(at(-0.25), 'acme/small', 999_999);
    await ask(at(0.5), 'acme/large', 7_654_321_987);
    await close(new Date(edge.getTime() + 5.2 * HOUR));
    const { amount, days } = await cost(months[0]!);
    expect(micros(amount)).toBe(await ledger(months[0]!));
    expect(micros(amount)).toBeGreaterThan(30 * 58_000);
    // The hour that ends with the month belongs to the month's last day.
    expect(micros(days.at(-1)!)).toBeGreaterThan(24 * 58_000 + 1234);
  });

  it('counts a late correction and a late request on the days they apply to, across a month boundary', async () => {
    const before_edge = micros((await cost(months[0]!)).amount);
    expect((await s.books.lines(late)).length).toBeGreaterThan(5);
    await s.books.change(late, ['stopped', at(-2), { hourly_rate_micros: 77_777 }]);
    await s.books.change(late, ['deleted', at(3)]);
    await ask(at(-0.1), 'acme/large', 3_000_000_123);
    // Ends a moment ago, so that its last hour is unposted and doesn't grow.
    await s.books.cvm(team_id, [
      ['running', new Date(now.getTime() - 20 * HOUR).toISOString(), { hourly_rate_micros: 58_003 }],
      ['deleted', new Date(now.getTime() - 1000).toISOString()],
    ]);
    await close(now);
    await ask(new Date(now.getTime() - 1000), 'acme/large', 5_000_700_000);
    const product = await s.offer({
      period: 'day',
      price: '12.00',
      max_periods: 10,
      name: 'A medium for days',
    });
    await s.ordered(owner, product, { periods: 10 });
    const posted = await s.books.transactions(team_id);
    expect(posted.filter(({ kind }) => kind === 'usage_correction')).toHaveLength(1);

    expect(await accrued()).toBeGreaterThan(5000);
    const all = micros((await cost({ from: before.toISOString() })).amount);
    expect(all).toBe((await s.books.charged(team_id)) + (await accrued()));
    const last = micros((await cost(months[0]!)).amount);
    expect(last + micros((await cost({ from: edge.toISOString() })).amount)).toBe(all);
    // Two hours of last month at the disk price instead, and the late request.
    expect(last - before_edge).toBe(2 * (2_000 - 77_777) + 3000);
  });

  it.each(['app', 'cvm', 'instance_type', 'basis'] as const)(
    'by %s includes AI models and orders',
    async (by) => {
      const { groups, amount, days } = await cost({ from: before.toISOString() }, by);
      expect(groups.reduce((sum, group) => sum + micros(group.amount), 0)).toBe(micros(amount));
      days.forEach((day, i) =>
        expect(groups.reduce((sum, group) => sum + micros(group.days[i]!), 0)).toBe(micros(day)),
      );
      const shown = groups.map(({ kind, key, name }) => [kind, kind === 'order' ? name : key]);
      if (by === 'basis') {
        expect(shown).toContainEqual(['basis', 'ai']);
        expect(shown).toContainEqual(['basis', 'order']);
        expect(groups.find(({ key }) => key === 'order')?.amount).toBe('120.00');
      } else {
        expect(shown).toContainEqual(['ai_model', 'acme/large']);
        expect(shown).toContainEqual(['ai_model', 'acme/small']);
        expect(shown).toContainEqual(['order', 'A medium for days']);
        expect(groups.filter(({ kind }) => kind === by).length).toBeGreaterThan(0);
      }
    },
  );

  it('decreases by refunds', async () => {
    const { amount } = await cost({ from: before.toISOString() });
    const product = await s.offer({
      ...uncovering,
      period: 'day',
      price: '3.00',
      max_periods: 3,
      refund_percent: 50,
    });
    const order = await s.ordered(owner, product, { periods: 3 });
    const shown = async () =>
      (await cost({ from: before.toISOString() })).groups.find(({ key }) => key === order.id)?.amount;
    expect(await shown()).toBe('9.00');
    const path = { order_id: order.id };
    const refund = ((await owner.call('getOrder', { path })).body as { refund: string }).refund;
    await owner.call('cancelOrder', { path, body: { refund }, headers: once() });
    expect(micros((await cost({ from: before.toISOString() })).amount)).toBe(
      micros(amount) + 9_000_000 - micros(refund),
    );
    expect(micros((await cost({ from: before.toISOString() })).amount)).toBe(
      (await s.books.charged(team_id)) + (await accrued()),
    );
  });
});

describe('usage', () => {
  it('includes requests, tokens and reserved hours', async () => {
    const { groups, total } = await usage({ from: before.toISOString() });
    expect(groups.find(({ key }) => key === 'acme/large')).toMatchObject({
      kind: 'ai_model',
      total: { ai_requests: 4, ai_tokens: 4000, vcpu_hours: 0 },
    });
    expect(total).toMatchObject({ ai_requests: 5, ai_tokens: 5000 });
    const order = groups.find(({ kind, name }) => kind === 'order' && name === 'A medium for days');
    // Since the order, seconds ago.
    expect(order?.total.reserved_hours).toBeLessThan(0.5);
    await sql`update orders set starts_at = starts_at - interval '1 day' where team_id = ${team_id}`.execute(
      db(),
    );
    await sql`alter table order_terms disable trigger order_terms_refuse`.execute(db());
    await sql`update order_terms t set starts_at = t.starts_at - interval '1 day' from orders o
      where o.id = t.order_id and o.team_id = ${team_id} and o.state = 'active'`.execute(db());
    await sql`alter table order_terms enable trigger order_terms_refuse`.execute(db());
    const later = (await usage({ from: before.toISOString() })).groups.find(({ key }) => key === order?.key);
    expect(later?.total.reserved_hours).toBeGreaterThanOrEqual(24);
    expect(later?.total.reserved_hours).toBeLessThan(24.5);
  });
});

describe('the forecast', () => {
  it('includes AI requests and orders, and adds up', async () => {
    const forecast = (await owner.call('getCostForecast')).body as CostForecast;
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    expect(micros(forecast.spent)).toBe(micros((await cost({ from: month.toISOString() })).amount));
    for (const key of ['spent', 'expected'] as const)
      expect(forecast.parts.reduce((sum, part) => sum + micros(part[key]), 0)).toBe(micros(forecast[key]));
    const part = (kind: string) => forecast.parts.find((one) => one.kind === kind);
    expect(micros(part('ai')!.expected)).toBeGreaterThan(micros(part('ai')!.spent));
    expect(micros(part('orders')!.spent)).toBeGreaterThanOrEqual(120_000_000);
    expect(part('orders')!.expected).toBe(part('orders')!.spent);
  });
});

describe('the file', () => {
  it('adds up to the cost, labels each row, and keeps the columns that clients read', async () => {
    const { body } = await owner.call('exportTeamUsage', { query: { from: before.toISOString() } });
    const [head, ...rows] = String(body)
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const at = (name: string) => head!.indexOf(name);
    expect(head!.slice(0, 14).join()).toBe(
      'app,cvm,vm_uuid,from,to,status,paid_for,vcpu,memory_mb,disk_gb,seconds,usd_per_hour,usd,state',
    );
    const sum = (some: string[][]) => some.reduce((total, row) => total + micros(row[at('usd')]!), 0);
    expect(sum(rows)).toBe(micros((await cost({ from: before.toISOString() })).amount));
    const of = (kind: string) => rows.filter((row) => row[at('kind')] === kind);
    expect(of('cvm').length + of('ai').length + of('order').length).toBe(rows.length);
    const large = of('ai').filter((row) => row[at('description')] === 'acme/large');
    expect(large.map((row) => row[at('state')])).toEqual(['posted', 'posted', 'posted', 'not posted yet']);
    expect(large.map((row) => row[at('input_tokens')])).toEqual(['700', '700', '700', '700']);
    expect(of('order').map((row) => [row[at('usd')], row[at('paid_for')]])).toContainEqual([
      '120.00',
      'order',
    ]);
    expect(of('order').some((row) => row[at('usd')]!.startsWith('-'))).toBe(true);
  });
});

describe('budgets and administrators', () => {
  it('see the same totals: a team’s budget counts everything, an app’s only its CVMs', async () => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
    const budget = async (body: object) =>
      (
        await owner.call('createBudget', {
          body: { period: 'month', amount: '100000', action: 'notify', ...body },
        })
      ).body as Budget;
    const team = await budget({});
    const { amount, groups } = await cost({ from: month });
    expect(team.used).toBe(amount);
    const app = groups.find(({ kind }) => kind === 'app');
    if (app) expect((await budget({ app_id: app.key })).used).toBe(app.amount);
    const spend = (await s.admin.call('getAdminSpend')).body as AdminSpend;
    const mine = spend.teams.find((one) => one.team_id === team_id);
    // There, each CVM's share is truncated to a micro-dollar; here, the team's total.
    expect(Math.abs(micros(mine!.month) - micros(amount))).toBeLessThanOrEqual(10);
    expect(micros(mine!.orders)).toBeGreaterThanOrEqual(120_000_000);
    expect(micros(mine!.ai)).toBeGreaterThanOrEqual(5000);
    expect(micros(spend.month)).toBeGreaterThanOrEqual(micros(mine!.month));
  });

  it('see keys and orders in team and user usage, and the ledger’s charges in the team’s record', async () => {
    const list = async (filter: object) =>
      (await s.admin.call('listAdminUsage', { query: { filter: JSON.stringify(filter) } }))
        .body as AdminUsage[];
    await sql`update ai_keys set last_used_at = now() where id = ${key_id}`.execute(db());
    const rows = await list({ team_id });
    const key = rows.find(({ kind }) => kind === 'ai_key');
    expect(key).toMatchObject({ name: 'Bot', cvm_id: null, app_id: null, running_hours: 0 });
    expect(micros(key!.amount)).toBeGreaterThanOrEqual(5000);
    expect(rows.filter(({ kind }) => kind === 'order').map(({ amount }) => amount)).toContain('120.00');
    expect((await list({ user_id: key!.user_id })).map(({ id }) => id)).toContain(key!.id);
    expect((await list({ team_id, kind: 'order' })).every(({ kind }) => kind === 'order')).toBe(true);
    const team = (await s.admin.call('getAdminWorkspace', { path: { id: team_id } })).body as AdminWorkspace;
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
    const charged = await ledger({ from: month, to: new Date().toISOString() });
    expect(micros(team.charged_month)).toBe(charged);
    const teams = (await s.admin.call('listAdminWorkspaces')).body as AdminWorkspace[];
    expect(micros(teams.find(({ id }) => id === team_id)!.charged_month)).toBe(charged);
    const csv = await s.admin.call('listAdminWorkspaces', {
      query: { format: 'csv', columns: 'id,charged_month' } as never,
    });
    expect(String(csv.body).split('\r\n')).toContain(`${team_id},${team.charged_month}`);
  });
});
