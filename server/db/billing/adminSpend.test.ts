import { afterAll, beforeAll, expect, it } from 'vitest';
import { meter, type StateChange } from '../../domain/billing/metering';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';
import { cloudSpend } from './adminSpend';
import { ranBefore, stateChanges } from '../cvms/stateChanges';

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
  'deleted',
];
const HOUR = 3_600_000;

it('costs what each CVM is metered for, in whatever order its states arrived', async () => {
  const { db } = server.services;
  const to = new Date('2026-11-21T08:30:30Z');
  const month = new Date('2026-11-01T00:00:00Z');
  const day = new Date('2026-11-21T00:00:00Z');
  const host = await insertHost(db);
  const users = [await server.register(), await server.register()];
  // A fixed seed, so that a failure can be reproduced.
  let seed = 7;
  const random = (n: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
  const cvms: { id: number; team_id: number }[] = [];
  for (const user of users) {
    const who = await identityOf(db, user.email ?? '');
    const app = await insertApp(db, { ...who, host, name: 'metered' });
    for (let i = 0; i < 20; i++) {
      const { id } = await insertCvm(db, { ...app, host, ...who, change: { name: `metered-${i}` } });
      await db.deleteFrom('cvm_state_changes').where('cvm_id', '=', id).execute();
      let at = to.getTime() - 45 * 24 * HOUR + random(30 * 24) * HOUR;
      // Some are covered by an order, for a part of the time or beyond now.
      const covered = (since: number) =>
        random(3) === 0
          ? {
              order_id: 1,
              covers: (['cvm', 'gpus', 'all'] as const)[random(3)] ?? 'cvm',
              covered_until: new Date(since + random(80) * HOUR - HOUR),
            }
          : { order_id: null, covers: null, covered_until: null };
      const changes = Array.from({ length: 4 + random(20) }, () => {
        // Occasionally one that waited for another and carries an earlier time.
        at += random(50) * HOUR + random(3_000_000) - (random(9) === 0 ? HOUR : 0);
        return {
          cvm_id: id,
          status: STATUSES[random(STATUSES.length)] ?? '',
          vcpu: 1,
          memory_mb: 1024,
          disk_gb: 10 + random(50),
          hourly_rate_micros: 58_000 + random(100_000),
          gpu_rate_micros: random(3) === 0 ? random(50_000) : 0,
          disk_rate_micros: random(2) === 0 ? random(8_000) : 0,
          at: new Date(at),
          ...covered(at),
        };
      });
      await db.insertInto('cvm_state_changes').values(changes).execute();
      cvms.push({ id, team_id: who.team_id });
    }
  }

  const ids = cvms.map(({ id }) => id);
  const [all, ran] = [
    await stateChanges(db, ids, { from: month, to }, 10_000),
    await ranBefore(db, ids, month),
  ];
  const expected = new Map<number, { today: number; month: number; hourly: number; running: number }>();
  for (const { id, team_id } of cvms) {
    const changes: StateChange[] = all.filter(({ cvm_id }) => cvm_id === id);
    const of = (from: Date) => meter(changes, { from, to }, { basis: ran.has(id) ? 'disk' : 'none' });
    const { lines } = of(new Date(to.getTime() - 1000));
    const last = lines.findLast(({ basis }) => basis !== 'gpu');
    const team = expected.get(team_id) ?? { today: 0, month: 0, hourly: 0, running: 0 };
    team.month += of(month).amount_micros;
    team.today += of(day).amount_micros;
    team.hourly += lines.reduce((sum, line) => sum + line.rate_micros, 0);
    team.running += last?.basis === 'size' ? 1 : 0;
    expected.set(team_id, team);
  }
  const { all: whole, top: found } = await cloudSpend(db, { month, day, to }, 100);
  expect(found.map(({ team_id }) => team_id).sort()).toEqual([...expected.keys()].sort());
  for (const team of found) {
    const want = expected.get(team.team_id);
    expect(team.hourly).toBe(want?.hourly);
    expect(team.running).toBe(want?.running);
    // There each CVM's part is cut to a whole micro-dollar, here the team's total.
    for (const key of ['month', 'today'] as const) {
      expect(team[key]).toBeGreaterThan(1_000_000);
      expect(Math.abs(team[key] - (want?.[key] ?? 0)), key).toBeLessThanOrEqual(20);
    }
  }
  // Totals include every team, however few are listed.
  for (const key of ['hourly', 'today', 'month', 'running', 'stopped'] as const)
    expect(whole[key], key).toBe(found.reduce((sum, team) => sum + team[key], 0));
  const first = await cloudSpend(db, { month, day, to }, 1);
  expect(first).toEqual({ all: whole, top: found.slice(0, 1) });
});
