import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOfStep } from '../../../domain/accounts/totp';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { cookiesOf, forgetSteps, nowStep, setUpTotp } from '../../../testing/signIn';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const password = (email: string | null, from: TestClient = server.anonymous) =>
  from.call('createSession', { body: { email, password: PASSWORD } });
/** Returns a browser whose sign-in is waiting for the second factor. */
async function waiting(email: string | null): Promise<TestClient> {
  const answer = await password(email);
  expect(answer.status).toBe(202);
  return server.anonymous.with({ cookie: cookiesOf(answer) });
}
const submit = (browser: TestClient, method: string, code: string) =>
  browser.call('completeSecondFactor', { body: { method, code } });
const step = (secret: string, offset = 0) => codeOfStep(secret, nowStep() + offset);
const templates = async (email: string | null) =>
  (await mailsTo(server.services, email ?? '')).map(({ template }) => template);

describe('an authenticator app', () => {
  it('is set up with its first code, shows ten recovery codes once and sends an email', async () => {
    const user = await server.register();
    const created = await user.call('createTotp');
    expect(created.status).toBe(201);
    const { secret, otpauth_url } = created.body as { secret: string; otpauth_url: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret, digits: '6', period: '30' });
    expect((await user.call('getSecondFactors')).body).toMatchObject({
      totp: null,
      recovery_codes_left: 0,
    });
    expect((await user.call('confirmTotp', { body: { code: '000000' } })).status).toBe(401);
    const done = await user.call('confirmTotp', { body: { code: step(secret) } });
    const { codes } = done.body as { codes: string[] };
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect((await user.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 10 });
    expect((await user.call('getSession')).body.user).toMatchObject({ second_factor: true });
    expect((await user.call('getCurrentUser')).body).toMatchObject({
      user: { totp_enabled: true, has_backup_codes: true },
    });
    expect(await templates(user.email)).toContain('second_factor_enabled');
    expect((await user.call('createTotp')).status).toBe(409);
    expect((await user.call('confirmTotp', { body: { code: step(secret, 1) } })).status).toBe(409);
    const { db } = server.services;
    const stored = JSON.stringify([
      await db.selectFrom('totp_credentials').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(stored).not.toContain(secret);
    for (const code of codes) expect(stored).not.toContain(code);
  });

  it('is required after the password; the pending sign-in gives no access', async () => {
    const user = await server.register();
    const { secret } = await setUpTotp(server, user);
    const answer = await password(user.email);
    expect(answer.body).toMatchObject({ methods: ['totp', 'recovery_code'], attempts_left: 5 });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^teehouse_sign_in=thk_psi_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    const browser = server.anonymous.with({ cookie: cookiesOf(answer) });
    expect((await browser.call('getSession')).body.user).toBeNull();
    expect((await browser.call('getAccount')).status).toBe(401);
    expect((await browser.call('getPendingSignIn')).body).toMatchObject({ attempts_left: 5 });
    const signed = await submit(browser, 'totp', step(secret));
    expect(signed.status).toBe(201);
    const session = server.anonymous.with({ cookie: cookiesOf(signed, browser.cookie ?? '') });
    expect((await session.call('getSession')).body.user?.email).toBe(user.email);
    expect(cookiesOf(signed, browser.cookie ?? '')).not.toContain('teehouse_sign_in');
    // The pending sign-in is over: its cookie no longer works.
    expect((await submit(browser, 'totp', step(secret, 1))).status).toBe(401);
    expect((await browser.call('getPendingSignIn')).status).toBe(401);
  });

  it('accepts a code once when twenty sign-ins submit it concurrently', async () => {
    const user = await server.register();
    const { secret } = await setUpTotp(server, user);
    const code = step(secret);
    const browsers = await Promise.all(Array.from({ length: 20 }, () => waiting(user.email)));
    const answers = await Promise.all(browsers.map((browser) => submit(browser, 'totp', code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it('accepts a code once across setup, sign-in and confirmation', async () => {
    const user = await server.register();
    const { secret } = (await user.call('createTotp')).body as { secret: string };
    const [first, second] = [step(secret), step(secret, 1)];
    const confirm = (code: string) => user.call('stepUp', { body: { method: 'totp', secret: code } });
    const signIn = async (code: string) => submit(await waiting(user.email), 'totp', code);
    expect((await user.call('confirmTotp', { body: { code: first } })).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    expect((await confirm(first)).status).toBe(401);
    expect((await confirm(`${second.slice(0, 3)} ${second.slice(3)}`)).status).toBe(204);
    expect((await signIn(second)).status).toBe(401);
    // A code older than the last one used isn't accepted either.
    expect((await signIn(first)).status).toBe(401);
    await forgetSteps(server);
    expect((await signIn(second)).status).toBe(201);
    expect((await confirm(second)).status).toBe(401);
  });

  it('cancels a sign-in after five wrong codes', async () => {
    const user = await server.register();
    const { secret } = await setUpTotp(server, user);
    const browser = await waiting(user.email);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => submit(browser, 'totp', '000000')));
    const problems = wrong.map(({ body }) => (body as unknown as { code: string }).code).sort();
    expect(problems).toEqual([...Array(3).fill('ERR-00-036'), ...Array(5).fill('ERR-00-037')]);
    expect((await submit(browser, 'totp', step(secret))).status).toBe(401);
    expect((await submit(await waiting(user.email), 'totp', step(secret))).status).toBe(201);
  });

  it('is rejected from another browser, after expiry or cancellation, and for a suspended user', async () => {
    const user = await server.register();
    const { secret } = await setUpTotp(server, user);
    expect((await submit(server.anonymous, 'totp', step(secret))).status).toBe(401);
    const cancelled = await waiting(user.email);
    expect((await cancelled.call('cancelPendingSignIn')).status).toBe(204);
    expect((await submit(cancelled, 'totp', step(secret))).status).toBe(401);
    const { db } = server.services;
    const old = await waiting(user.email);
    await db
      .updateTable('pending_sign_ins')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await submit(old, 'totp', step(secret))).status).toBe(401);
    const suspended = await waiting(user.email);
    const set = (state: 'active' | 'suspended') =>
      db
        .updateTable('users')
        .set({ state })
        .where('email', '=', user.email ?? '')
        .execute();
    await set('suspended');
    expect((await submit(suspended, 'totp', step(secret))).status).toBe(401);
    expect((await password(user.email)).status).toBe(401);
    await set('active');
    const changed = await waiting(user.email);
    await db
      .updateTable('users')
      .set({ password_changed_at: new Date() })
      .where('email', '=', user.email ?? '')
      .execute();
    expect((await submit(changed, 'totp', step(secret))).status).toBe(401);
  });

  it('can be removed, along with recovery codes and session confirmations', async () => {
    const user = await server.register();
    await setUpTotp(server, user);
    expect((await user.call('deleteTotp')).status).toBe(204);
    expect((await user.call('getSecondFactors')).body).toEqual({
      totp: null,
      passkeys: [],
      recovery_codes_left: 0,
    });
    expect(await templates(user.email)).toContain('second_factor_disabled');
    expect((await password(user.email)).status).toBe(201);
    expect((await user.call('deleteTotp')).status).toBe(409);
    expect((await user.call('createRecoveryCodes')).status).toBe(409);
    const sessions = await server.services.db
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select('s.second_factor_at')
      .where('u.email', '=', user.email ?? '')
      .execute();
    expect(sessions.map(({ second_factor_at }) => second_factor_at)).toEqual([null, null]);
  });
});

describe('a recovery code', () => {
  it('works once in place of the app, in any spelling, and sends an email', async () => {
    const user = await server.register();
    const { codes } = await setUpTotp(server, user);
    const [first = '', second = ''] = codes;
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ').replace('0', 'o').replace('1', 'l')} `;
    expect((await submit(await waiting(user.email), 'recovery_code', typed)).status).toBe(201);
    const mails = await mailsTo(server.services, user.email ?? '');
    expect(mails.find(({ template }) => template === 'recovery_code_used')?.text).toContain('9');
    const browsers = await Promise.all(Array.from({ length: 8 }, () => waiting(user.email)));
    const answers = await Promise.all(browsers.map((browser) => submit(browser, 'recovery_code', second)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await submit(await waiting(user.email), 'recovery_code', first)).status).toBe(401);
    expect((await user.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 8 });
  });

  it('is invalid after new codes are generated, and for another user', async () => {
    const [user, other] = [await server.register(), await server.register()];
    const { codes } = await setUpTotp(server, user);
    await setUpTotp(server, other);
    expect((await submit(await waiting(other.email), 'recovery_code', codes[0] ?? '')).status).toBe(401);
    const made = await user.call('createRecoveryCodes');
    expect(made.status).toBe(201);
    const fresh = (made.body as { codes: string[] }).codes;
    expect((await submit(await waiting(user.email), 'recovery_code', codes[1] ?? '')).status).toBe(401);
    expect((await submit(await waiting(user.email), 'recovery_code', fresh[1] ?? '')).status).toBe(201);
  });
});

describe('step-up confirmation', () => {
  const expireConfirmation = (user: TestClient) =>
    server.services.db
      .updateTable('sessions as s')
      .from('users as u')
      .set({ confirmed_at: new Date(Date.now() - 16 * 60_000) })
      .whereRef('u.id', '=', 's.user_id')
      .where('u.email', '=', user.email ?? '')
      .execute();
  const confirm = (user: TestClient, method: string, secret: string) =>
    user.call('stepUp', { body: { method, secret } });

  it('is required again after 15 minutes', async () => {
    const user = await server.register();
    expect((await user.call('getStepUp')).body).toMatchObject({
      methods: ['password'],
      confirmed_until: expect.stringMatching(/Z$/),
    });
    await expireConfirmation(user);
    const refused = await user.call('createTotp');
    expect(refused).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
    expect((await user.call('getStepUp')).body).toMatchObject({ confirmed_until: null });
    expect((await confirm(user, 'password', 'wrong wrong wrong')).status).toBe(401);
    expect((await user.call('createTotp')).status).toBe(403);
    expect((await confirm(user, 'password', PASSWORD)).status).toBe(204);
    expect((await user.call('createTotp')).status).toBe(201);
  });

  it('requires the second factor if there is one', async () => {
    const user = await server.register();
    const { secret } = await setUpTotp(server, user);
    await expireConfirmation(user);
    expect((await user.call('getStepUp')).body).toMatchObject({ methods: ['totp'] });
    expect((await confirm(user, 'password', PASSWORD)).status).toBe(422);
    expect((await user.call('deleteTotp')).status).toBe(403);
    expect((await confirm(user, 'totp', step(secret))).status).toBe(204);
    expect((await user.call('deleteTotp')).status).toBe(204);
  });

  it('uses single sign-on for users without a password', async () => {
    const user = await server.register();
    await server.services.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('email', '=', user.email ?? '')
      .execute();
    expect((await user.call('getStepUp')).body).toMatchObject({ methods: ['sso'] });
    expect((await confirm(user, 'password', PASSWORD)).status).toBe(422);
  });
});
