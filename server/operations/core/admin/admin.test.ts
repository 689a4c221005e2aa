import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../../generated/api/operations.gen';
import { eventually, type TestClient, type TestServer } from '../../../testing/server';
import { problemOf, startAdminTest, unique, type AdminTest } from './testing/admin';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let node: AdminTest['node'];
let audits: AdminTest['audits'];
let token: AdminTest['token'];

beforeAll(async () => {
  ({ server, admin, member, node, audits, token } = await startAdminTest());
});

afterAll(async () => {
  await server?.stop();
});

const ALL: OperationId[] = [
  'listAdminNodes',
  'createAdminNode',
  'getAdminNode',
  'updateAdminNode',
  'deleteAdminNode',
  'listAdminTeepods',
  'createAdminTeepod',
  'getAdminTeepod',
  'updateAdminTeepod',
  'deleteAdminTeepod',
  'listAdminInstanceTypes',
  'createAdminInstanceType',
  'getAdminInstanceType',
  'updateAdminInstanceType',
  'deleteAdminInstanceType',
  'listAdminMonitoringEvents',
  'getAdminMonitoringEvent',
];

describe('access to admin operations', () => {
  it.each(ALL)('%s rejects anonymous callers, members and tokens with scope *', async (id) => {
    const request = { path: { id: '1' }, body: {} };
    const args = id.startsWith('create') || id.startsWith('update') ? request : { path: request.path };
    expect((await server.anonymous.call(id, args)).status).toBe(401);
    expect((await member.call(id, args)).status).toBe(403);
    expect((await (await token(['*'], admin.email)).call(id, args)).status).toBe(403);
  });

  it('lets tokens read with admin:read and write with admin:*', async () => {
    const reader = await token(['admin:read'], admin.email);
    expect((await reader.call('listAdminNodes')).status).toBe(200);
    expect((await reader.call('createAdminNode', { body: { name: unique('node') } })).status).toBe(403);
    const writer = await token(['admin:*'], admin.email);
    expect((await writer.call('createAdminNode', { body: { name: unique('node') } })).status).toBe(201);
  });
});

describe('nodes', () => {
  it('are listed with sort, range, filter and search', async () => {
    const region = unique('region');
    for (const name of ['b_x', 'a-x', 'c.x']) await node({ name: `${name}-${region}`, region });
    const page = await admin.call('listAdminNodes', {
      query: {
        sort: '["name","DESC"]',
        range: '[0,1]',
        filter: JSON.stringify({ region }),
      },
    });
    expect(page.status).toBe(200);
    expect((page.body as { name: string }[]).map((row) => row.name[0])).toEqual(['c', 'b']);
    expect(page.headers.get('content-range')).toBe('nodes 0-1/3');
    const found = await admin.call('listAdminNodes', {
      query: { filter: JSON.stringify({ q: `B_X-${region}` }) },
    });
    expect(found.body).toHaveLength(1);
    // `_` and `%` are literal characters here, not wildcards.
    const none = await admin.call('listAdminNodes', {
      query: { filter: JSON.stringify({ q: `a_x-${region}` }) },
    });
    expect(none.headers.get('content-range')).toBe('nodes */0');
  });

  it('reject unknown fields and invalid JSON', async () => {
    const unknown = await admin.call('listAdminNodes', { query: { sort: '["password","ASC"]' } });
    expect(unknown.status).toBe(422);
    expect(problemOf(unknown.body).detail.details[0]?.field).toBe('sort');
    expect((await admin.call('listAdminNodes', { query: { filter: '{' } })).status).toBe(400);
    expect((await admin.call('listAdminNodes', { query: { range: '[0,1000]' } })).status).toBe(422);
  });

  it('are created once per Idempotency-Key, and reject a duplicate name', async () => {
    const body = { name: unique('node'), notes: 'rack 4' };
    const headers = { 'idempotency-key': unique('key') };
    const first = await admin.call('createAdminNode', { body, headers });
    const again = await admin.call('createAdminNode', { body, headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    const twin = await admin.call('createAdminNode', { body });
    expect(twin.status).toBe(409);
    expect(problemOf(twin.body).detail.details[0]?.field).toBe('name');
    expect((await admin.call('createAdminNode', { body: { name: 'bad name' } })).status).toBe(422);
    expect((await admin.call('createAdminNode', { body: { ...body, colour: 'red' } })).status).toBe(422);
  });

  it('are updated under If-Match, with an audit entry of before and after', async () => {
    const id = await node({ region: 'eu' });
    const read = await admin.call('getAdminNode', { path: { id } });
    const etag = read.headers.get('etag') ?? '';
    const changed = await admin.call('updateAdminNode', {
      path: { id },
      body: { region: null, state: 'maintenance' },
      headers: { 'if-match': etag },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ region: null, state: 'maintenance' });
    expect(changed.headers.get('etag')).not.toBe(etag);
    const stale = await admin.call('updateAdminNode', {
      path: { id },
      body: { region: 'us' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    const [, update] = await audits('node', id);
    expect(update).toEqual({
      action: 'node.update',
      before: { region: 'eu', state: 'online' },
      after: { region: null, state: 'maintenance' },
    });
    const same = await admin.call('updateAdminNode', { path: { id }, body: { state: 'maintenance' } });
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
    expect(await audits('node', id)).toHaveLength(2);
    expect((await admin.call('updateAdminNode', { path: { id: 999_999 }, body: {} })).status).toBe(404);
    const other = await node();
    const taken = await admin.call('getAdminNode', { path: { id: other } });
    const name = (taken.body as { name: string }).name;
    expect((await admin.call('updateAdminNode', { path: { id }, body: { name } })).status).toBe(409);
  });

  it('are deleted unless they have teepods', async () => {
    const id = await node();
    const teepod = unique('pod');
    const made = await admin.call('createAdminTeepod', {
      body: { node_id: id, name: teepod, url: `http://127.0.0.1:9/${teepod}` },
    });
    const used = await admin.call('deleteAdminNode', { path: { id } });
    expect(used.status).toBe(409);
    expect(problemOf(used.body).code).toBe('ERR-00-021');
    expect(problemOf(used.body).detail.message).toContain(teepod);
    await admin.call('deleteAdminTeepod', { path: { id: (made.body as { id: number }).id } });
    expect((await admin.call('deleteAdminNode', { path: { id } })).status).toBe(204);
    expect((await admin.call('deleteAdminNode', { path: { id } })).status).toBe(404);
    expect((await admin.call('getAdminNode', { path: { id } })).status).toBe(404);
  });
});

describe('instance types', () => {
  const size = () => ({
    id: `tdx.${unique('t')}`,
    family: 'cpu',
    name: 'Test',
    vcpu: 1,
    memory_mb: 1024,
    default_disk_size_gb: 10,
    hourly_rate: '0.123456',
  });

  it('are sorted by price and filtered', async () => {
    const page = await admin.call('listAdminInstanceTypes', {
      query: { sort: '["hourly_rate","DESC"]', filter: '{"family":"cpu"}' },
    });
    const rates = (page.body as { hourly_rate: string }[]).map((row) => Number(row.hourly_rate));
    expect(rates).toEqual([...rates].sort((a, b) => b - a));
    const exact = await admin.call('listAdminInstanceTypes', {
      query: { filter: '{"hourly_rate":"0.058"}' },
    });
    expect(exact.body).toMatchObject([{ id: 'tdx.small', hourly_rate: '0.058' }]);
  });

  it('are created, updated and deleted, with prices exact to the micro-dollar', async () => {
    const body = size();
    const made = await admin.call('createAdminInstanceType', { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ hourly_rate: '0.123456', state: 'active', cvm_count: 0 });
    expect((await admin.call('createAdminInstanceType', { body })).status).toBe(409);
    // The GPU part can't exceed the rate, neither at creation nor after a change of either.
    const gpu = { ...body, id: `${body.id}-gpu`, hourly_rate: '3.5', gpu_hourly_rate: '3.500001' };
    expect((await admin.call('createAdminInstanceType', { body: gpu })).status).toBe(422);
    await admin.call('createAdminInstanceType', { body: { ...gpu, gpu_hourly_rate: '2.8' } });
    const own = { id: gpu.id };
    const lower = await admin.call('updateAdminInstanceType', { path: own, body: { hourly_rate: '2' } });
    expect(lower.status).toBe(422);
    const both = { hourly_rate: '2', gpu_hourly_rate: '1.5' };
    const changed = await admin.call('updateAdminInstanceType', { path: own, body: both });
    expect(changed.body).toMatchObject({ hourly_rate: '2.00', gpu_hourly_rate: '1.50' });
    const path = { id: body.id };
    const etag = (await admin.call('getAdminInstanceType', { path })).headers.get('etag') ?? '';
    const change = { path, body: { hourly_rate: '1' }, headers: { 'if-match': etag } };
    expect((await admin.call('updateAdminInstanceType', change)).body).toMatchObject({ hourly_rate: '1.00' });
    expect(
      (await admin.call('updateAdminInstanceType', { ...change, body: { hourly_rate: '2' } })).status,
    ).toBe(412);
    // A month at these rates would no longer be an exact number.
    for (const hourly_rate of ['999999999999999999', '1000000000', '10000.000001']) {
      const huge = await admin.call('updateAdminInstanceType', { path, body: { hourly_rate } });
      expect(huge).toMatchObject({
        status: 422,
        body: { details: [{ field: 'hourly_rate', message: 'The rate must be at most $10,000 per hour.' }] },
      });
      const create = { ...body, id: `${body.id}-huge`, hourly_rate };
      expect((await admin.call('createAdminInstanceType', { body: create })).status).toBe(422);
    }
    expect((await audits('instance_type', body.id)).at(-1)).toMatchObject({
      before: { hourly_rate_micros: 123_456 },
      after: { hourly_rate_micros: 1_000_000 },
    });
    expect((await admin.call('deleteAdminInstanceType', { path })).status).toBe(204);
    expect((await admin.call('deleteAdminInstanceType', { path })).status).toBe(404);
    expect((await admin.call('getAdminInstanceType', { path })).status).toBe(404);
    expect((await admin.call('updateAdminInstanceType', { path, body: {} })).status).toBe(404);
  });
});

describe('stored error reports', () => {
  it('are truncated in the list and complete in the detail', async () => {
    const envelope = `{}\n{"type":"event"}\n${JSON.stringify({ message: 'it broke', extra: 'x'.repeat(3000) })}\n`;
    const kept = await fetch(`${server.url}/monitoring?o=1&p=2`, { method: 'POST', body: envelope });
    expect(kept.status).toBe(200);
    const list = await admin.call('listAdminMonitoringEvents', {
      query: { sort: '["received_at","DESC"]', filter: '{"q":"it broke"}' },
    });
    expect(list.headers.get('content-range')).toBe('monitoring-events 0-0/1');
    const [row] = list.body as { id: number; envelope: string }[];
    expect(row?.envelope.length).toBe(500);
    const one = await admin.call('getAdminMonitoringEvent', { path: { id: row?.id ?? 0 } });
    expect(one.body).toMatchObject({ message: 'it broke', kind: 'event', envelope });
    expect((await admin.call('getAdminMonitoringEvent', { path: { id: 999_999 } })).status).toBe(404);
  });
});

it('runs a bulk job without further requests', async () => {
  const ids = [await node(), await node()];
  const body = { resource: 'nodes', action: 'edit', ids, body: { notes: 'seen' }, expected_total: 2 };
  const job = await admin.call('createAdminBulkJob', { body });
  expect(job.status).toBe(202);
  const { id } = job.body as { id: number };
  await eventually(
    'the job is finished',
    async () =>
      ((await admin.call('getAdminBulkJob', { path: { id } })).body as { state: string }).state ===
      'finished',
    10,
  );
  expect((await admin.call('getAdminNode', { path: { id: ids[1] ?? 0 } })).body).toMatchObject({
    notes: 'seen',
  });
});
