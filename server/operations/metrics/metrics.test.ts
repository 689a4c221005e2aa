import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CvmMetrics, Provision } from '../../../generated/api/types.gen';
import { parseMicros } from '../../../console/lib/billing/money';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { ROLLUPS, SAMPLES, slotOf, stepOf } from '../../domain/metrics/metricLevels';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let app: TestApp;

beforeAll(async () => {
  server = await startTestServer({ teepod: true, env: { METRICS_SECONDS: '2' } });
  owner = await server.register();
  stranger = await server.register();
  who = await identityOf(server.services.db, owner.email ?? '');
  host = await insertHost(server.services.db, { name: 'elsewhere' });
  // Nothing listens there: its CVMs have only data inserted by the tests.
  await sql`update teepods set state = 'offline' where id = ${host.teepod.id}`.execute(server.services.db);
  app = await insertApp(server.services.db, { ...who, host, name: 'measured' });
});
afterAll(() => server?.stop());

/** Creates a CVM with exactly this state history: [seconds ago, status]. */
async function cvmWith(
  states: [number, string, Partial<CvmRow>?][],
  change: Partial<CvmRow> = {},
): Promise<CvmRow> {
  const { db } = server.services;
  // The same for all of them: a slow insert must not lengthen a state.
  const now = Date.now();
  const { endpoints: _, id: __, ...rest } = change as CvmRow;
  const cvm = await insertCvm(db, { host, ...app, change: rest });
  await sql`delete from cvm_state_changes where cvm_id = ${cvm.id}`.execute(db);
  for (const [ago, status, more = {}] of states)
    await db
      .insertInto('cvm_state_changes')
      .values({
        cvm_id: cvm.id,
        status,
        vcpu: more.vcpu ?? cvm.vcpu,
        memory_mb: more.memory_mb ?? cvm.memory_mb,
        disk_gb: more.disk_gb ?? cvm.disk_gb,
        hourly_rate_micros: more.hourly_rate_micros ?? cvm.hourly_rate_micros,
        at: new Date(now - ago * 1000),
      })
      .execute();
  return cvm;
}

const addMetricState = (cvm: CvmRow) =>
  sql`insert into cvm_metric_state (cvm_id, sampled_at, uptime_seconds, source, num_cpus, memory_total, swap_total, disk_total, disk_name, containers_total)
    values (${cvm.id}, now(), 1000, 'guest', 2, 4096, 0, 1000000, '/dev/vdb', 3)`.execute(server.services.db);
const sample = (cvm: CvmRow, at: number, load: number | null) =>
  sql`insert into cvm_metric_samples (slot, cvm_id, at, missing, load, memory)
    values (${slotOf(at, SAMPLES)}, ${cvm.id}, to_timestamp(${at}), ${load === null ? 'host' : null}, ${load}, ${load})
    on conflict (slot, cvm_id) do update set at = excluded.at, missing = excluded.missing, load = excluded.load`.execute(
    server.services.db,
  );
const series = (metrics: CvmMetrics, name: string) => metrics.series.find((one) => one.name === name)!;

describe('getCvmMetrics', () => {
  it('returns a point for every step of each range, with unit, capacity and extremes', async () => {
    const cvm = await cvmWith([[90 * 86_400, 'running']]);
    await addMetricState(cvm);
    for (const [range, step, points] of [
      ['hour', 30, 120],
      ['day', 300, 288],
      ['week', 1800, 336],
      ['month', 7200, 360],
    ] as const) {
      const answer = await owner.call('getCvmMetrics', { path: { cvm_id: cvm.vm_uuid }, query: { range } });
      expect(answer.status).toBe(200);
      const { body } = answer;
      expect(body).toMatchObject({ range, step_seconds: step, source: 'guest', disk_name: '/dev/vdb' });
      expect(Date.parse(body.to) - Date.parse(body.from)).toBe(step * points * 1000);
      expect(Date.parse(body.to)).toBeGreaterThan(Date.now());
      for (const one of body.series) expect([one.name, one.values.length]).toEqual([one.name, points]);
      expect(body.states).toEqual([{ from: body.from, to: expect.any(String), status: 'running' }]);
      expect(body.gaps).toMatchObject([{ from: body.from, reason: 'not_collected' }]);
    }
  });

  it('combines rollups with the newest samples', async () => {
    const { db } = server.services;
    const cvm = await cvmWith([[90 * 86_400, 'running']]);
    await addMetricState(cvm);
    const now = stepOf(Date.now() / 1000, 30);
    const through = stepOf(now - 600, 300);
    const before = await db.selectFrom('metric_progress').selectAll().execute();
    await sql`update metric_progress set through = to_timestamp(${through}) where step = 300`.execute(db);
    const [five] = ROLLUPS;
    const at = through - 300;
    await sql`insert into cvm_metric_rollups (step, slot, cvm_id, at, samples, load, load_min, load_max)
      values (300, ${slotOf(at, five!)}, ${cvm.id}, to_timestamp(${at}), 10, 1, 0.5, 6)`.execute(db);
    await sample(cvm, now - 30, 2);
    await sample(cvm, now - 60, null);
    const { body } = await owner.call('getCvmMetrics', {
      path: { cvm_id: cvm.vm_uuid },
      query: { range: 'day' },
    });
    const load = series(body, 'load');
    expect(load).toMatchObject({ unit: 'load', capacity: 2, min: 0.5, max: 6, last: 2 });
    expect(load.avg).toBeCloseTo(12 / 11, 3);
    expect(load.values.filter((value) => value !== null)).toEqual([1, 2]);
    expect(load.peaks.filter((value) => value !== null)).toEqual([6, 2]);
    for (const { step, through } of before)
      await db.updateTable('metric_progress').set({ through }).where('step', '=', step).execute();
  });

  it('explains gaps and lists the states', async () => {
    const cvm = await cvmWith([
      [1800, 'creating'],
      [1700, 'running'],
      [600, 'stopped'],
    ]);
    await addMetricState(cvm);
    const now = stepOf(Date.now() / 1000, 30);
    await sample(cvm, now - 1200, 1);
    await sample(cvm, now - 1170, null);
    const { body } = await owner.call('getCvmMetrics', { path: { cvm_id: cvm.public_id } });
    expect(body.states.map(({ status }) => status)).toEqual(['creating', 'running', 'stopped']);
    expect(body.gaps.map(({ reason }) => reason)).toEqual([
      'not_created',
      'changing',
      'not_collected',
      'host_unreachable',
      'not_collected',
      'stopped',
    ]);
  });

  it('ignores samples older than the ring buffer', async () => {
    const cvm = await cvmWith([[90 * 86_400, 'running']]);
    await sample(cvm, stepOf(Date.now() / 1000, 30) - 240 * 30 - 600, 7);
    const { body } = await owner.call('getCvmMetrics', { path: { cvm_id: cvm.vm_uuid } });
    expect(series(body, 'load')).toMatchObject({ last: null, max: null });
    expect(body.source).toBeNull();
  });

  it('rejects unknown ranges, other teams and unknown CVMs', async () => {
    const cvm = await cvmWith([[10, 'running']]);
    const path = { cvm_id: cvm.vm_uuid };
    expect((await owner.call('getCvmMetrics', { path, query: { range: 'year' } })).status).toBe(422);
    expect((await stranger.call('getCvmMetrics', { path })).status).toBe(404);
    expect((await server.anonymous.call('getCvmMetrics', { path })).status).toBe(401);
    expect((await owner.call('getCvmMetrics', { path: { cvm_id: 'no-such-cvm' } })).status).toBe(404);
  });

  it('exports CSV', async () => {
    const cvm = await cvmWith([[3600, 'running']], { name: 'file-of-it' });
    await sample(cvm, stepOf(Date.now() / 1000, 30) - 300, 1.5);
    const answer = await owner.call('exportCvmMetrics', { path: { cvm_id: cvm.vm_uuid } });
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="file-of-it-metrics-hour.csv"',
    );
    const lines = String(answer.body).trim().split('\r\n');
    expect(lines).toHaveLength(121);
    expect(lines[0]).toMatch(/^from,load_load,load_max_load,memory_bytes,/);
    expect(lines.filter((line) => /Z,1\.5,1\.5,/.test(line))).toHaveLength(1);
    expect((await stranger.call('exportCvmMetrics', { path: { cvm_id: cvm.vm_uuid } })).status).toBe(404);
  });
});

describe('usage', () => {
  const micros = (amount: string) => parseMicros(amount) ?? NaN;
  const hour = 3600;

  it('has a line for every state and size, which add up to the total', async () => {
    const cvm = await cvmWith(
      [
        [10 * hour, 'creating'],
        [9 * hour, 'running'],
        [5 * hour, 'resizing', { vcpu: 2, hourly_rate_micros: 116_000 }],
        [5 * hour - 60, 'running', { vcpu: 2, hourly_rate_micros: 116_000 }],
        [hour, 'stopped', { vcpu: 2, hourly_rate_micros: 116_000 }],
      ],
      { status: 'stopped' },
    );
    const from = new Date(Date.now() - 20 * hour * 1000).toISOString();
    const { status, body } = await owner.call('getCvmUsage', {
      path: { cvm_id: cvm.vm_uuid },
      query: { from },
    });
    expect(status).toBe(200);
    expect(
      body.lines.map((line) => [line.status, line.basis, line.hourly_rate, Math.round(line.seconds / 60)]),
    ).toEqual([
      ['creating', 'none', '0.00', 60],
      ['running', 'size', '0.056', 240],
      ['running', 'disk', '0.002', 240],
      ['resizing', 'size', '0.114', 1],
      ['resizing', 'disk', '0.002', 1],
      ['running', 'size', '0.114', 239],
      ['running', 'disk', '0.002', 239],
      ['stopped', 'disk', '0.002', 60],
    ]);
    const sum = (lines: { amount: string }[]) => lines.reduce((all, line) => all + micros(line.amount), 0);
    expect(sum(body.lines)).toBe(micros(body.amount));
    expect(sum(body.by_state)).toBe(micros(body.amount));
    expect(micros(body.amount)).toBeGreaterThan(4 * 58_000 + 4 * 116_000 + 1_900);

    const file = await owner.call('exportCvmUsage', { path: { cvm_id: cvm.vm_uuid }, query: { from } });
    const rows = String(file.body).trim().split('\r\n');
    expect(rows).toHaveLength(9);
    expect(rows[2]).toMatch(
      new RegExp(`^${cvm.name},${cvm.vm_uuid},.*,running,size,1,2048,0,14400,0.056,0.224$`),
    );
    expect(rows[3]).toMatch(/,running,disk,1,2048,20,14400,0.002,0.008$/);
  });

  it('starts a window in the state at that time, and bills a CVM only after it has run', async () => {
    const ran = await cvmWith([
      [30 * hour, 'creating'],
      [29 * hour, 'running'],
      [28 * hour, 'stopping'],
      [27 * hour, 'stopped'],
    ]);
    const never = await cvmWith([
      [30 * hour, 'creating'],
      [29 * hour, 'error'],
    ]);
    const getUsage = async (cvm: CvmRow, from_ago: number, to_ago: number) =>
      (
        await owner.call('getCvmUsage', {
          path: { cvm_id: cvm.vm_uuid },
          query: {
            from: new Date(Date.now() - from_ago * 1000).toISOString(),
            to: new Date(Date.now() - to_ago * 1000).toISOString(),
          },
        })
      ).body;
    expect(await getUsage(ran, 10 * hour, 5 * hour)).toMatchObject({
      lines: [{ status: 'stopped', basis: 'disk', seconds: 5 * hour, amount: '0.01' }],
      amount: '0.01',
    });
    // Stopping still counts as running time.
    expect((await getUsage(ran, 27.5 * hour, 26 * hour)).lines.map(({ basis }) => basis)).toEqual([
      'size',
      'disk',
      'disk',
    ]);
    expect(await getUsage(never, 10 * hour, 5 * hour)).toMatchObject({
      amount: '0.00',
      lines: [{ basis: 'none' }],
    });
    expect(await getUsage(ran, 300 * hour, 200 * hour)).toMatchObject({ amount: '0.00', lines: [] });
  });

  it('of an app includes its deleted CVMs', async () => {
    const { db } = server.services;
    const other = await insertApp(db, { ...who, host, name: '=cmd()' });
    const mine = async (name: string, states: [number, string][], deleted = false) => {
      const keep = app;
      app = other;
      const cvm = await cvmWith(states, { name });
      app = keep;
      if (deleted)
        await sql`update cvms set status = 'deleted', deleted_at = now() - interval '1 hour' where id = ${cvm.id}`.execute(
          db,
        );
      await sql`delete from cvm_state_changes where cvm_id = ${cvm.id} and status = 'deleted' and at > now() - interval '1 minute'`.execute(
        db,
      );
      return cvm;
    };
    await mine('small', [[2 * hour, 'running']]);
    await mine(
      'gone',
      [
        [9 * hour, 'running'],
        [hour, 'deleted'],
      ],
      true,
    );
    const query = { from: new Date(Date.now() - 20 * hour * 1000).toISOString() };
    const path = { app_id: other.app.app_id };
    const { status, body } = await owner.call('getAppUsage', { path, query });
    expect(status).toBe(200);
    expect(body.cvms.map(({ cvm, deleted_at }) => [cvm.name, deleted_at !== null])).toEqual([
      ['gone', true],
      ['small', false],
    ]);
    expect(body.cvms[0]?.amount).toBe('0.464');
    expect(body.cvms.reduce((sum, one) => sum + micros(one.amount), 0)).toBe(micros(body.amount));
    const file = String((await owner.call('exportAppUsage', { path, query })).body);
    expect(file.trim().split('\r\n')).toHaveLength(1 + 2 + 3);
    for (const id of ['getAppUsage', 'exportAppUsage', 'getAppMetrics'] as const) {
      expect([id, (await stranger.call(id, { path })).status]).toEqual([id, 404]);
      expect([id, (await server.anonymous.call(id, { path })).status]).toEqual([id, 401]);
    }
  });

  it('rejects invalid windows', async () => {
    const cvm = await cvmWith([[hour, 'running']]);
    const path = { cvm_id: cvm.vm_uuid };
    const getUsage = async (from: string, to?: string) =>
      (await owner.call('getCvmUsage', { path, query: { from, ...(to ? { to } : {}) } })).status;
    expect(await getUsage('2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(422);
    expect(await getUsage('2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(422);
    expect(await getUsage('2099-01-01T00:00:00Z')).toBe(422);
    expect(await getUsage('yesterday')).toBe(422);
    expect((await stranger.call('getCvmUsage', { path })).status).toBe(404);
    expect((await stranger.call('exportCvmUsage', { path })).status).toBe(404);
  });
});

describe('with the local teepod', () => {
  it('measures a deployed CVM automatically and marks the source', async () => {
    const provision = await owner.call('provisionCvm', {
      body: {
        name: 'watched',
        compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
      },
    });
    const { app_id, compose_hash } = provision.body as Provision;
    const made = await owner.call('createCvm', { body: { app_id, compose_hash } });
    const { vm_uuid } = made.body as { vm_uuid: string };
    const metrics = await eventually('two samples', async () => {
      const { body } = await owner.call('getCvmMetrics', { path: { cvm_id: vm_uuid } });
      return (
        body.source !== null &&
        series(body, 'memory').last !== null &&
        series(body, 'cpu')?.last != null &&
        body
      );
    });
    expect(metrics.source).toBe('machine');
    expect(series(metrics, 'cpu')).toMatchObject({ unit: 'percent', capacity: 100 });
    expect(series(metrics, 'cpu').last).toBeLessThanOrEqual(100);
    expect(series(metrics, 'disk').last).toBeGreaterThan(0);
    expect(series(metrics, 'containers')).toMatchObject({ last: 1, capacity: 1 });
    expect(metrics.gaps.map(({ reason }) => reason)).toContain('not_created');

    const { body } = await owner.call('getAppMetrics', {
      path: { app_id: app_id ?? '' },
      query: { range: 'day' },
    });
    expect(body).toMatchObject({ step_seconds: 600, replicas_total: 1, replicas: [{ status: 'running' }] });
    expect(body.replicas[0]?.series[0]?.values).toHaveLength(144);
    const usage = await owner.call('getCvmUsage', { path: { cvm_id: vm_uuid } });
    expect(usage.body.lines.slice(-2)).toMatchObject([
      { status: 'running', basis: 'size' },
      { status: 'running', basis: 'disk' },
    ]);
  });
});
