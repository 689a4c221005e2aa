import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry, CvmDetail } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/schema';
import type { PlatformRole } from '../../../domain/caller';
import { fingerprint } from '../../../testing/fingerprint';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Staff in teams that are not theirs: as staff, and looking as somebody. */
let server: TestServer;
let owner: TestClient;
let support: TestClient;
let infra: TestClient;
let admin: TestClient;
let cvm: CvmRow;
let slug: string;
let owner_id: number;

const db = () => server.services.db;
/** Without the team it began in: addresses that name none act for nobody's. */
const bareOf = (client: TestClient) => server.anonymous.with({ cookie: client.cookie ?? '' });
const setRole = (client: TestClient, platform_role: PlatformRole | null) =>
  db()
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email ?? '')
    .execute();
const code = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const FORBIDDEN = 'ERR-00-003';
const VIEWING_AS = 'ERR-08-001';

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
  owner = await server.register();
  support = await server.register();
  infra = await server.register();
  await setRole(support, 'support');
  await setRole(infra, 'infra');
  const who = await identityOf(db(), owner.email ?? '');
  owner_id = who.user_id;
  slug = owner.slug ?? '';
  const host = await insertHost(db());
  const app = await insertApp(db(), { ...who, host, name: 'guarded' });
  cvm = await insertCvm(db(), { ...app, host, ...who });
});
afterAll(() => server?.stop());

const asStaff = (client: TestClient, team = slug) =>
  client.with({ 'x-admin-workspace': team, 'x-workspace': team });
const path = () => ({ cvm_id: cvm.vm_uuid });
const auditOf = async (action: string): Promise<AuditEntry[]> => {
  const reply = await owner.call('listAuditEntries', { path: { slug }, query: { limit: 100, action } });
  return reply.body.data;
};

describe('a team by X-Admin-Workspace', () => {
  it('opens what is read of CVMs to staff, and to nobody else', async () => {
    for (const client of [support, infra, admin]) {
      const read = await asStaff(client).call('getCvm', { path: path() });
      expect(read.status, JSON.stringify(read.body)).toBe(200);
      expect((await asStaff(client).call('listApps')).status).toBe(200);
    }
    // Without the header staff are who they are: not in the team.
    const plain = await support.with({ 'x-workspace': slug }).call('getCvm', { path: path() });
    expect(plain.status).toBe(404);
    const other = await server.register();
    expect(code(await asStaff(other).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    // The team's own people gain nothing by it either.
    expect(code(await asStaff(owner).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    const finance = await server.register();
    await setRole(finance, 'finance');
    expect(code(await asStaff(finance).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    expect((await asStaff(support, 'no-such-team').call('getCvm', { path: path() })).status).toBe(404);
    const two = support.with({ 'x-admin-workspace': slug, 'x-workspace': support.slug ?? '' });
    expect((await two.call('getCvm', { path: path() })).status).toBe(404);
  });

  it('is refused to tokens, also those of staff', async () => {
    const who = await identityOf(db(), admin.email ?? '');
    const token = server.anonymous.with({ 'x-api-key': await insertToken(db(), who, ['*', 'admin:*']) });
    expect(code(await token.with({ 'x-admin-workspace': slug }).call('getCvm', { path: path() }))).toBe(
      FORBIDDEN,
    );
  });

  it('counts the platform role alone, and keeps secrets, tokens, people and code out of reach', async () => {
    const before = await fingerprint(db());
    const refused = [
      ['listTokens', { path: { slug } }],
      ['createApiToken', { path: { slug }, body: { name: 'x', scopes: ['*'] } }],
      ['listMembers', { path: { slug } }],
      ['listWebhooks', {}],
      ['listSecretCopies', { path: { app_id: 'a'.repeat(40) } }],
      ['getVault', {}],
      ['updateCvmEnvs', { path: path(), body: { encrypted_env: 'aa' } }],
      ['deleteCvm', { path: path() }],
      ['updateDockerCompose', { path: path(), body: 'services: {}' }],
      ['provisionCvm', { body: {} }],
    ] as const;
    for (const [id, request] of refused)
      for (const client of [support, infra, admin])
        expect(code(await asStaff(client).call(id, request)), id).toBe(FORBIDDEN);
    // Support looks on.
    expect(code(await asStaff(support).call('stopCvm', { path: path() }))).toBe(FORBIDDEN);
    expect(await fingerprint(db())).toBe(before);
  });

  it('never widens what staff may as a member', async () => {
    const { team_id } = await identityOf(db(), owner.email ?? '');
    const { user_id } = await identityOf(db(), infra.email ?? '');
    await db()
      .insertInto('memberships')
      .values({ team_id, user_id, role: 'viewer', is_default: false })
      .execute();
    const member = infra.with({ 'x-workspace': slug });
    expect((await member.call('getCvm', { path: path() })).status).toBe(200);
    expect(code(await member.call('stopCvm', { path: path() }))).toBe(FORBIDDEN);
    await db()
      .deleteFrom('memberships')
      .where('user_id', '=', user_id)
      .where('team_id', '=', team_id)
      .execute();
  });

  it('lets infra operate a CVM, and the team sees who did', async () => {
    const stopped = await asStaff(infra).call('stopCvm', { path: path() });
    expect(stopped.status, JSON.stringify(stopped.body)).toBe(200);
    const [entry] = await auditOf('cvm.stop');
    expect(entry).toMatchObject({ actor: { kind: 'staff', id: expect.stringMatching(/^usr_/) } });
  });

  it('leaves one entry an hour for each who read code or logs', async () => {
    const count = async () => (await auditOf('cvm.read')).length;
    const before = await count();
    const fresh = await server.register();
    await setRole(fresh, 'support');
    for (let i = 0; i < 3; i++) await asStaff(fresh).call('getCvmComposeFile', { path: path() });
    const { body } = await asStaff(fresh).call('getCvm', { path: path() });
    const { logs } = body as CvmDetail;
    const log = await fetch(logs?.syslog_endpoint ?? '');
    await log.body?.cancel();
    // The reader may; the host of this test is away.
    expect(log.status).toBe(502);
    expect(await count()).toBe(before + 1);
    expect((await auditOf('cvm.read'))[0]).toMatchObject({
      actor: { kind: 'staff' },
      target: { id: cvm.public_id },
    });
    // Its address is worth what its reader still may.
    await setRole(fresh, null);
    expect((await fetch(logs?.syslog_endpoint ?? '')).status).toBe(403);
  });

  it('cuts the stream of staff who lost their role', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    const stream = await fetch(`${server.address}/api/v1/events/stream?admin_workspace=${slug}`, {
      headers: { cookie: fresh.cookie ?? '' },
    });
    expect(stream.status).toBe(200);
    await setRole(fresh, null);
    await expectCut(stream);
  });
});

/** A stream that is cut ends with an error, and not with an end. */
async function expectCut(stream: Response): Promise<void> {
  const reader = stream.body?.getReader();
  const end = (async () => {
    for (;;) if ((await reader?.read())?.done) return 'ended';
  })().catch(() => 'cut');
  const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'open'));
  expect(await Promise.race([end, late])).toBe('cut');
}

describe('looking as somebody', () => {
  const begin = (client: TestClient, id = owner_id, body: unknown = { reason: 'Ticket 4711', minutes: 5 }) =>
    client.call('viewAsAdminUser', { path: { id }, body });
  const session = async (client: TestClient) => (await bareOf(client).call('getSession')).body;

  it('shows what that person sees, as a viewer, and changes nothing', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    const bare = fresh.with({ 'x-workspace': slug });
    expect((await begin(fresh)).status).toBe(200);
    expect(await session(fresh)).toMatchObject({
      user: { email: owner.email },
      platform_role: null,
      platform_permissions: [],
      view_as: { reason: 'Ticket 4711' },
      teams: [{ slug, role: 'viewer' }],
    });
    expect((await bare.call('getCvm', { path: path() })).status).toBe(200);
    const before = await fingerprint(db());
    for (const [id, request] of [
      ['stopCvm', { path: path() }],
      ['createWorkspace', { body: { name: 'Mine' } }],
      ['updateAccount', { body: { username: 'eve' } }],
      ['createSshKey', { body: {} }],
      ['markNotificationsRead', { body: {} }],
      ['listAdminUsers', {}],
      ['viewAsAdminUser', { path: { id: 1 }, body: { reason: 'again', minutes: 60 } }],
      ['getVault', {}],
      ['listAccountSessions', {}],
      ['getSecondFactors', {}],
    ] as const)
      expect(code(await bare.call(id, request)), id).toBe(VIEWING_AS);
    expect(code(await bare.call('listTokens', { path: { slug } }))).toBe(VIEWING_AS);
    expect(code(await asStaff(fresh).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    expect(await fingerprint(db())).toBe(before);

    expect((await bare.call('endViewAs')).status).toBe(204);
    expect(await session(fresh)).toMatchObject({ user: { email: fresh.email }, view_as: null });
    expect((await bare.call('getCvm', { path: path() })).status).toBe(404);
    const told = await auditOf('user.view_as');
    expect(told[0]).toMatchObject({
      actor: { kind: 'user', username: expect.any(String) },
      on_behalf_of: expect.stringMatching(/^usr_/),
      after: { reason: 'Ticket 4711', minutes: 5 },
    });
  });

  it('names both in what is noted meanwhile', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    await begin(fresh);
    await fresh.with({ 'x-workspace': slug }).call('getCvmComposeFile', { path: path() });
    const [entry] = await auditOf('cvm.read');
    const { public_id } = await db()
      .selectFrom('users')
      .select('public_id')
      .where('email', '=', fresh.email ?? '')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: { kind: 'user' }, on_behalf_of: public_id });
  });

  it('ends by itself, with the session, and with the role', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    await begin(fresh);
    const stream = await fetch(`${server.address}/api/v1/events/stream?workspace=${slug}`, {
      headers: { cookie: fresh.cookie ?? '' },
    });
    expect(stream.status).toBe(200);
    await setRole(fresh, 'infra');
    expect(await session(fresh)).toMatchObject({ user: { email: fresh.email }, view_as: null });
    await expectCut(stream);

    await setRole(fresh, 'support');
    await db()
      .updateTable('view_as')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await session(fresh)).view_as).toBeNull();

    await begin(fresh);
    expect((await session(fresh)).view_as).not.toBeNull();
    expect((await bareOf(fresh).call('deleteSession')).status).toBe(204);
    expect((await session(fresh)).user).toBeNull();
    const left = db().selectFrom('view_as').select('session_id').where('expires_at', '>', new Date());
    expect(await left.execute()).toEqual([]);
  });

  it('is refused as staff, as oneself, as who is suspended, and to who may not', async () => {
    const id = async (client: TestClient) => (await identityOf(db(), client.email ?? '')).user_id;
    expect(code(await begin(support, await id(infra)))).toBe(FORBIDDEN);
    expect((await begin(support, await id(support))).status).toBe(409);
    expect((await begin(infra)).status).toBe(403);
    expect((await begin(owner)).status).toBe(403);
    expect((await begin(support, 999_999)).status).toBe(404);
    expect((await begin(support, owner_id, { reason: 'x', minutes: 61 })).status).toBe(422);
    const gone = await server.register();
    await db()
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', gone.email ?? '')
      .execute();
    expect((await begin(support, await id(gone))).status).toBe(409);
    // A stale sign-in is asked to confirm.
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('user_id', '=', await id(support))
      .execute();
    expect(code(await begin(support))).toBe('ERR-00-031');
  });

  it('as staff is for platform admins, and brings no platform role', async () => {
    const boss = await server.register();
    await setRole(boss, 'admin');
    const { user_id } = await identityOf(db(), infra.email ?? '');
    expect((await begin(boss, user_id)).status).toBe(200);
    expect(await session(boss)).toMatchObject({ user: { email: infra.email }, platform_role: null });
    expect(code(await bareOf(boss).call('listAdminNodes'))).toBe(VIEWING_AS);
  });
});
