import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { amountWithin, meter, type StateChange } from '../../domain/billing/metering';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';
import { closableUntil, closeUsage } from '../../jobs/billing/closeUsage';
import { cloudSpend } from './adminSpend';
import { checkBooks } from './checkBooks';
import { insertOrder } from './orders/orders';
import { teamsBehind } from './usage';
import { withTransaction } from '../core/client';
import { stateChanges } from '../cvms/stateChanges';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
});
afterAll(() => server.stop());

const STATUSES = [
  'creating',
  'running',
  'running',
  'stopping',
  'stopped',
  'starting',
  'error',
  'lost',
  'updating',
  'deleting',
];
const HOUR = 3_600_000;

const log = pino({ level: 'fatal' });

/** Inserts an order to reference in covered usage, and returns its ID. */
async function orderOf(team_id: number): Promise<number> {
  const { db } = server.services;
  const product = await db
    .insertInto('order_products')
    .values({
      public_id: `prd_${team_id}`,
      name: 'Small',
      instance_type: 'tdx.small',
      covers: 'cvm',
      period: 'month',
      price_micros: 10_000,
      min_periods: 1,
      max_periods: 1,
      refund_percent: 0,
      stock: 1,
      starts_at: null,
      ends_at: null,
      created_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const given = { periods: 1, starts_at: null, renews: false, pay_until: new Date(), payment_id: null };
  const order = await withTransaction(db, (trx) =>
    insertOrder(trx, product, { team_id, created_by: null, ...given }),
  );
  return order.id;
}

it("adds up to each CVM's metered cost: posted, corrected or unposted", async () => {
  const { db } = server.services;
  const to = new Date('2026-11-02T09:30:30Z');
  const month = new Date('2026-11-01T00:00:00Z');
  const day = new Date('2026-11-02T00:00:00Z');
  const host = await insertHost(db);
  const users = [await server.register(), await server.register()];
  // A fixed seed, so that a failure can be reproduced.
  let seed = 7;
  const random = (n: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
  const cvms: { id: number; team_id: number }[] = [];
  const size = { vcpu: 1, memory_mb: 1024, disk_gb: 10, hourly_rate_micros: 58_000 };
  const uncovered = { order_id: null, covers: null, covered_until: null };
  const start = async (id: number, at: Date) => {
    const meter = { billed_from: at, closed_until: at };
    await db.updateTable('usage_meters').set(meter).where('cvm_id', '=', id).execute();
  };
  const late: number[] = [];
  for (const user of users) {
    const who = await identityOf(db, user.email ?? '');
    const app = await insertApp(db, { ...who, host, name: 'metered' });
    const order_id = await orderOf(who.team_id);
    for (let i = 0; i < 20; i++) {
      const { id } = await insertCvm(db, { ...app, host, ...who, change: { name: `metered-${i}` } });
      await db.deleteFrom('cvm_state_changes').where('cvm_id', '=', id).execute();
      cvms.push({ id, team_id: who.team_id });
      if (i === 0) {
        late.push(id);
        const at = new Date('2026-10-31T20:00:00Z');
        await db
          .insertInto('cvm_state_changes')
          .values({ cvm_id: id, status: 'running', ...size, at })
          .execute();
        await start(id, at);
        continue;
      }
      let at = to.getTime() - 50 * HOUR + random(20) * HOUR;
      const first = new Date(at);
      // Some are covered by an order, for part of the time or beyond now.
      const covered = (since: number) =>
        random(3) === 0
          ? {
              order_id,
              covers: (['cvm', 'gpus', 'all'] as const)[random(3)] ?? 'cvm',
              covered_until: new Date(since + random(20) * HOUR - HOUR),
            }
          : uncovered;
      const changes = Array.from({ length: 4 + random(10) }, (_, n) => {
        at += random(5) * HOUR + random(3_000_000);
        return {
          cvm_id: id,
          // Deletion is final.
          status: n === 12 ? 'deleted' : (STATUSES[random(STATUSES.length)] ?? ''),
          ...size,
          disk_gb: 10 + random(50),
          hourly_rate_micros: 58_000 + random(100_000),
          gpu_rate_micros: random(3) === 0 ? random(50_000) : 0,
          disk_rate_micros: random(2) === 0 ? random(8_000) : 0,
          at: new Date(at),
          ...covered(at),
        };
      });
      await db.insertInto('cvm_state_changes').values(changes).execute();
      await start(id, first);
    }
  }
  /** Posts every full hour before a time. */
  async function post(now: Date): Promise<void> {
    // A run ends after some seconds even if hours are left.
    for (
      let runs = 0;
      (await teamsBehind(db, closableUntil(now), { after: 0, limit: 1 })).length > 0;
      runs++
    ) {
      if (runs === 50) throw new Error('hours are left');
      await closeUsage({ db, log, now });
    }
  }
  await post(new Date(to.getTime() - HOUR));
  // They stopped before midnight, which becomes known only now: the correction spans both days.
  for (const cvm_id of late)
    await db
      .insertInto('cvm_state_changes')
      .values({ cvm_id, status: 'stopped', ...size, at: new Date('2026-11-01T22:30:00Z') })
      .execute();
  await post(to);
  const corrected = await db
    .selectFrom('usage_lines')
    .select('id')
    .where('corrects', 'is not', null)
    .execute();
  expect(corrected.length).toBeGreaterThan(0);

  const ids = cvms.map(({ id }) => id);
  const since = new Date('2026-10-30T00:00:00Z');
  const all = await stateChanges(db, ids, { from: since, to }, 10_000);
  const expected = new Map<number, { today: number; month: number; hourly: number; running: number }>();
  for (const { id, team_id } of cvms) {
    const changes: StateChange[] = all.filter(({ cvm_id }) => cvm_id === id);
    const { lines } = meter(changes, { from: since, to }, { basis: 'none' });
    const of = (from: Date) => lines.reduce((sum, line) => sum + amountWithin(line, { from, to }), 0);
    const last = lines.filter((line) => line.to.getTime() === to.getTime());
    const team = expected.get(team_id) ?? { today: 0, month: 0, hourly: 0, running: 0 };
    team.month += of(month);
    team.today += of(day);
    team.hourly += last.reduce((sum, line) => sum + line.rate_micros, 0);
    team.running += last.some(({ basis }) => basis === 'size') ? 1 : 0;
    expected.set(team_id, team);
  }
  const { all: whole, top: found } = await cloudSpend(db, { month, day, to }, 100);
  expect(found.map(({ team_id }) => team_id).sort()).toEqual([...expected.keys()].sort());
  for (const team of found) {
    const want = expected.get(team.team_id);
    expect(team.hourly).toBe(want?.hourly);
    expect(team.running).toBe(want?.running);
    // A correction divided by day may leave parts of a micro-dollar on either.
    for (const key of ['month', 'today'] as const) {
      expect(team[key]).toBeGreaterThan(1_000_000);
      expect(Math.abs(team[key] - (want?.[key] ?? 0)), key).toBeLessThanOrEqual(2);
    }
  }
  // Totals include every team, even if few are listed.
  for (const key of ['hourly', 'today', 'month', 'running', 'stopped'] as const)
    expect(whole[key], key).toBe(found.reduce((sum, team) => sum + team[key], 0));
  const first = await cloudSpend(db, { month, day, to }, 1);
  expect(first).toEqual({ all: whole, top: found.slice(0, 1) });
  expect(await checkBooks(db)).toEqual([]);
  // Only the lines' trigger can write the days, and a wrong day is found.
  await expect(sql`update usage_days set amount_micros = 0`.execute(db)).rejects.toThrow('is refused');
  await sql`alter table usage_days disable trigger user`.execute(db);
  await sql`update usage_days set amount_micros = amount_micros + 5 where day = ${day}`.execute(db);
  expect((await checkBooks(db)).map(({ what }) => what)).toEqual([
    'usage on November 2, 2026',
    'usage on November 2, 2026',
  ]);
});
