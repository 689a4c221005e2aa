import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const NEW = 'a quite different phrase';
const db = () => server.services.db;
const signIn = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  server.anonymous.call('createSession', { body: { email, password }, headers });
const newSession = async (email: string, headers: Record<string, string> = {}) =>
  server.anonymous.with({ cookie: sessionCookieOf(await signIn(email, PASSWORD, headers)) ?? '' });
const signedIn = async (client: TestClient) => (await client.call('getSession')).body.user !== null;
const mails = async (email: string) =>
  (await mailsTo(server.services, email)).map(({ template }) => template);
const tokenOf = async (client: TestClient) =>
  server.anonymous.with({ 'x-api-key': await insertToken(db(), await identityOf(db(), client.email ?? '')) });
/** Backdates the user's last confirmation by an hour. */
const ageSession = (client: TestClient) =>
  db()
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
    .where('user_id', '=', (eb) =>
      eb
        .selectFrom('users')
        .select('id')
        .where('email', '=', client.email ?? ''),
    )
    .execute();

describe('getAccount and updateAccount', () => {
  it('return the account by session and by token, and update the name', async () => {
    const anna = await server.register('anna@example.test');
    const account = (await anna.call('getAccount')).body;
    expect(account).toMatchObject({
      username: 'anna',
      email: 'anna@example.test',
      email_verified: true,
      has_password: true,
      password_changed_at: null,
      email_change: null,
      sso: [],
    });
    const token = await tokenOf(anna);
    expect((await token.call('getAccount')).body).toEqual(account);
    const named = await anna.call('updateAccount', { body: { username: '  Anna\u202e\r\n Lind ' } });
    expect(named.body).toMatchObject({ username: 'Anna Lind' });
    expect((await anna.call('getSession')).body.user?.username).toBe('Anna Lind');
    expect((await anna.call('updateAccount', { body: { username: ' \u200b ' } })).status).toBe(422);
    expect((await anna.call('updateAccount', { body: {} })).body).toMatchObject({ username: 'Anna Lind' });
    expect((await token.call('updateAccount', { body: { username: 'Token' } })).status).toBe(403);
    expect((await server.anonymous.call('getAccount')).status).toBe(401);
  });
});

describe('changePassword', () => {
  it('ends every other session and gives this one a new cookie', async () => {
    const bob = await server.register('bob@example.test');
    const elsewhere = await newSession('bob@example.test');
    const answer = await bob.call('changePassword', {
      body: { current_password: PASSWORD, new_password: NEW },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/);
    const renewed = server.anonymous.with({ cookie: sessionCookieOf(answer) ?? '' });
    expect(await Promise.all([bob, elsewhere, renewed].map(signedIn))).toEqual([false, false, true]);
    expect((await renewed.call('getAccount')).body.password_changed_at).not.toBeNull();
    expect((await signIn('bob@example.test')).status).toBe(401);
    expect((await signIn('bob@example.test', NEW)).status).toBe(201);
    expect(await mails('bob@example.test')).toContain('password_changed');
  });

  it('rejects a wrong or missing current password, a weak new one, and a stale confirmation', async () => {
    const cara = await server.register('cara@example.test');
    const change = (current_password: string | undefined, new_password = NEW) =>
      cara.call('changePassword', { body: { current_password, new_password } });
    for (const wrong of [await change('wrong wrong'), await change(undefined)])
      expect(wrong).toMatchObject({ status: 401, body: { code: 'ERR-00-022' } });
    for (const bad of ['short', 'cara@example.test', 'Password2024!!'])
      expect((await change(PASSWORD, bad)).status).toBe(422);
    await ageSession(cara);
    expect(await change(PASSWORD)).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
    expect((await signIn('cara@example.test')).status).toBe(201);
    expect((await (await tokenOf(cara)).call('changePassword', { body: { new_password: NEW } })).status).toBe(
      403,
    );
  });

  it('rate-limits wrong current passwords like sign-in attempts', async () => {
    const strict = await startTestServer({ env: { SIGN_IN_ATTEMPTS: '4' } });
    try {
      const user = await strict.register();
      const guess = () =>
        user.call('changePassword', { body: { current_password: 'wrong wrong', new_password: NEW } });
      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await guess()).status);
      expect(statuses.slice(0, 4)).toEqual(Array(4).fill(401));
      expect(statuses.slice(4)).toEqual([429, 429]);
    } finally {
      await strict.stop();
    }
  });

  it('sets a first password for a user without one', async () => {
    const dan = await server.register('dan@example.test');
    await db()
      .updateTable('users')
      .set({ password_hash: null })
      .where('email', '=', 'dan@example.test')
      .execute();
    expect((await dan.call('getAccount')).body.has_password).toBe(false);
    expect((await dan.call('changePassword', { body: { new_password: NEW } })).status).toBe(204);
    expect((await signIn('dan@example.test', NEW)).status).toBe(201);
  });
});

describe('sessions', () => {
  it('lists device and location, and ends one session or all others', async () => {
    const eva = await server.register('eva@example.test');
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const laptop = await newSession('eva@example.test', { 'user-agent': firefox });
    await newSession('eva@example.test', { 'user-agent': 'curl/8.1.2' });
    const listed = (await eva.call('listAccountSessions')).body;
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    const one = listed.find(({ device }) => device === 'Firefox on Linux');
    expect(one).toMatchObject({
      place: 'This network',
      auth_method: 'password',
      second_factor: false,
      current: false,
    });
    expect(JSON.stringify(listed)).not.toContain('thk_');
    expect((await laptop.call('listAccountSessions')).body.find(({ current }) => current)?.id).toBe(one?.id);

    const stranger = await server.register('mallory@example.test');
    const session_id = one?.id ?? '';
    expect((await stranger.call('deleteAccountSession', { path: { session_id } })).status).toBe(404);
    expect(await signedIn(laptop)).toBe(true);
    expect((await eva.call('deleteAccountSession', { path: { session_id } })).status).toBe(204);
    expect(await signedIn(laptop)).toBe(false);
    expect((await eva.call('deleteAccountSession', { path: { session_id } })).status).toBe(404);
    expect((await eva.call('deleteOtherSessions')).body).toEqual({ ended: 1 });
    expect((await eva.call('listAccountSessions')).body).toMatchObject([{ current: true }]);
    expect(await signedIn(stranger)).toBe(true);
    expect((await eva.call('deleteOtherSessions')).body).toEqual({ ended: 0 });
    expect((await (await tokenOf(eva)).call('listAccountSessions')).status).toBe(403);
  });
});

describe('exportAccount', () => {
  it('contains all stored user data and no secrets', async () => {
    const finn = await server.register('finn@example.test');
    const token = await insertToken(db(), await identityOf(db(), 'finn@example.test'));
    await finn.call('updateAccount', { body: { username: 'Finn' } });
    await server.register('grete@example.test');
    const answer = await finn.call('exportAccount');
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="teehouse-account-[\d-]+\.json"$/,
    );
    expect(answer.body).toMatchObject({
      account: { email: 'finn@example.test' },
      teams: [{ slug: 'finn', role: 'owner' }],
      sessions: [{ current: true }],
      tokens: [{ name: 'test', state: 'active' }],
      second_factors: { totp: null, passkeys: [], recovery_codes_left: 0 },
    });
    const actions = answer.body.audit.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['user.export', 'user.update', 'user.register']));
    const text = JSON.stringify(answer.body);
    for (const secret of [token, finn.cookie?.split('=')[1] ?? '', '$argon2', 'grete'])
      expect(text).not.toContain(secret);
    expect((await server.anonymous.with({ 'x-api-key': token }).call('exportAccount')).status).toBe(403);
    await ageSession(finn);
    expect(await finn.call('exportAccount')).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
  });
});
