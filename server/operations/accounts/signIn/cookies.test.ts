import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { cookiesOf, setUpTotp } from '../../../testing/signIn';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEWER = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const FLAGS = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=\\d+';

const signIn = (from: TestClient, email: string | null) =>
  from.call('createSession', { body: { email, password: PASSWORD } });

describe('cookies on https', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env: { PUBLIC_URL: 'https://cloud.example.test' } });
  });
  afterAll(() => server.stop());

  it('are host-only, secure and HTTP-only', async () => {
    const user = await server.register();
    const signed = (await signIn(server.anonymous, user.email)).headers.getSetCookie();
    expect(signed).toEqual([
      expect.stringMatching(new RegExp(`^__Host-teehouse_session=thk_ses_\\w+; ${FLAGS}; Secure$`)),
      expect.stringMatching(new RegExp(`^__Host-teehouse_device=[\\w.-]+; ${FLAGS}; Secure$`)),
    ]);
    await setUpTotp(server, user);
    const waiting = (await signIn(server.anonymous, user.email)).headers.getSetCookie();
    expect(waiting).toEqual([
      expect.stringMatching(new RegExp(`^__Host-teehouse_sign_in=thk_psi_\\w+; ${FLAGS}; Secure$`)),
    ]);
    // Cookies without the prefix, which a subdomain could set, are ignored.
    const bare = (signed[0] ?? '').split(';')[0]?.replace('__Host-', '') ?? '';
    expect((await server.anonymous.with({ cookie: bare }).call('getSession')).body.user).toBeNull();
  });
});

describe('a sign-in', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('creates a new session regardless of planted cookies', async () => {
    const [victim, attacker] = [await server.register(), await server.register()];
    await setUpTotp(server, attacker);
    const planted = cookiesOf(await signIn(server.anonymous, attacker.email));
    const browser = server.anonymous.with({ cookie: `${attacker.cookie}; ${planted}` });
    const answer = await signIn(browser, victim.email);
    expect(answer.status).toBe(201);
    const set = answer.headers.getSetCookie().join('\n');
    expect(set).not.toContain(attacker.cookie);
    expect(set).toMatch(/teehouse_sign_in=; .*Max-Age=0/);
    const mine = server.anonymous.with({ cookie: cookiesOf(answer) });
    expect((await mine.call('getSession')).body.user?.email).toBe(victim.email);
    // The planted session also ended.
    expect((await attacker.call('getSession')).body.user).toBeNull();
  });

  it('sends an email only for a new device', async () => {
    const user = await server.register();
    const from = (user_agent: string) => server.anonymous.with({ 'user-agent': user_agent });
    const signInMails = async () =>
      (await mailsTo(server.services, user.email ?? '')).filter(({ template }) => template === 'new_sign_in');
    await signIn(from(FIREFOX), user.email);
    expect(await signInMails()).toHaveLength(1);
    expect((await signInMails())[0]?.text).toContain('Firefox on Linux');
    await signIn(from(FIREFOX), user.email);
    await signIn(from(NEWER), user.email);
    expect(await signInMails()).toHaveLength(1);
    await signIn(from(SAFARI), user.email);
    expect(await signInMails()).toHaveLength(2);
  });

  it('rehashes an old password with current parameters', async () => {
    const { hash } = await import('@node-rs/argon2');
    const user = await server.register();
    const { db } = server.services;
    const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await db
      .updateTable('users')
      .set({ password_hash: weak })
      .where('email', '=', user.email ?? '')
      .execute();
    const stored = async () =>
      (
        await db
          .selectFrom('users')
          .select('password_hash')
          .where('email', '=', user.email ?? '')
          .executeTakeFirstOrThrow()
      ).password_hash;
    expect(
      (
        await server.anonymous.call('createSession', {
          body: { email: user.email, password: 'wrong wrong' },
        })
      ).status,
    ).toBe(401);
    expect(await stored()).toBe(weak);
    expect((await signIn(server.anonymous, user.email)).status).toBe(201);
    expect(await stored()).not.toBe(weak);
    expect((await signIn(server.anonymous, user.email)).status).toBe(201);
  });

  it('reports teams that require a second factor', async () => {
    const user = await server.register();
    await server.services.db
      .updateTable('teams')
      .set({ require_second_factor: true })
      .where('slug', '=', user.slug ?? '')
      .execute();
    const refused = async (answer: { body: unknown }) =>
      (answer.body as { teams: { refused: string | null }[] }).teams[0]?.refused;
    expect(await refused(await signIn(server.anonymous, user.email))).toBe('second_factor');
    const { codes } = await setUpTotp(server, user);
    expect(await refused(await user.call('getSession'))).toBeNull();
    const waiting = server.anonymous.with({
      cookie: cookiesOf(await signIn(server.anonymous, user.email)),
    });
    const body = { method: 'recovery_code', code: codes[0] };
    expect(await refused(await waiting.call('completeSecondFactor', { body }))).toBeNull();
    expect((await user.call('deleteTotp')).status).toBe(204);
    expect(await refused(await user.call('getSession'))).toBe('second_factor');
  });
});
