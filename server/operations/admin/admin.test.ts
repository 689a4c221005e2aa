import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../generated/api/operations.gen';
import type { Problem } from '../../../generated/api/types.gen';
import { hashToken, newToken, tokenPrefix } from '../../domain/token';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let fake: FakeVmm;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register();
  member = await server.register();
  fake = await startFakeVmm({ token: 'correct-token' });
});

afterAll(async () => {
  await fake?.close();
  await server?.stop();
});

const unique = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;
const problemOf = (body: unknown) =>
  body as Problem & { detail: { message: string; details: { field: string }[] } };

async function token(scopes: string[], email: string | null): Promise<TestClient> {
  const text = newToken('api');
  const { db } = server.services;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email ?? '')
    .executeTakeFirstOrThrow();
  const team = await db
    .selectFrom('memberships')
    .select('team_id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('api_tokens')
    .values({
      public_id: unique('tok'),
      team_id: team.team_id,
      user_id: user.id,
      name: 'test',
      token_hash: hashToken(text),
      token_prefix: tokenPrefix(text),
      scopes,
    })
    .execute();
  return server.anonymous.with({ 'x-api-key': text });
}

async function node(body: Record<string, unknown> = {}): Promise<number> {
  const reply = await admin.call('createAdminNode', { body: { name: unique('node'), ...body } });
  expect(reply.status).toBe(201);
  return (reply.body as { id: number }).id;
}

async function audits(target_kind: string, target_id: string | number) {
  return server.services.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('target_kind', '=', target_kind)
    .where('target_id', '=', String(target_id))
    .orderBy('id')
    .execute();
}

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

describe('who may', () => {
  it.each(ALL)(
    '%s: not without a session, not without a platform role, not with a token of *',
    async (id) => {
      const request = { path: { id: '1' }, body: {} };
      const ask = id.startsWith('create') || id.startsWith('update') ? request : { path: request.path };
      expect((await server.anonymous.call(id, ask)).status).toBe(401);
      expect((await member.call(id, ask)).status).toBe(403);
      expect((await (await token(['*'], admin.email)).call(id, ask)).status).toBe(403);
    },
  );

  it('lets a token read with admin:read, and write with admin:*', async () => {
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
    // `_` and `%` are characters here, not wildcards.
    const none = await admin.call('listAdminNodes', {
      query: { filter: JSON.stringify({ q: `a_x-${region}` }) },
    });
    expect(none.headers.get('content-range')).toBe('nodes */0');
  });

  it('refuses what is no field or no JSON', async () => {
    const unknown = await admin.call('listAdminNodes', { query: { sort: '["password","ASC"]' } });
    expect(unknown.status).toBe(422);
    expect(problemOf(unknown.body).detail.details[0]?.field).toBe('sort');
    expect((await admin.call('listAdminNodes', { query: { filter: '{' } })).status).toBe(400);
    expect((await admin.call('listAdminNodes', { query: { range: '[0,1000]' } })).status).toBe(422);
  });

  it('are made once per Idempotency-Key, and a second of the same name is a conflict at its field', async () => {
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

  it('change by changed keys, guarded by If-Match, with an audit row of before and after', async () => {
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

  it('are removed, but not while they carry teepods', async () => {
    const id = await node();
    const teepod = unique('pod');
    const made = await admin.call('createAdminTeepod', {
      body: { node_id: id, name: teepod, url: 'http://127.0.0.1:9' },
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

describe('teepods', () => {
  const secret = 'correct-token';
  const create = async (body: Record<string, unknown> = {}) =>
    admin.call('createAdminTeepod', {
      body: { node_id: await node(), name: unique('pod'), url: fake.url, ...body },
    });

  it('are asked who they are; the credential is sealed, masked and never returned', async () => {
    const reply = await create({ credential_kind: 'bearer', credential: secret });
    expect(reply.status).toBe(201);
    const made = reply.body as { id: number };
    expect(reply.body).toMatchObject({
      reachable: true,
      has_credential: true,
      credential_kind: 'bearer',
      version: '0.6.0',
      max_cvms: 1000,
      max_vcpu: 20,
      max_memory_mb: 100_000,
      last_error: null,
    });
    const read = await admin.call('getAdminTeepod', { path: { id: made.id } });
    expect((read.body as { os_images: string[] }).os_images.length).toBeGreaterThan(0);
    const row = await server.services.db
      .selectFrom('teepods')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify([reply.body, read.body, row, await audits('teepod', made.id)])).not.toContain(
      secret,
    );
    expect(server.services.seal.open('teepod-credential', row.sealed_credential ?? '')).toBe(secret);
    expect((await audits('teepod', made.id))[0]?.after).toMatchObject({ credential: '•••' });
  });

  it('are kept when they do not answer, with the reason', async () => {
    const reply = await create({ credential_kind: 'bearer', credential: 'wrong-token' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ reachable: false, version: null, max_cvms: 0 });
    const made = reply.body as { id: number; last_error: string };
    expect(made.last_error).toMatch(/credential|401|unauthori/i);
    expect(made.last_error).not.toContain('wrong-token');
    const corrected = await admin.call('updateAdminTeepod', {
      path: { id: made.id },
      body: { credential: secret },
    });
    expect(corrected.body).toMatchObject({ reachable: true, last_error: null, version: '0.6.0' });
    const removed = await admin.call('updateAdminTeepod', {
      path: { id: made.id },
      body: { credential: null },
    });
    expect(removed.body).toMatchObject({ has_credential: false, credential_kind: 'none', reachable: false });
    const trail = JSON.stringify(await audits('teepod', made.id));
    expect(trail).toContain('•••');
    expect(trail).not.toContain(secret);
    expect(trail).not.toContain('v1.');
  });

  it.each([
    [{ credential_kind: 'bearer' }, 'credential'],
    [{ credential: 'x' }, 'credential_kind'],
    [{ credential_kind: 'basic', credential: 'no-colon' }, 'credential'],
    [{ credential_kind: 'bearer', credential: 'a\nb' }, 'credential'],
    [{ node_id: 999_999 }, 'node_id'],
    [{ kms_id: 999_999 }, 'kms_id'],
    [{ url: 'https://user:pass@host' }, 'url'],
  ])('refuse %j at its field', async (body, field) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(problemOf(reply.body).detail.details[0]?.field).toBe(field);
  });

  it('change, guarded, and refuse a name that is taken', async () => {
    const one = (await create()).body as { id: number; name: string };
    const other = (await create()).body as { name: string };
    const etag = (await admin.call('getAdminTeepod', { path: { id: one.id } })).headers.get('etag') ?? '';
    const changed = await admin.call('updateAdminTeepod', {
      path: { id: one.id },
      body: { state: 'cordoned', max_cvms: 3 },
      headers: { 'if-match': etag },
    });
    expect(changed.body).toMatchObject({ state: 'cordoned', max_cvms: 3 });
    const fresh = await admin.call('getAdminTeepod', { path: { id: one.id } });
    expect(fresh.headers.get('etag')).toBe(changed.headers.get('etag'));
    const stale = { path: { id: one.id }, body: { max_cvms: 4 }, headers: { 'if-match': etag } };
    expect((await admin.call('updateAdminTeepod', stale)).status).toBe(412);
    const twin = await admin.call('updateAdminTeepod', { path: { id: one.id }, body: { name: other.name } });
    expect(twin.status).toBe(409);
    expect(
      (await admin.call('updateAdminTeepod', { path: { id: one.id }, body: { kind: 'local' } })).status,
    ).toBe(422);
    expect((await admin.call('updateAdminTeepod', { path: { id: 999_999 }, body: {} })).status).toBe(404);
    const byNode = await admin.call('listAdminTeepods', {
      query: { sort: '["used_cvms","DESC"]', filter: JSON.stringify({ id: [one.id] }) },
    });
    expect(byNode.body).toMatchObject([{ id: one.id, used_cvms: 0 }]);
  });

  it('the built-in one keeps its address and name, and stays', async () => {
    const { db } = server.services;
    const node_id = await node();
    const capacity = { max_cvms: 1, max_vcpu: 1, max_memory_mb: 1, max_disk_gb: 1 };
    const { id } = await db
      .insertInto('teepods')
      .values({ name: unique('local'), kind: 'local', node_id, url: 'unix:/nowhere.sock', ...capacity })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const body of [{ url: fake.url }, { name: 'other' }, { credential_kind: 'bearer', credential: 'x' }])
      expect((await admin.call('updateAdminTeepod', { path: { id }, body })).status).toBe(422);
    const limited = await admin.call('updateAdminTeepod', {
      path: { id },
      body: { max_cvms: 5, listed: false },
    });
    expect(limited.body).toMatchObject({ max_cvms: 5, listed: false });
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(409);
    const renamed = await admin.call('updateAdminNode', { path: { id: node_id }, body: { name: 'other' } });
    expect(renamed.status).toBe(422);
    await db.deleteFrom('teepods').where('id', '=', id).execute();
  });

  it('are removed', async () => {
    const { id } = (await create()).body as { id: number };
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(204);
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(404);
    expect((await admin.call('getAdminTeepod', { path: { id } })).status).toBe(404);
    expect((await audits('teepod', id)).at(-1)?.action).toBe('teepod.delete');
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

  it('are listed by price, filtered and found', async () => {
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

  it('are made, changed and removed, money exact to the micro-dollar', async () => {
    const body = size();
    const made = await admin.call('createAdminInstanceType', { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ hourly_rate: '0.123456', state: 'active', cvm_count: 0 });
    expect((await admin.call('createAdminInstanceType', { body })).status).toBe(409);
    const path = { id: body.id };
    const etag = (await admin.call('getAdminInstanceType', { path })).headers.get('etag') ?? '';
    const change = { path, body: { hourly_rate: '1' }, headers: { 'if-match': etag } };
    expect((await admin.call('updateAdminInstanceType', change)).body).toMatchObject({ hourly_rate: '1.00' });
    expect(
      (await admin.call('updateAdminInstanceType', { ...change, body: { hourly_rate: '2' } })).status,
    ).toBe(412);
    const huge = await admin.call('updateAdminInstanceType', {
      path,
      body: { hourly_rate: '999999999999999999' },
    });
    expect(huge.status).toBe(422);
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

describe('what is used', () => {
  /** A provision as a deploy leaves it: it holds a host and a size until somebody commits it or it ends. */
  async function provision(teepod_id: number, instance_type: string, expires_at: Date) {
    const { db } = server.services;
    const { id: team_id } = await db.selectFrom('teams').select('id').limit(1).executeTakeFirstOrThrow();
    const flags = { public_logs: false, public_sysinfo: false, public_tcbinfo: false, listed: false };
    const size = { vcpu: 1, memory_mb: 1024, disk_gb: 10 };
    const { id } = await db
      .insertInto('provisions')
      .values({
        ...flags,
        ...size,
        team_id,
        app_id: 'a'.repeat(40),
        compose_hash: 'b'.repeat(64),
        app_compose: '{}',
        docker_compose_file: '',
        name: unique('app'),
        instance_type,
        os_image: 'image',
        env_pubkey: '',
        teepod_id,
        expires_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('reservations')
      .values({ ...size, teepod_id, team_id, provision_id: id, expires_at })
      .execute();
    return id;
  }

  it('cannot be removed, and can when the use has ended', async () => {
    const { db } = server.services;
    const made = await admin.call('createAdminTeepod', {
      body: { node_id: await node(), name: unique('pod'), url: fake.url },
    });
    const { id } = made.body as { id: number };
    const held = await provision(id, 'tdx.large', new Date(Date.now() + 60_000));
    const read = await admin.call('getAdminTeepod', { path: { id } });
    expect(read.body).toMatchObject({ used_cvms: 1, used_vcpu: 1, used_memory_mb: 1024, used_disk_gb: 10 });
    const host = await admin.call('deleteAdminTeepod', { path: { id } });
    const size = await admin.call('deleteAdminInstanceType', { path: { id: 'tdx.large' } });
    for (const refused of [host, size]) {
      expect(refused.status).toBe(409);
      expect(problemOf(refused.body).code).toBe('ERR-00-021');
      expect(problemOf(refused.body).detail.message).toMatch(/prepared/);
    }
    await db
      .updateTable('provisions')
      .set({ expires_at: new Date(0) })
      .where('id', '=', held)
      .execute();
    expect((await admin.call('deleteAdminInstanceType', { path: { id: 'tdx.large' } })).status).toBe(204);
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(204);
  });
});

describe('kept error reports', () => {
  it('are listed in short and read whole', async () => {
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
