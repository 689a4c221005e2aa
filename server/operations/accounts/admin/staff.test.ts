import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry, CvmDetail, NotificationSettings } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { PlatformRole } from '../../../domain/core/caller';
import { fingerprint } from '../../../testing/fingerprint';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Staff access to other teams, both as staff and while viewing as a user. */
let server: TestServer;
let owner: TestClient;
let support: TestClient;
let infra: TestClient;
let admin: TestClient;
let cvm: CvmRow;
let slug: string;
let owner_id: number;

const db = () => server.services.db;
/** Returns the same session without a selected team. */
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

describe('X-Admin-Workspace', () => {
  it('gives staff read access to CVMs, and nobody else', async () => {
    for (const client of [support, infra, admin]) {
      const read = await asStaff(client).call('getCvm', { path: path() });
      expect(read.status, JSON.stringify(read.body)).toBe(200);
      expect((await asStaff(client).call('listApps')).status).toBe(200);
    }
    // Without the header, staff act as themselves and aren't members of the team.
    const plain = await support.with({ 'x-workspace': slug }).call('getCvm', { path: path() });
    expect(plain.status).toBe(404);
    const other = await server.register();
    expect(code(await asStaff(other).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    // The header doesn't give the team's own members more rights either.
    expect(code(await asStaff(owner).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    const finance = await server.register();
    await setRole(finance, 'finance');
    expect(code(await asStaff(finance).call('getCvm', { path: path() }))).toBe(FORBIDDEN);
    expect((await asStaff(support, 'no-such-team').call('getCvm', { path: path() })).status).toBe(404);
    const mismatched = support.with({ 'x-admin-workspace': slug, 'x-workspace': support.slug ?? '' });
    expect((await mismatched.call('getCvm', { path: path() })).status).toBe(404);
  });

  it('is rejected for tokens, including staff tokens', async () => {
    const who = await identityOf(db(), admin.email ?? '');
    const token = server.anonymous.with({ 'x-api-key': await insertToken(db(), who, ['*', 'admin:*']) });
    expect(code(await token.with({ 'x-admin-workspace': slug }).call('getCvm', { path: path() }))).toBe(
      FORBIDDEN,
    );
  });

  it('applies only the platform role and gives no access to secrets, tokens, members or code', async () => {
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
    // Support has read-only access.
    expect(code(await asStaff(support).call('stopCvm', { path: path() }))).toBe(FORBIDDEN);
    expect(await fingerprint(db())).toBe(before);
  });

  it("does not add to a staff user's rights as a member", async () => {
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

  it("lets infra operate a CVM and records the staff user in the team's audit log", async () => {
    const stopped = await asStaff(infra).call('stopCvm', { path: path() });
    expect(stopped.status, JSON.stringify(stopped.body)).toBe(200);
    const [entry] = await auditOf('cvm.stop');
    expect(entry).toMatchObject({ actor: { kind: 'staff', id: expect.stringMatching(/^usr_/) } });
  });

  it('records one audit entry per hour for each staff user who reads code or logs', async () => {
    const count = async () => (await auditOf('cvm.read')).length;
    const before = await count();
    const fresh = await server.register();
    await setRole(fresh, 'support');
    for (let i = 0; i < 3; i++) await asStaff(fresh).call('getCvmComposeFile', { path: path() });
    const { body } = await asStaff(fresh).call('getCvm', { path: path() });
    const { logs } = body as CvmDetail;
    const log = await fetch(logs?.syslog_endpoint ?? '');
    await log.body?.cancel();
    // The reader has access, but this test's host is offline.
    expect(log.status).toBe(502);
    expect(await count()).toBe(before + 1);
    expect((await auditOf('cvm.read'))[0]).toMatchObject({
      actor: { kind: 'staff' },
      target: { id: cvm.public_id },
    });
    // The log address is valid only as long as its reader has access.
    await setRole(fresh, null);
    expect((await fetch(logs?.syslog_endpoint ?? '')).status).toBe(403);
  });

  it('closes the stream of staff who lose their role', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    const stream = await fetch(`${server.address}/api/v1/events/stream?admin_workspace=${slug}`, {
      headers: { cookie: fresh.cookie ?? '' },
    });
    expect(stream.status).toBe(200);
    await setRole(fresh, null);
    await expectEnd(stream);
  });
});

/** Expects a stream of events to end in order: a browser logs a broken one as an error. */
async function expectEnd(stream: Response): Promise<void> {
  const reader = stream.body?.getReader();
  const end = (async () => {
    for (;;) if ((await reader?.read())?.done) return 'ended';
  })().catch(() => 'cut');
  const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'open'));
  expect(await Promise.race([end, late])).toBe('ended');
}

describe('viewing as another user', () => {
  const startViewAs = (
    client: TestClient,
    id = owner_id,
    body: unknown = { reason: 'Ticket 4711', minutes: 5 },
  ) => client.call('viewAsAdminUser', { path: { id }, body });
  const session = async (client: TestClient) => (await bareOf(client).call('getSession')).body;

  it('shows what that user sees, read-only', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    const bare = fresh.with({ 'x-workspace': slug });
    expect((await startViewAs(fresh)).status).toBe(200);
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

    const token = await insertToken(db(), await identityOf(db(), fresh.email!));
    const byToken = await server.anonymous.with({ 'x-api-key': token }).call('endViewAs');
    expect(code(byToken)).toBe(FORBIDDEN);
    expect((await bare.call('endViewAs')).status).toBe(204);
    expect(await session(fresh)).toMatchObject({ user: { email: fresh.email }, view_as: null });
    expect((await bare.call('getCvm', { path: path() })).status).toBe(404);
    const entries = await auditOf('user.view_as');
    expect(entries[0]).toMatchObject({
      actor: { kind: 'user', username: expect.any(String) },
      on_behalf_of: expect.stringMatching(/^usr_/),
      after: { reason: 'Ticket 4711', minutes: 5 },
    });
  });

  it('includes notifications of a team that enforces single sign-on', async () => {
    const member = await server.register();
    const { user_id } = await identityOf(db(), member.email ?? '');
    const { team_id } = await identityOf(db(), owner.email ?? '');
    await db()
      .insertInto('memberships')
      .values({ team_id, user_id, role: 'member', is_default: false })
      .execute();
    await db()
      .insertInto('sso_connections')
      .values({
        public_id: 'sso_viewed',
        team_id,
        issuer: 'https://id.example.test',
        client_id: 'console',
        domain: 'example.test',
        domain_challenge: 'x',
        domain_verified_at: new Date(),
        enforced: true,
        default_role: 'member',
      })
      .execute();
    const fresh = await server.register();
    await setRole(fresh, 'support');
    await startViewAs(fresh, user_id);
    const settings = await bareOf(fresh).call('getNotificationSettings');
    await db().deleteFrom('sso_connections').where('team_id', '=', team_id).execute();
    expect((settings.body as NotificationSettings).teams.map(({ team }) => team.slug)).toContain(slug);
  });

  it('records both users in audit entries', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    await startViewAs(fresh);
    await fresh.with({ 'x-workspace': slug }).call('getCvmComposeFile', { path: path() });
    const [entry] = await auditOf('cvm.read');
    const { public_id } = await db()
      .selectFrom('users')
      .select('public_id')
      .where('email', '=', fresh.email ?? '')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: { kind: 'user' }, on_behalf_of: public_id });
  });

  it('ends on expiry, on sign-out and when the role is removed', async () => {
    const fresh = await server.register();
    await setRole(fresh, 'support');
    await startViewAs(fresh);
    const stream = await fetch(`${server.address}/api/v1/events/stream?workspace=${slug}`, {
      headers: { cookie: fresh.cookie ?? '' },
    });
    expect(stream.status).toBe(200);
    await setRole(fresh, 'infra');
    expect(await session(fresh)).toMatchObject({ user: { email: fresh.email }, view_as: null });
    await expectEnd(stream);

    await setRole(fresh, 'support');
    await db()
      .updateTable('view_as')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await session(fresh)).view_as).toBeNull();

    await startViewAs(fresh);
    expect((await session(fresh)).view_as).not.toBeNull();
    expect((await bareOf(fresh).call('deleteSession')).status).toBe(204);
    expect((await session(fresh)).user).toBeNull();
    const left = db().selectFrom('view_as').select('session_id').where('expires_at', '>', new Date());
    expect(await left.execute()).toEqual([]);
  });

  it('is rejected for staff targets, oneself, suspended users and unauthorized roles', async () => {
    const id = async (client: TestClient) => (await identityOf(db(), client.email ?? '')).user_id;
    expect(code(await startViewAs(support, await id(infra)))).toBe(FORBIDDEN);
    expect((await startViewAs(support, await id(support))).status).toBe(409);
    expect((await startViewAs(infra)).status).toBe(403);
    expect((await startViewAs(owner)).status).toBe(403);
    expect((await startViewAs(support, 999_999)).status).toBe(404);
    expect((await startViewAs(support, owner_id, { reason: 'x', minutes: 61 })).status).toBe(422);
    const gone = await server.register();
    await db()
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', gone.email ?? '')
      .execute();
    expect((await startViewAs(support, await id(gone))).status).toBe(409);
    // A stale sign-in requires confirmation.
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('user_id', '=', await id(support))
      .execute();
    expect(code(await startViewAs(support))).toBe('ERR-00-031');
  });

  it('lets a platform admin view as staff, without their platform role', async () => {
    const platformAdmin = await server.register();
    await setRole(platformAdmin, 'admin');
    const { user_id } = await identityOf(db(), infra.email ?? '');
    expect((await startViewAs(platformAdmin, user_id)).status).toBe(200);
    expect(await session(platformAdmin)).toMatchObject({ user: { email: infra.email }, platform_role: null });
    expect(code(await bareOf(platformAdmin).call('listAdminNodes'))).toBe(VIEWING_AS);
  });
});

it('takes the platform role from suspended staff, but gives suspended users none', async () => {
  const left = await server.register();
  await setRole(left, 'support');
  const { user_id } = await identityOf(db(), left.email ?? '');
  const person = { id: user_id };
  const reason = { body: { reason: 'Left the company' } };
  expect((await admin.call('suspendAdminUser', { path: person, ...reason })).status).toBe(200);
  const give = (platform_role: PlatformRole | null) =>
    admin.call('updateAdminUser', { path: person, body: { platform_role } });
  expect((await give('admin')).status).toBe(409);
  expect(await give(null)).toMatchObject({ status: 200, body: { platform_role: null } });
  expect((await admin.call('reactivateAdminUser', { path: person, ...reason })).body).toMatchObject({
    state: 'active',
    platform_role: null,
  });
});
