import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { SAMPLES, slotOf, stepOf } from '../../domain/metrics/metricLevels';
import { identityOf, insertApp, insertCvm, insertHost, type TestApp } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
let app: TestApp;
let cvm: CvmRow;

const DAY = 86_400;
const now = stepOf(Date.now() / 1000, 30);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const sample = (at: number, load: number) =>
  sql`insert into cvm_metric_samples (slot, cvm_id, at, load, memory)
    values (${slotOf(at, SAMPLES)}, ${cvm.id}, to_timestamp(${at}), ${load}, ${load})`.execute(
    server.services.db,
  );

beforeAll(async () => {
  server = await startTestServer();
  const { db } = server.services;
  owner = await server.register();
  const host = await insertHost(db, { name: 'elsewhere' });
  // Nothing listens there: the CVM has only data inserted by the tests.
  await sql`update teepods set state = 'offline' where id = ${host.teepod.id}`.execute(db);
  app = await insertApp(db, { ...(await identityOf(db, owner.email ?? '')), host, name: 'measured' });
  cvm = await insertCvm(db, { host, ...app, change: {} });
  await sql`update cvm_state_changes set at = now() - interval '90 days' where cvm_id = ${cvm.id}`.execute(
    db,
  );
  await sample(now - 900, 3);
  await sample(now - 300, 4);
});
afterAll(() => server?.stop());

async function read(from: number, to: number) {
  const { status, body } = await owner.call('getCvmMetrics', {
    path: { cvm_id: cvm.vm_uuid },
    query: { from: iso(from), to: iso(to) },
  });
  expect(status).toBe(200);
  return { ...body, load: body.series.find(({ name }) => name === 'load')! };
}

describe('metrics of a window', () => {
  it('cover it in whole steps and nothing after it', async () => {
    const { load, ...body } = await read(now - 1195, now - 600);
    expect(body).toMatchObject({ range: null, from: iso(now - 1200), to: iso(now - 600), step_seconds: 30 });
    expect(load.values).toHaveLength(20);
    expect(load).toMatchObject({ max: 3, last: 3 });
  });

  it('use the finest steps still kept for its start', async () => {
    const stepsOf = async (from: number, to: number) => (await read(now - from, now - to)).step_seconds;
    // The hour before the last hour.
    expect(await stepsOf(7200 - 30, 3600 - 30)).toBe(30);
    expect(await stepsOf(7200, 0)).toBe(30);
    expect(await stepsOf(5 * 3600, 4 * 3600)).toBe(300);
    expect(await stepsOf(2 * DAY, DAY)).toBe(1800);
    expect(await stepsOf(14 * DAY, 7 * DAY)).toBe(7200);
  });

  it('use longer steps if there would be too many', async () => {
    const whole = await read(now - 40 * DAY, now);
    expect(whole.step_seconds).toBe(14_400);
    expect(whole.load.values.length).toBeLessThanOrEqual(361);
  });

  it('are empty beyond the retention period', async () => {
    expect((await read(now - 90 * DAY, now - 80 * DAY)).load.max).toBeNull();
  });

  it('are available for an app and as a file', async () => {
    const query = { from: iso(now - 600), to: iso(now) };
    const ofApp = await owner.call('getAppMetrics', { path: { app_id: app.app.app_id }, query });
    expect(ofApp.body).toMatchObject({ range: null, step_seconds: 60 });
    const file = await owner.call('exportCvmMetrics', { path: { cvm_id: cvm.vm_uuid }, query });
    expect(String(file.body).trim().split('\r\n')).toHaveLength(21);
    expect(file.headers.get('content-disposition')).toMatch(/-metrics-20\d\d-\d\d-\d\dT\d\d-\d\d\.csv"$/);
  });

  it('are rejected without a start, in reverse order, in the future and beyond the retention period', async () => {
    const statusOf = async (query: { from?: string; to?: string }) =>
      (await owner.call('getCvmMetrics', { path: { cvm_id: cvm.vm_uuid }, query })).status;
    expect(await statusOf({ to: '2026-01-01T00:00:00Z' })).toBe(422);
    expect(await statusOf({ from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' })).toBe(422);
    expect(await statusOf({ from: '2026-01-01T00:00:00Z', to: '2026-02-11T00:00:00Z' })).toBe(422);
    expect(await statusOf({ from: '2099-01-01T00:00:00Z' })).toBe(422);
    expect(await statusOf({ from: 'yesterday' })).toBe(422);
  });
});
