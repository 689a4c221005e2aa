import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace, WorkspacePage } from '../../../generated/api/types.gen';
import { createToken } from '../../db/teams/apiTokens';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let alice: TestClient;
let bob: TestClient;
beforeAll(async () => {
  // These hosts are rows only; a worker round would mark them as unresponsive.
  server = await startTestServer({ env: { RECONCILE_SECONDS: '3600' } });
  alice = await server.register('alice@example.test');
  bob = await server.register('bob@example.test');
});
afterAll(() => server.stop());

const make = (client: TestClient, body: object, headers: Record<string, string> = {}) =>
  client.call('createWorkspace', { body, headers });

async function tokenOf(slug: string): Promise<TestClient> {
  const { db } = server.services;
  const owner = await db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select(['m.user_id', 'm.team_id'])
    .where('t.slug', '=', slug)
    .executeTakeFirstOrThrow();
  const { token } = await db
    .transaction()
    .execute((trx) =>
      createToken(trx, { ...owner, type: 'api', name: 'test', scopes: ['*'], seconds: null }),
    );
  return server.anonymous.with({ 'x-api-key': token });
}

describe('createWorkspace', () => {
  it('creates a team owned by the caller, with the requested slug or one from its name', async () => {
    const created = await make(alice, { name: 'Acme', slug: 'acme' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: 'Acme', slug: 'acme', role: 'owner', is_default: false });
    expect((await make(alice, { name: 'Ünïted AI!' })).body).toMatchObject({ slug: 'united-ai' });
    expect((await make(bob, { name: 'United AI' })).body).toMatchObject({ slug: 'united-ai-2' });
    const hidden = await make(bob, { name: ' Rev\u202eersed\n \u2066👩‍👩‍👧‍👦 ' });
    expect(hidden.body).toMatchObject({ name: 'Rev ersed 👩‍👩‍👧‍👦', slug: 'rev-ersed' });
    const { wallet_address } = await server.services.db
      .selectFrom('teams')
      .select('wallet_address')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow();
    expect(wallet_address).toMatch(/^0x[0-9a-f]{40}$/);
  });

  it.each([
    [{ name: 'Acme again', slug: 'acme' }, 409, 'ERR-00-024'],
    [{ name: 'Admins', slug: 'admin' }, 422, 'ERR-00-025'],
    [{ name: 'Agents', slug: 'eliza' }, 422, 'ERR-00-025'],
    [{ name: 'Short', slug: 'ab' }, 422, 'ERR-00-005'],
    [{ name: 'Ugly', slug: 'Ac_me' }, 422, 'ERR-00-005'],
    [{ name: '   ' }, 422, 'ERR-00-005'],
    [{ name: '\u202e\u200d' }, 422, 'ERR-00-005'],
    [{ name: 'Rich', tier: 'enterprise' }, 422, 'ERR-00-005'],
  ])('rejects %j', async (body, status, code) => {
    const before = await server.services.db.selectFrom('teams').select('id').execute();
    const answer = await make(bob, body);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await server.services.db.selectFrom('teams').select('id').execute()).toHaveLength(before.length);
  });

  it('creates one team for a repeated idempotency key', async () => {
    const headers = { 'idempotency-key': 'team-1' };
    const first = await make(alice, { name: 'Once' }, headers);
    const second = await make(alice, { name: 'Once' }, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await make(alice, { name: 'Twice' }, headers)).status).toBe(409);
  });
});

describe('listWorkspaces and getWorkspace', () => {
  it("list each of a user's teams once, the default one first", async () => {
    const carol = await server.register('carol@example.test');
    for (let i = 0; i < 6; i++) await make(carol, { name: `Team of Carol ${i}` });
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 10; page++) {
      const { body } = await carol.call('listWorkspaces', {
        query: { limit: 3, ...(cursor === null ? {} : { cursor }) },
      });
      const { data, pagination } = body as WorkspacePage;
      seen.push(...data.map(({ slug }) => slug));
      expect(pagination.total).toBe(7);
      cursor = pagination.next_cursor;
      expect(pagination.has_more).toBe(cursor !== null);
      if (cursor === null) break;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
    expect(seen[0]).toBe('carol');
    expect((await carol.call('listWorkspaces', { query: { cursor: 'x' } })).status).toBe(422);
  });

  it("return all of the user's teams to a session, and only its own to a token", async () => {
    expect((await alice.call('getWorkspace', { path: { slug: 'acme' } })).status).toBe(200);
    const token = await tokenOf('acme');
    const list = (await token.call('listWorkspaces')).body as WorkspacePage;
    expect(list.data.map(({ slug }) => slug)).toEqual(['acme']);
    expect(((await token.call('getWorkspace', { path: { slug: 'acme' } })).body as Workspace).name).toBe(
      'Acme',
    );
    expect((await token.call('getWorkspace', { path: { slug: 'alice' } })).status).toBe(404);
  });

  it('do not reveal whether another team exists', async () => {
    const token = await tokenOf('bob');
    for (const client of [bob, token])
      for (const id of ['getWorkspace', 'getWorkspaceQuotas', 'listWorkspaceNodes'] as const) {
        const other = await client.call(id, { path: { slug: 'acme' } });
        const none = await client.call(id, { path: { slug: 'no-such-team' } });
        expect(other.status).toBe(404);
        const text = (body: unknown) => JSON.stringify({ ...(body as object), request_id: '' });
        expect(text(other.body).replaceAll('acme', 'X')).toBe(
          text(none.body).replaceAll('no-such-team', 'X'),
        );
      }
    expect((await server.anonymous.call('getWorkspace', { path: { slug: 'acme' } })).status).toBe(401);
  });
});

describe('quotas and nodes', () => {
  it('report the remaining capacity, never below zero', async () => {
    const { db } = server.services;
    await db.updateTable('teams').set({ max_vcpu: 4, max_cvms: 0 }).where('slug', '=', 'acme').execute();
    const node = await db
      .insertInto('nodes')
      .values({ name: 'n1', region: 'eu' } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const common = {
      node_id: node.id,
      max_cvms: 10,
      max_vcpu: 16,
      max_memory_mb: 32_768,
      max_disk_gb: 500,
      url: 'http://127.0.0.1:1',
    };
    const [own, closed, foreign] = await Promise.all(
      [
        { name: 'own', reachable: true, version: '0.5.7' },
        { name: 'closed', reachable: true, state: 'cordoned' as const },
        { name: 'foreign', reachable: true, all_teams: false },
      ].map((values) =>
        db
          .insertInto('teepods')
          .values({ ...common, ...values } as never)
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    );
    const team = await db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow();
    const nodes = async () => {
      const { body } = await alice.call('listWorkspaceNodes', {
        path: { slug: 'acme' },
        query: { page_size: 30 },
      });
      const { items, total } = body as {
        items: { id: number; name: string; status: string }[];
        total: number;
      };
      expect(total).toBe(items.length);
      return items.map(({ id, name, status }) => [id, name, status]);
    };
    expect(await nodes()).toEqual([
      [closed!.id, 'closed', 'MAINTENANCE'],
      [own!.id, 'own', 'ONLINE'],
    ]);
    await db.insertInto('teepod_teams').values({ teepod_id: foreign!.id, team_id: team.id }).execute();
    expect(await nodes()).toHaveLength(3);

    const provision = await db
      .insertInto('provisions')
      .values({
        team_id: team.id,
        app_id: '0'.repeat(40),
        compose_hash: '',
        app_compose: '',
        docker_compose_file: '',
        name: 'x',
        vcpu: 1,
        memory_mb: 1024,
        disk_gb: 10,
        os_image: 'x',
        env_pubkey: '',
        teepod_id: own!.id,
        public_logs: false,
        public_sysinfo: false,
        public_tcbinfo: false,
        listed: false,
        expires_at: new Date(Date.now() + 60_000),
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('reservations')
      .values({
        teepod_id: own!.id,
        team_id: team.id,
        provision_id: provision.id,
        vcpu: 1,
        memory_mb: 1024,
        disk_gb: 10,
        expires_at: new Date(Date.now() + 60_000),
      } as never)
      .execute();
    const { body } = await alice.call('getWorkspaceQuotas', { path: { slug: 'acme' } });
    expect(body).toMatchObject({
      team_slug: 'acme',
      quotas: {
        vm_slots: { limit: 0, remaining: 0 },
        vcpu: { limit: 4, remaining: 3 },
        memory_mb: { remaining: 8_000_000 - 1024 },
      },
    });
  });
});
