import * as sdk from '@phala/cloud';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertToken,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** CVM states: single, batch and stream. */
let server: TestServer;
let member: TestClient;
let stranger: TestClient;
let host: TestHost;
let single: TestApp & { cvm: CvmRow };
let stopped: CvmRow;
let token: string;

const client = () =>
  sdk.createClient({
    baseURL: `${server.url}/api/v1`,
    apiKey: token,
    version: '2026-01-21',
  } as never) as never;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  const who = await identityOf(db, member.email!);
  token = await insertToken(db, who);
  host = await insertHost(db, { name: 'eu-1' });
  const app = await insertApp(db, { ...who, host, name: 'alpha' });
  single = { ...app, cvm: await insertCvm(db, { ...app, host, ...who, change: { name: 'alpha-one' } }) };
  const other = await insertApp(db, { ...who, host, name: 'stopped' });
  stopped = await insertCvm(db, { ...other, host, ...who, change: { status: 'stopped', started_at: null } });
});
afterAll(() => server.stop());

it('a CVM states whether its containers are simulated', async () => {
  const { db } = server.services;
  const shown = async () => {
    const { cvm, app } = single;
    const { body } = await member.call('getCvm', { path: { cvm_id: cvm.vm_uuid } });
    const list = await member.call('listAppCvms', { path: { app_id: app.app_id } });
    return [body.simulated, ...list.body.map(({ simulated }) => simulated)];
  };
  const set = (change: { engine: string; kind?: 'local' | 'dstack_vmm' }) =>
    db.updateTable('teepods').set(change).where('id', '=', host.teepod.id).execute();
  expect(await shown()).toEqual([false, false]);
  await set({ engine: 'simulated' });
  expect(await shown()).toEqual([true, true]);
  // Only the local teepod simulates containers, whatever another host reports.
  await set({ engine: 'simulated', kind: 'dstack_vmm' });
  expect(await shown()).toEqual([false, false]);
  await set({ engine: 'docker', kind: 'local' });
});

describe('CVM status', () => {
  it('answers a batch under the IDs as sent', async () => {
    const { db } = server.services;
    const busy = await insertCvm(db, { ...single, host, change: { name: 'busy-one', status: 'restarting' } });
    const operation = await insertOperation(db, busy);
    const sent = [
      single.cvm.vm_uuid,
      single.cvm.vm_uuid.replaceAll('-', '').toUpperCase(),
      busy.vm_uuid,
      '00000000-0000-4000-8000-000000000000',
      'nonsense',
    ];
    const batch = (await sdk.getCvmStatusBatch(client(), { vmUuids: sent } as never)) as Record<
      string,
      Record<string, unknown>
    >;
    expect(Object.keys(batch).sort()).toEqual(sent.slice(0, 3).sort());
    expect(batch[sent[1]!]).toMatchObject({ vm_uuid: sent[1], status: 'running', in_progress: false });
    expect(batch[sent[0]!]!.uptime).toMatch(/^12m \d+s$/);
    expect(batch[busy.vm_uuid]).toMatchObject({
      status: 'restarting',
      in_progress: true,
      operation_type: 'restart',
      correlation_id: operation.correlation_id,
    });
    const newer = await member.call('getStatusBatch', { body: { vm_uuids: [busy.vm_uuid] } });
    const { type, correlation_id } = operation;
    expect(newer.body).toMatchObject({
      [busy.vm_uuid]: { operation: { type, phase: 'boot', started_at: expect.any(String), correlation_id } },
    });
    const detail = await member.call('getCvm', { path: { cvm_id: 'busy-one' } });
    expect(detail.body).toMatchObject({
      in_progress: true,
      progress: { target: 'running', correlation_id: operation.correlation_id },
      operation: { type: 'restart', state: 'running', step: 'boot' },
    });
    const others = await stranger.call('getStatusBatch', { body: { vm_uuids: sent } });
    expect(others.body).toEqual({});
  });

  it('omits null fields from the state', async () => {
    const state = await sdk.getCvmState(client(), { id: stopped.public_id } as never);
    expect(state).toMatchObject({ status: 'stopped' });
    expect(Object.values(state as object)).not.toContain(null);
  });

  it('streams every state up to the target to the SDK', async () => {
    const { db } = server.services;
    const cvm = await insertCvm(db, {
      ...single,
      host,
      change: { name: 'watched-one', status: 'starting', boot_progress: null, started_at: null },
    });
    const seen: string[] = [];
    const watched = sdk.watchCvmState(
      client(),
      { id: cvm.public_id, target: 'running', interval: 30, timeout: 60 } as never,
      {
        onEvent: (event: { type: string; data: { status?: string; boot_progress?: string } }) => {
          seen.push(`${event.type}:${event.data.boot_progress ?? event.data.status ?? ''}`);
        },
      } as never,
    );
    const change = async (values: Partial<Pick<CvmRow, 'status' | 'boot_progress'>>) => {
      await db.updateTable('cvms').set(values).where('id', '=', cvm.id).execute();
      await db
        .insertInto('events')
        .values({ team_id: cvm.team_id, cvm_id: cvm.id, kind: 'boot.progress', message: 'on its way' })
        .execute();
    };
    await expect.poll(() => seen).toEqual(['state:starting']);
    await change({ boot_progress: 'setting up docker' });
    await expect.poll(() => seen.at(-1)).toBe('state:setting up docker');
    await change({ status: 'running', boot_progress: 'done' });
    // Well within the 30 s interval: an event wakes the stream.
    expect(await watched).toMatchObject({ name: 'watched-one', status: 'running' });
    expect(seen.at(-1)).toBe('complete:running');
  });

  it('ends the stream at its timeout, with the reason for a failure', async () => {
    const { db } = server.services;
    const cvm = await insertCvm(db, {
      ...single,
      host,
      change: { name: 'failed-one', status: 'error', status_reason: 'The image does not exist.' },
    });
    const answer = await member.call('getCvmState', {
      path: { cvm_id: cvm.public_id },
      query: { target: 'running', interval: 5, timeout: 10 },
    });
    const text = String(answer.body as unknown);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(text.match(/^event: .*$/gm)).toEqual(expect.arrayContaining(['event: error', 'event: timeout']));
    expect(text.match(/^event: error$/gm)).toHaveLength(1);
    expect(text).toContain('The image does not exist.');
    expect(text.trimEnd().endsWith('}')).toBe(true);
  });

  it('rejects an unknown target status', async () => {
    for (const target of ['up', '', 'RUNNING'])
      expect(
        await member.call('getCvmState', { path: { cvm_id: 'alpha-one' }, query: { target } }),
      ).toMatchObject({ status: 422, body: { details: [{ field: 'target' }] } });
  });

  it('allows five streams per user and frees them when they close', async () => {
    const open = async (abort: AbortController) =>
      fetch(`${server.url}/api/v1/cvms/alpha-one/state?target=stopped`, {
        headers: { 'x-api-key': token },
        signal: abort.signal,
      });
    const aborts = Array.from({ length: 5 }, () => new AbortController());
    const answers = await Promise.all(aborts.map(open));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await open(new AbortController());
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '5']);
    for (const abort of aborts) abort.abort();
    const again = new AbortController();
    await expect.poll(async () => (await open(again)).status).toBe(200);
    again.abort();
  });
});
