import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceCode, DeviceToken } from '../../../../generated/api/types.gen';
import type { TeamRole } from '../../../domain/core/caller';
import { hashToken } from '../../../domain/teams/token';
import { insertToken } from '../../../testing/cvmFixtures';
import { mailsTo } from '../../../testing/mail';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
let server: TestServer;
let alice: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.register('alice@example.test');
});
afterAll(() => server.stop());

const begin = async (scope = 'user:profile cvms:* nodes:*') => {
  const answer = await server.anonymous.call('createDeviceCode', { body: { client_id: 'phala-cli', scope } });
  expect(answer.status).toBe(200);
  return answer.body as DeviceCode;
};
const poll = ({ device_code }: DeviceCode) =>
  server.anonymous.call('createDeviceToken', { body: { device_code, grant_type: GRANT } });
const errorOf = async (code: DeviceCode) => {
  const { status, body } = await poll(code);
  expect(status).toBe(400);
  return (body as unknown as { detail: { error: string; error_description: string } }).detail;
};
/** Changes the stored authorization; by default, makes the last poll long past. */
const setAuthorization = (code: DeviceCode, change: Record<string, unknown> = { last_polled_at: null }) =>
  server.services.db
    .updateTable('device_authorizations')
    .set(change)
    .where('device_code_hash', '=', hashToken(code.device_code))
    .execute();
const decide = (user: TestClient, code: DeviceCode, body: object) =>
  user.call('decideDeviceAuthorization', { body: { user_code: code.user_code, ...body } });
const approve = (code: DeviceCode) => decide(alice, code, { decision: 'approve', workspace_slug: 'alice' });

describe('a command-line login', () => {
  it('issues a member token for the user in the chosen team', async () => {
    const code = await begin();
    expect(code).toMatchObject({ expires_in: 900, interval: 5 });
    expect(code.verification_uri_complete).toBe(`${server.url}/cli/verify?user_code=${code.user_code}`);
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });

    const seen = await alice.call('getDeviceAuthorization', {
      path: { user_code: code.user_code.toLowerCase() },
    });
    expect(seen.body).toMatchObject({
      client_id: 'phala-cli',
      scopes: ['user:profile', 'cvms:*', 'nodes:*'],
      state: 'pending',
    });
    expect((await approve(code)).body).toMatchObject({ state: 'approved' });

    const answer = await poll(code);
    expect(answer.status).toBe(200);
    const token = answer.body as DeviceToken;
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7_776_000 });
    expect(token.access_token).toMatch(/^thk_cli_/);
    const me = await server.anonymous.with({ 'x-api-key': token.access_token }).call('getCurrentUser');
    expect(me.body).toMatchObject({ user: { username: 'alice' }, workspace: { slug: 'alice' } });
    expect(await errorOf(code)).toMatchObject({ error: 'invalid_grant' });
    const after = await alice.call('getDeviceAuthorization', { path: { user_code: code.user_code } });
    expect(after.body).toMatchObject({ state: 'approved' });

    const stored = JSON.stringify([
      await server.services.db.selectFrom('device_authorizations').selectAll().execute(),
      await server.services.db.selectFrom('api_tokens').selectAll().execute(),
      await server.services.db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token.access_token);
    expect(stored).not.toContain(code.device_code);
    expect(stored).toContain('token.create');
  });

  it('issues one member token to many concurrent polls', async () => {
    const code = await begin();
    await approve(code);
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it('increases the interval for a client that polls too fast', async () => {
    const code = await begin();
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
    expect(await errorOf(code)).toMatchObject({ error: 'slow_down' });
    // The interval is now ten seconds: six are too few, eleven are enough.
    await setAuthorization(code, { last_polled_at: new Date(Date.now() - 6_000) });
    expect(await errorOf(code)).toMatchObject({ error: 'slow_down' });
    await setAuthorization(code, { last_polled_at: new Date(Date.now() - 16_000) });
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
  });

  it('cannot be approved after being denied', async () => {
    const code = await begin();
    expect((await decide(alice, code, { decision: 'deny' })).body).toMatchObject({ state: 'denied' });
    expect((await approve(code)).status).toBe(409);
    expect(await errorOf(code)).toMatchObject({ error: 'access_denied' });
  });

  it('expires whether approved or not', async () => {
    const [waiting, approved] = [await begin(), await begin()];
    await approve(approved);
    const past = { expires_at: new Date(Date.now() - 1000) };
    await setAuthorization(waiting, past);
    await setAuthorization(approved, past);
    expect(await errorOf(waiting)).toMatchObject({ error: 'expired_token' });
    expect(await errorOf(approved)).toMatchObject({ error: 'expired_token' });
    expect((await approve(waiting)).status).toBe(409);
    const seen = await alice.call('getDeviceAuthorization', { path: { user_code: waiting.user_code } });
    expect(seen.body).toMatchObject({ state: 'expired' });
  });

  it('cannot be approved for another team, without a team, with a token or without authentication', async () => {
    const bob = await server.register('bob@example.test');
    const code = await begin();
    expect((await decide(bob, code, { decision: 'approve', workspace_slug: 'alice' })).status).toBe(404);
    expect((await decide(bob, code, { decision: 'approve' })).status).toBe(422);
    const other = await begin();
    await approve(other);
    const { access_token } = (await poll(other)).body as DeviceToken;
    const token = server.anonymous.with({ 'x-api-key': access_token });
    expect((await decide(token, code, { decision: 'approve', workspace_slug: 'alice' })).status).toBe(403);
    expect((await decide(server.anonymous, code, { decision: 'deny' })).status).toBe(401);
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
  });

  it('rejects unknown codes', async () => {
    for (const user_code of ['BCDF-GHJK', 'abc!', '12345678'])
      expect((await alice.call('getDeviceAuthorization', { path: { user_code } })).status).toBe(404);
    const unknown = { device_code: 'thk_dev_nope', expires_in: 1, interval: 1 } as DeviceCode;
    expect(await errorOf(unknown)).toMatchObject({ error: 'invalid_grant' });
  });

  it('limits the token to the requested and displayed scopes', async () => {
    const code = await begin('nodes:*');
    await approve(code);
    const { access_token } = (await poll(code)).body as DeviceToken;
    const token = server.anonymous.with({ 'x-api-key': access_token });
    expect((await token.call('listAvailableTeepods')).status).toBe(200);
    expect((await token.call('listApps')).status).toBe(403);
    expect((await token.call('createWorkspace', { body: { name: 'Mine' } })).status).toBe(403);
  });
});

describe('approving a login', () => {
  const addMember = async (role: TeamRole) => {
    const added = await server.register();
    await sql`insert into memberships (team_id, user_id, role)
      select t.id, u.id, ${role} from teams t, users u where t.slug = 'alice' and u.email = ${added.email}`.execute(
      server.services.db,
    );
    return added;
  };
  const setUser = (user: TestClient, change: Record<string, unknown>) =>
    server.services.db
      .updateTable('users')
      .set(change)
      .where('email', '=', user.email ?? '')
      .execute();
  const codeOf = ({ status, body }: { status: number; body: unknown }) =>
    `${status} ${(body as { code?: string }).code ?? ''}`.trim();
  const approveBy = (user: TestClient, code: DeviceCode) =>
    decide(user, code, { decision: 'approve', workspace_slug: 'alice' });

  it("shows the request's location, device and whether it is on the same network", async () => {
    const code = await begin();
    await setAuthorization(code, { ip: '8.8.8.8', user_agent: 'phala-cli/1.1.18' });
    const seen = await alice.call('getDeviceAuthorization', { path: { user_code: code.user_code } });
    expect(seen.body).toMatchObject({
      place: 'United States',
      device: 'phala CLI 1.1.18',
      requested_from: '8.8.8.8',
      same_network: false,
    });
    const near = await begin();
    const own = await alice.call('getDeviceAuthorization', { path: { user_code: near.user_code } });
    expect(own.body).toMatchObject({ same_network: true, place: 'This network' });
  });

  it('needs a role that can create tokens, a confirmed address and a recent confirmation', async () => {
    const code = await begin();
    for (const role of ['viewer', 'billing'] as const) {
      const refused = await approveBy(await addMember(role), code);
      expect(codeOf(refused)).toBe('403 ERR-00-003');
      expect(JSON.stringify(refused.body)).toContain(`your role in alice (${role}) can't create tokens`);
    }
    const member = await addMember('member');
    await setUser(member, { email_verified_at: null });
    expect(codeOf(await approveBy(member, code))).toBe('403 ERR-00-034');
    await setUser(member, { email_verified_at: new Date() });
    const confirmed_at = (at: Date) =>
      sql`update sessions set confirmed_at = ${at} where user_id = (select id from users where email = ${member.email})`.execute(
        server.services.db,
      );
    await confirmed_at(new Date(0));
    expect(codeOf(await approveBy(member, code))).toBe('403 ERR-00-031');
    await confirmed_at(new Date());
    await sql`update teams set require_second_factor = true where slug = 'alice'`.execute(server.services.db);
    expect(codeOf(await approveBy(member, code))).toBe('403 ERR-00-032');
    await sql`update teams set require_second_factor = false where slug = 'alice'`.execute(
      server.services.db,
    );
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
    expect(codeOf(await approveBy(member, code))).toBe('200');
    expect(codeOf(await approveBy(member, code))).toBe('409 ERR-00-015');
    expect(codeOf(await decide(alice, code, { decision: 'deny' }))).toBe('409 ERR-00-015');
  });

  it('grants only the user’s permissions in that team, and shows them', async () => {
    const member = await addMember('member');
    const code = await begin('cvms:* audit:read admin:read nodes:*');
    expect((await approveBy(member, code)).body).toMatchObject({ scopes: ['cvms:*', 'nodes:*'] });
    await setAuthorization(code);
    expect((await poll(code)).status).toBe(200);
    const { body } = await member.call('listTokens', { path: { slug: 'alice' } });
    expect(body.data).toMatchObject([{ kind: 'cli', name: 'phala-cli', scopes: ['cvms:*', 'nodes:*'] }]);
    expect((await mailsTo(server.services, member.email ?? '')).at(-1)).toMatchObject({
      template: 'token_created',
    });
  });

  it('is void for a member removed or demoted before fetching the token', async () => {
    for (const lose of ['remove', 'demote'] as const) {
      const member = await addMember('member');
      const code = await begin();
      expect(codeOf(await approveBy(member, code))).toBe('200');
      const { body } = await alice.call('listMembers', {
        path: { slug: 'alice' },
        query: { q: member.email },
      });
      const path = { slug: 'alice', user_id: body.data[0]!.id };
      if (lose === 'remove') await alice.call('deleteMember', { path });
      else await alice.call('updateMember', { path, body: { role: 'viewer' } });
      await setAuthorization(code);
      expect(await errorOf(code), lose).toMatchObject({ error: 'access_denied' });
    }
  });

  it('is rejected for a user with 50 tokens in the team', async () => {
    const member = await addMember('member');
    const { team_id, user_id } = await sql<{ team_id: number; user_id: number }>`
      select t.id as team_id, u.id as user_id from teams t, users u where t.slug = 'alice' and u.email = ${member.email}`
      .execute(server.services.db)
      .then(({ rows }) => rows[0]!);
    for (let i = 0; i < 50; i++) await insertToken(server.services.db, { team_id, user_id });
    expect(codeOf(await approveBy(member, await begin()))).toBe('400 ERR-05-001');
  });
});
