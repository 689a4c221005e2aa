import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CostForecast, TeamCost, TeamUsage } from '../../../generated/api/types.gen';
import { closeUsage } from '../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Ten days before today, so that every test has complete days at any time of day. */
const BEGIN = Math.floor(Date.now() / DAY) * DAY - 10 * DAY;
const after = (days: number, hours = 0) => new Date(BEGIN + days * DAY + hours * HOUR).toISOString();
const WINDOW = { from: after(0), to: after(3) };

let server: TestServer;
let owner: TestClient;
let books: Books;
let team_id: number;

beforeAll(async () => {
  server = await startTestServer();
  await server.register('admin@example.test');
  owner = await server.register('cost@example.test');
  ({ team_id } = await identityOf(server.services.db, 'cost@example.test'));
  books = await startBooks(server.services);
  // Day 0: a full day; day 1: 12 hours, then its disk alone; day 2: its disk; deleted at the end of it.
  await books.cvm(team_id, [
    ['running', after(0)],
    ['stopped', after(1, 12)],
    ['deleted', after(3)],
  ]);
  const gpu = { vcpu: 4, hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
  await books.cvm(team_id, [
    ['running', after(1), gpu],
    ['deleted', after(1, 2), gpu],
  ]);
});
afterAll(() => server.stop());

const close = () =>
  closeUsage({ db: server.services.db, log: server.services.log, now: new Date(Date.now() + HOUR) });
const cost = async (group_by: TeamCost['group_by'], query: object = WINDOW, client = owner) =>
  (await client.call('getTeamCost', { query: { ...query, group_by } })).body as TeamCost;
const usage = async (group_by: TeamUsage['group_by'], query: object = WINDOW) =>
  (await owner.call('getTeamUsage', { query: { ...query, group_by } })).body as TeamUsage;

describe('cost', () => {
  it('is the same before and after it is posted, to the micro-dollar', async () => {
    const before = await cost('cvm');
    expect(before).toMatchObject({ from: WINDOW.from, to: WINDOW.to });
    // 24 h × 58,000; 12 h × 58,000 + 12 h × 2,000 + 2 h × 3,500,000; 24 h × 2,000.
    expect(before.days).toEqual(['1.392', '7.72', '0.048']);
    expect(before.amount).toBe('9.16');
    // One run posts two days.
    for (let i = 0; i < 6; i += 1) await close();
    expect(await cost('cvm')).toEqual(before);
    const posted = await books.transactions(team_id);
    expect(posted.length).toBeGreaterThan(70);
  });

  it.each(['app', 'cvm', 'instance_type', 'basis'] as const)(
    'by %s adds up by day and in total',
    async (by) => {
      const { amount, days, groups } = await cost(by);
      const micros = (text: string) => Math.round(Number(text) * 1e6);
      expect(groups.reduce((sum, group) => sum + micros(group.amount), 0)).toBe(micros(amount));
      days.forEach((day, i) =>
        expect(groups.reduce((sum, group) => sum + micros(group.days[i]!), 0)).toBe(micros(day)),
      );
    },
  );

  it('names each group, most expensive first', async () => {
    expect((await cost('basis')).groups.map(({ key, amount }) => [key, amount])).toEqual([
      ['gpu', '5.60'],
      ['size', '3.412'],
      ['disk', '0.148'],
    ]);
    const [first, second] = (await cost('cvm')).groups;
    expect(first).toMatchObject({ amount: '7.00', count: 1, name: expect.stringMatching(/^app-/) });
    expect(second).toMatchObject({ amount: '2.16', count: 1 });
  });

  it('shows nine groups and combines the rest', async () => {
    const other = await server.register('many@example.test');
    const { team_id: many } = await identityOf(server.services.db, 'many@example.test');
    for (let i = 0; i < 12; i += 1)
      await books.cvm(many, [
        ['running', after(0), { hourly_rate_micros: 1000 * (i + 1) }],
        ['deleted', after(0, 1)],
      ]);
    const { groups, amount } = await cost('cvm', WINDOW, other);
    expect(groups).toHaveLength(10);
    expect(groups[0]).toMatchObject({ amount: '0.012', count: 1 });
    expect(groups.at(-1)).toMatchObject({ key: null, name: null, count: 3, amount: '0.006' });
    expect(amount).toBe('0.078');
  });

  it('counts a late correction on the days it applies to', async () => {
    const other = await server.register('late@example.test');
    const { team_id: late } = await identityOf(server.services.db, 'late@example.test');
    const cvm = await books.cvm(late, [['running', after(0, 20)]]);
    const until = new Date(BEGIN + 2 * DAY + 400_000);
    await closeUsage({ db: server.services.db, log: server.services.log, now: until });
    expect((await cost('cvm', WINDOW, other)).days).toEqual(['0.232', '1.392', '1.392']);
    await books.change(cvm, ['stopped', after(0, 22)]);
    await books.change(cvm, ['deleted', after(2)]);
    await closeUsage({
      db: server.services.db,
      log: server.services.log,
      now: new Date(until.getTime() + HOUR),
    });
    const corrected = await cost('cvm', WINDOW, other);
    // Two hours at 58,000 and two at 2,000; a day at 2,000; nothing.
    expect(corrected.days).toEqual(['0.12', '0.048', '0.00']);
  });

  it('refuses a window that is too long or ends before it starts', async () => {
    for (const query of [
      { from: after(-100), to: after(0) },
      { from: after(2), to: after(1) },
    ]) {
      const answer = await owner.call('getTeamCost', { query });
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain('from');
    }
  });
});

describe('usage', () => {
  it('is resources × hours by day', async () => {
    const { days, total, groups } = await usage('cvm');
    const none = { ai_requests: 0, ai_tokens: 0, reserved_hours: 0 };
    expect(days).toEqual([
      { vcpu_hours: 24, memory_gb_hours: 48, disk_gb_hours: 480, gpu_hours: 0, ...none },
      { vcpu_hours: 20, memory_gb_hours: 28, disk_gb_hours: 520, gpu_hours: 2, ...none },
      { vcpu_hours: 0, memory_gb_hours: 0, disk_gb_hours: 480, gpu_hours: 0, ...none },
    ]);
    expect(total).toEqual({
      vcpu_hours: 44,
      memory_gb_hours: 76,
      disk_gb_hours: 1480,
      gpu_hours: 2,
      ...none,
    });
    expect(groups).toHaveLength(2);
    expect((await usage('app')).groups[0]).toMatchObject({
      key: groups[0]!.app_id,
      name: 'app-2',
    });
  });

  it('check 42: is exported line by line, including unposted usage; a name such as =1+1 is no formula', async () => {
    const { db } = server.services;
    await books.cvm(team_id, [
      ['running', new Date(Math.floor(Date.now() / 1000) * 1000 - 2000).toISOString()],
    ]);
    await sql`update apps set name = '=1+1' where team_id = ${team_id}`.execute(db);
    const { body } = await owner.call('exportTeamUsage', { query: { from: WINDOW.from } });
    const [head, ...rows] = String(body).trim().split('\r\n');
    expect(head).toBe(
      'app,cvm,vm_uuid,from,to,status,paid_for,vcpu,memory_mb,disk_gb,seconds,usd_per_hour,usd,state,kind,description,requests,input_tokens,output_tokens',
    );
    const of = (state: string) => rows.map((row) => row.split(',')).filter((row) => row[13] === state);
    expect(of('posted').reduce((sum, row) => sum + Math.round(Number(row[12]) * 1e6), 0)).toBe(9_160_000);
    expect(of('not posted yet').map((row) => row[6])).toEqual(['size', 'disk']);
    expect(rows.every((row) => row.startsWith(`"'=1+1"`))).toBe(true);
    expect(rows.every((row) => row.endsWith(',cvm,,,,'))).toBe(true);
  });
});

describe('the forecast', () => {
  it('is the month so far plus the current rate, with each CVM’s current and stopped rates', async () => {
    const client = await server.register('forecast@example.test');
    const { team_id: own } = await identityOf(server.services.db, 'forecast@example.test');
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000).toISOString();
    await books.cvm(own, [['running', at]]);
    await books.cvm(own, [
      ['running', at],
      ['stopped', at],
    ]);
    const { body } = await client.call('getCostForecast');
    const forecast = body as CostForecast;
    expect(forecast).toMatchObject({ hourly_rate: '0.06', low: null, high: null, days: 0, current_total: 2 });
    expect(forecast.current).toMatchObject([
      { basis: 'size', hourly_rate: '0.058', stopped_hourly_rate: '0.002' },
      { basis: 'disk', hourly_rate: '0.002', stopped_hourly_rate: '0.002' },
    ]);
    const hours = (Date.parse(forecast.to) - Date.parse(forecast.as_of)) / HOUR;
    expect(Number(forecast.expected)).toBeCloseTo(Number(forecast.spent) + hours * 0.06, 3);
  });

  it('shows when a CVM in the recycle bin stops incurring costs', async () => {
    const client = await server.register('binned@example.test');
    const { team_id: own } = await identityOf(server.services.db, 'binned@example.test');
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000).toISOString();
    for (let i = 0; i < 2; i += 1)
      await books.cvm(own, [
        ['running', at],
        ['stopped', at],
      ]);
    const purge_at = new Date(Date.now() + 20 * HOUR);
    await sql`update cvms set deleted_at = now(), purge_at = ${purge_at}
      where id = (select min(id) from cvms where team_id = ${own})`.execute(server.services.db);
    const { current } = (await client.call('getCostForecast')).body as CostForecast;
    expect(current.map(({ destroyed_at }) => destroyed_at).sort()).toEqual([purge_at.toISOString(), null]);
  });

  it('has an interval after seven complete days', async () => {
    const client = await server.register('steady@example.test');
    const { team_id: own } = await identityOf(server.services.db, 'steady@example.test');
    await books.cvm(own, [
      ['running', after(0)],
      ['stopped', after(4)],
    ]);
    for (let i = 0; i < 6; i += 1) await close();
    const forecast = (await client.call('getCostForecast')).body as CostForecast;
    expect(forecast.days).toBe(9);
    expect(Number(forecast.low)).toBeLessThanOrEqual(Number(forecast.expected));
    expect(Number(forecast.high)).toBeGreaterThan(Number(forecast.expected));
  });
});

describe('permissions', () => {
  const OPERATIONS = ['getTeamCost', 'getTeamUsage', 'getCostForecast', 'exportTeamUsage'] as const;

  it('let billing, admins and owners read them, in their own team', async () => {
    for (const [role, allowed] of [
      ['viewer', false],
      ['member', false],
      ['billing', true],
      ['admin', true],
    ] as const) {
      const client = await server.register();
      const { user_id } = await identityOf(server.services.db, client.email!);
      await server.services.db
        .insertInto('memberships')
        .values({ team_id, user_id, role } as never)
        .execute();
      const acting = client.with({ 'x-workspace': owner.slug! });
      for (const operation of OPERATIONS)
        expect([role, operation, (await acting.call(operation)).status]).toEqual([
          role,
          operation,
          allowed ? 200 : 403,
        ]);
    }
    const foreign = (await server.register()).with({ 'x-workspace': owner.slug! });
    for (const operation of OPERATIONS) expect((await foreign.call(operation)).status).toBe(404);
  });
});
