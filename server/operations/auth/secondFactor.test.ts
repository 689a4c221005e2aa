import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOfStep } from '../../domain/totp';
import { mailsTo } from '../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { cookiesOf, forgetSteps, nowStep, setUpTotp } from '../../testing/signIn';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const password = (email: string | null, from: TestClient = server.anonymous) =>
  from.call('createSession', { body: { email, password: PASSWORD } });
/** A browser whose sign-in waits for the second factor. */
async function waiting(email: string | null): Promise<TestClient> {
  const answer = await password(email);
  expect(answer.status).toBe(202);
  return server.anonymous.with({ cookie: cookiesOf(answer) });
}
const show = (browser: TestClient, method: string, code: string) =>
  browser.call('completeSecondFactor', { body: { method, code } });
const step = (secret: string, offset = 0) => codeOfStep(secret, nowStep() + offset);
const templates = async (email: string | null) =>
  (await mailsTo(server.services, email ?? '')).map(({ template }) => template);

describe('an authenticator app', () => {
  it('is set up with its first code, brings ten recovery codes once, and is told by mail', async () => {
    const person = await server.register();
    const begun = await person.call('createTotp');
    expect(begun.status).toBe(201);
    const { secret, otpauth_url } = begun.body as { secret: string; otpauth_url: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret, digits: '6', period: '30' });
    expect((await person.call('getSecondFactors')).body).toMatchObject({
      totp: null,
      recovery_codes_left: 0,
    });
    expect((await person.call('confirmTotp', { body: { code: '000000' } })).status).toBe(401);
    const done = await person.call('confirmTotp', { body: { code: step(secret) } });
    const { codes } = done.body as { codes: string[] };
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect((await person.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 10 });
    expect((await person.call('getSession')).body.user).toMatchObject({ second_factor: true });
    expect((await person.call('getCurrentUser')).body).toMatchObject({
      user: { totp_enabled: true, has_backup_codes: true },
    });
    expect(await templates(person.email)).toContain('second_factor_enabled');
    expect((await person.call('createTotp')).status).toBe(409);
    expect((await person.call('confirmTotp', { body: { code: step(secret, 1) } })).status).toBe(409);
    const { db } = server.services;
    const stored = JSON.stringify([
      await db.selectFrom('totp_credentials').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(stored).not.toContain(secret);
    for (const code of codes) expect(stored).not.toContain(code);
  });

  it('is asked for after the password, and nothing is open before it', async () => {
    const person = await server.register();
    const { secret } = await setUpTotp(server, person);
    const answer = await password(person.email);
    expect(answer.body).toMatchObject({ methods: ['totp', 'recovery_code'], attempts_left: 5 });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^teehouse_sign_in=thk_psi_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    const browser = server.anonymous.with({ cookie: cookiesOf(answer) });
    expect((await browser.call('getSession')).body.user).toBeNull();
    expect((await browser.call('getAccount')).status).toBe(401);
    expect((await browser.call('getPendingSignIn')).body).toMatchObject({ attempts_left: 5 });
    const signed = await show(browser, 'totp', step(secret));
    expect(signed.status).toBe(201);
    const session = server.anonymous.with({ cookie: cookiesOf(signed, browser.cookie ?? '') });
    expect((await session.call('getSession')).body.user?.email).toBe(person.email);
    expect(cookiesOf(signed, browser.cookie ?? '')).not.toContain('teehouse_sign_in');
    // The waiting sign-in is over: its cookie opens nothing again.
    expect((await show(browser, 'totp', step(secret, 1))).status).toBe(401);
    expect((await browser.call('getPendingSignIn')).status).toBe(401);
  });

  it('takes a code once, of twenty who bring it at the same time', async () => {
    const person = await server.register();
    const { secret } = await setUpTotp(server, person);
    const code = step(secret);
    const browsers = await Promise.all(Array.from({ length: 20 }, () => waiting(person.email)));
    const answers = await Promise.all(browsers.map((browser) => show(browser, 'totp', code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it('takes a code once across setting up, signing in and confirming', async () => {
    const person = await server.register();
    const { secret } = (await person.call('createTotp')).body as { secret: string };
    const [first, second] = [step(secret), step(secret, 1)];
    const confirm = (code: string) => person.call('stepUp', { body: { method: 'totp', secret: code } });
    const signIn = async (code: string) => show(await waiting(person.email), 'totp', code);
    expect((await person.call('confirmTotp', { body: { code: first } })).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    expect((await confirm(first)).status).toBe(401);
    expect((await confirm(`${second.slice(0, 3)} ${second.slice(3)}`)).status).toBe(204);
    expect((await signIn(second)).status).toBe(401);
    // An older code than the last one does not come back either.
    expect((await signIn(first)).status).toBe(401);
    await forgetSteps(server);
    expect((await signIn(second)).status).toBe(201);
    expect((await confirm(second)).status).toBe(401);
  });

  it('ends a sign-in after five wrong codes', async () => {
    const person = await server.register();
    const { secret } = await setUpTotp(server, person);
    const browser = await waiting(person.email);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => show(browser, 'totp', '000000')));
    const problems = wrong.map(({ body }) => (body as unknown as { code: string }).code).sort();
    expect(problems).toEqual([...Array(3).fill('ERR-00-036'), ...Array(5).fill('ERR-00-037')]);
    expect((await show(browser, 'totp', step(secret))).status).toBe(401);
    expect((await show(await waiting(person.email), 'totp', step(secret))).status).toBe(201);
  });

  it('is refused when the sign-in is another browser’s, too old, given up or of a suspended person', async () => {
    const person = await server.register();
    const { secret } = await setUpTotp(server, person);
    expect((await show(server.anonymous, 'totp', step(secret))).status).toBe(401);
    const given_up = await waiting(person.email);
    expect((await given_up.call('cancelPendingSignIn')).status).toBe(204);
    expect((await show(given_up, 'totp', step(secret))).status).toBe(401);
    const { db } = server.services;
    const old = await waiting(person.email);
    await db
      .updateTable('pending_sign_ins')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await show(old, 'totp', step(secret))).status).toBe(401);
    const suspended = await waiting(person.email);
    const set = (state: 'active' | 'suspended') =>
      db
        .updateTable('users')
        .set({ state })
        .where('email', '=', person.email ?? '')
        .execute();
    await set('suspended');
    expect((await show(suspended, 'totp', step(secret))).status).toBe(401);
    expect((await password(person.email)).status).toBe(401);
    await set('active');
    const changed = await waiting(person.email);
    await db
      .updateTable('users')
      .set({ password_changed_at: new Date() })
      .where('email', '=', person.email ?? '')
      .execute();
    expect((await show(changed, 'totp', step(secret))).status).toBe(401);
  });

  it('can be removed, and with it go the codes and what sessions showed', async () => {
    const person = await server.register();
    await setUpTotp(server, person);
    expect((await person.call('deleteTotp')).status).toBe(204);
    expect((await person.call('getSecondFactors')).body).toEqual({
      totp: null,
      passkeys: [],
      recovery_codes_left: 0,
    });
    expect(await templates(person.email)).toContain('second_factor_disabled');
    expect((await password(person.email)).status).toBe(201);
    expect((await person.call('deleteTotp')).status).toBe(409);
    expect((await person.call('createRecoveryCodes')).status).toBe(409);
    const sessions = await server.services.db
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select('s.second_factor_at')
      .where('u.email', '=', person.email ?? '')
      .execute();
    expect(sessions.map(({ second_factor_at }) => second_factor_at)).toEqual([null, null]);
  });
});

describe('a recovery code', () => {
  it('works once in place of the app, however it is typed, and is told by mail', async () => {
    const person = await server.register();
    const { codes } = await setUpTotp(server, person);
    const [first = '', second = ''] = codes;
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ').replace('0', 'o').replace('1', 'l')} `;
    expect((await show(await waiting(person.email), 'recovery_code', typed)).status).toBe(201);
    const mails = await mailsTo(server.services, person.email ?? '');
    expect(mails.find(({ template }) => template === 'recovery_code_used')?.text).toContain('9');
    const browsers = await Promise.all(Array.from({ length: 8 }, () => waiting(person.email)));
    const answers = await Promise.all(browsers.map((browser) => show(browser, 'recovery_code', second)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await show(await waiting(person.email), 'recovery_code', first)).status).toBe(401);
    expect((await person.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 8 });
  });

  it('is worth nothing after new ones were made, or to somebody else', async () => {
    const [person, other] = [await server.register(), await server.register()];
    const { codes } = await setUpTotp(server, person);
    await setUpTotp(server, other);
    expect((await show(await waiting(other.email), 'recovery_code', codes[0] ?? '')).status).toBe(401);
    const made = await person.call('createRecoveryCodes');
    expect(made.status).toBe(201);
    const fresh = (made.body as { codes: string[] }).codes;
    expect((await show(await waiting(person.email), 'recovery_code', codes[1] ?? '')).status).toBe(401);
    expect((await show(await waiting(person.email), 'recovery_code', fresh[1] ?? '')).status).toBe(201);
  });
});

describe('confirming that it is you', () => {
  const long_ago = (person: TestClient) =>
    server.services.db
      .updateTable('sessions as s')
      .from('users as u')
      .set({ confirmed_at: new Date(Date.now() - 16 * 60_000) })
      .whereRef('u.id', '=', 's.user_id')
      .where('u.email', '=', person.email ?? '')
      .execute();
  const confirm = (person: TestClient, method: string, secret: string) =>
    person.call('stepUp', { body: { method, secret } });

  it('is asked for after a quarter of an hour and lasts as long', async () => {
    const person = await server.register();
    expect((await person.call('getStepUp')).body).toMatchObject({
      methods: ['password'],
      confirmed_until: expect.stringMatching(/Z$/),
    });
    await long_ago(person);
    const refused = await person.call('createTotp');
    expect(refused).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
    expect((await person.call('getStepUp')).body).toMatchObject({ confirmed_until: null });
    expect((await confirm(person, 'password', 'wrong wrong wrong')).status).toBe(401);
    expect((await person.call('createTotp')).status).toBe(403);
    expect((await confirm(person, 'password', PASSWORD)).status).toBe(204);
    expect((await person.call('createTotp')).status).toBe(201);
  });

  it('needs the second factor of those who have one', async () => {
    const person = await server.register();
    const { secret } = await setUpTotp(server, person);
    await long_ago(person);
    expect((await person.call('getStepUp')).body).toMatchObject({ methods: ['totp'] });
    expect((await confirm(person, 'password', PASSWORD)).status).toBe(422);
    expect((await person.call('deleteTotp')).status).toBe(403);
    expect((await confirm(person, 'totp', step(secret))).status).toBe(204);
    expect((await person.call('deleteTotp')).status).toBe(204);
  });

  it('is by signing in again for those who only have single sign-on', async () => {
    const person = await server.register();
    await server.services.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('email', '=', person.email ?? '')
      .execute();
    expect((await person.call('getStepUp')).body).toMatchObject({ methods: ['sso'] });
    expect((await confirm(person, 'password', PASSWORD)).status).toBe(422);
  });
});
