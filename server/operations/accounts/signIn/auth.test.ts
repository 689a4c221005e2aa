import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestServer, type TestServer } from '../../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const credentials = (email: string, password = PASSWORD) => ({ body: { email, password } });
const cookieOf = (headers: Headers) => (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
const sessions = (email: string) =>
  server.services.db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.token_hash', 's.last_seen_at'])
    .where('u.email', '=', email)
    .execute();

describe('createSession', () => {
  it('returns the same error for a wrong password and an unknown address', async () => {
    await server.register('erin@example.test');
    const wrong = await server.anonymous.call(
      'createSession',
      credentials('erin@example.test', 'wrong wrong'),
    );
    const unknown = await server.anonymous.call('createSession', credentials('nobody@example.test'));
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const shown = ({ body }: { body: unknown }) => ({ ...(body as object), request_id: '' });
    expect(shown(wrong)).toEqual(shown(unknown));
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it("replaces the browser's existing session", async () => {
    const user = await server.register('frank@example.test');
    const answer = await user.call('createSession', credentials('FRANK@example.test'));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { email: 'frank@example.test', username: 'frank' },
      teams: [
        { slug: 'frank', permissions: expect.arrayContaining(['cvms.write', 'team.read']) as string[] },
      ],
      platform_role: null,
      platform_permissions: [],
    });
    const fresh = cookieOf(answer.headers);
    expect(fresh).not.toBe(user.cookie);
    expect(await sessions('frank@example.test')).toHaveLength(1);
    expect((await user.call('getSession')).body.user).toBeNull();
    expect((await server.anonymous.with({ cookie: fresh }).call('getSession')).body.user?.username).toBe(
      'frank',
    );
  });

  it('does not adopt a planted session token', async () => {
    await server.register('gina@example.test');
    const planted = 'teehouse_session=thk_ses_planted';
    const answer = await server.anonymous
      .with({ cookie: planted })
      .call('createSession', credentials('gina@example.test'));
    expect(cookieOf(answer.headers)).not.toContain('planted');
    expect((await server.anonymous.with({ cookie: planted }).call('getSession')).body.user).toBeNull();
  });

  it('rejects suspended users', async () => {
    const user = await server.register('hugo@example.test');
    await server.services.db
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', 'hugo@example.test')
      .execute();
    expect((await server.anonymous.call('createSession', credentials('hugo@example.test'))).status).toBe(401);
    expect((await user.call('getSession')).body.user).toBeNull();
  });
});

describe('getSession and deleteSession', () => {
  it("returns the server's features without a session", async () => {
    const { status, body } = await server.anonymous.call('getSession');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: null,
      teams: [],
      features: { registration: true, mail: false, on_chain_kms: false },
      environment: { agent_framework: 'eliza', public_url: server.url, monitoring_dsn: null },
    });
  });

  it('updates when the session was last used', async () => {
    const user = await server.register('ivan@example.test');
    const old = new Date(Date.now() - 3_600_000);
    await server.services.db
      .updateTable('sessions')
      .set({ last_seen_at: old })
      .where('token_hash', '=', (await sessions('ivan@example.test'))[0]!.token_hash)
      .execute();
    await user.call('getSession');
    const [row] = await sessions('ivan@example.test');
    expect(row!.last_seen_at.getTime()).toBeGreaterThan(old.getTime() + 3_000_000);
  });

  it('deletes the session and clears the cookie, even without one', async () => {
    const user = await server.register('judy@example.test');
    const out = await user.call('deleteSession');
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^teehouse_session=; .*Max-Age=0/);
    expect(await sessions('judy@example.test')).toEqual([]);
    expect((await user.call('getSession')).body.user).toBeNull();
    expect((await server.anonymous.call('deleteSession')).status).toBe(204);
  });

  it('returns platform permissions for a platform role', async () => {
    await server.register('kim@example.test');
    await server.services.db
      .updateTable('users')
      .set({ platform_role: 'infra' })
      .where('email', '=', 'kim@example.test')
      .execute();
    const { body } = await server.anonymous.call('createSession', credentials('kim@example.test'));
    expect(body).toMatchObject({ platform_role: 'infra' });
    const { platform_permissions } = body as { platform_permissions: string[] };
    expect(platform_permissions).toContain('admin.infra.write');
    expect(platform_permissions).not.toContain('account.read');
  });
});

describe('getCurrentUser', () => {
  it('answers in both API versions', async () => {
    const user = await server.register('lena@example.test');
    const now = await user.call('getCurrentUser');
    expect(now.body).toMatchObject({
      user: {
        username: 'lena',
        email: 'lena@example.test',
        role: 'user',
        flag_has_password: true,
        avatar: '',
      },
      workspace: { slug: 'lena', role: 'owner' },
      credits: { balance: '0.00', is_post_paid: false },
    });
    const old = await user.with({ 'x-phala-version': '2025-10-28' }).call('getCurrentUser');
    expect(old.body).toEqual({
      username: 'lena',
      email: 'lena@example.test',
      credits: 0,
      granted_credits: 0,
      avatar: '',
      team_name: 'lena',
      team_tier: 'free',
    });
  });
  it('requires authentication', async () => {
    expect((await server.anonymous.call('getCurrentUser')).status).toBe(401);
    const mistyped = await server.anonymous.with({ 'x-api-key': 'thk_api_nope' }).call('getCurrentUser');
    expect(mistyped).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } });
  });
});

describe('failed sign-ins', () => {
  it('are rate-limited by account and IP address, temporarily', async () => {
    const strict = await startTestServer({ env: { SIGN_IN_ATTEMPTS: '4' } });
    try {
      await strict.register('mia@example.test');
      const guess = (email: string, password = 'wrong wrong') =>
        strict.anonymous.call('createSession', credentials(email, password));
      const burst = await Promise.all(Array.from({ length: 6 }, () => guess('mia@example.test')));
      expect(burst.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 429, 429]);
      const refused = await guess('mia@example.test', PASSWORD);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      // One guess against each of many accounts counts as well: the limit per IP address is three times that
      // of an account.
      const others = [];
      for (let i = 0; i < 6; i++) others.push((await guess(`somebody${i}@example.test`)).status);
      expect(others).toEqual([401, 401, 401, 401, 401, 429]);
      await strict.services.db
        .updateTable('guesses')
        .set({ window_ends_at: new Date(0) })
        .execute();
      expect((await guess('mia@example.test', PASSWORD)).status).toBe(201);
      // A successful sign-in resets the account's count.
      expect((await guess('mia@example.test')).status).toBe(401);
      expect((await guess('mia@example.test', PASSWORD)).status).toBe(201);
    } finally {
      await strict.stop();
    }
  });
});
