import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMailLink, linkHash } from '../../../db/accounts/mailLinks';
import { setPassword } from '../../../db/accounts/users';
import { hashPassword } from '../../../domain/accounts/password';
import { housekeeping } from '../../../jobs/core/housekeeping';
import { newToken } from '../../../domain/teams/token';
import { mailsTo } from '../../../testing/mail';
import {
  eventually,
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestServer,
} from '../../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const NEW = 'a quite different phrase';
const db = () => server.services.db;
const signIn = (email: string, password = PASSWORD) =>
  server.anonymous.call('createSession', { body: { email, password } });
const tokenTo = async (email: string, template: string) => {
  const mails = await mailsTo(server.services, email);
  return mails.filter((mail) => mail.template === template).at(-1)?.token ?? '';
};
const askReset = (email: string) => server.anonymous.call('requestPasswordReset', { body: { email } });
const check = (token: string) => server.anonymous.call('checkPasswordReset', { body: { token } });
const reset = (token: string, password = NEW) =>
  server.anonymous.call('resetPassword', { body: { token, password } });
const verify = (token: string, from = server.anonymous) => from.call('verifyEmail', { body: { token } });
const userOf = (email: string) =>
  db().selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
const expire = (email: string) =>
  db()
    .updateTable('mail_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', email)
    .execute();
const INVALID = { status: 404, body: { code: 'ERR-00-035' } };

/** Creates an account with an unconfirmed address and a session. */
async function unconfirmed(email: string) {
  await server.anonymous.call('registerUser', { body: { email, password: PASSWORD } });
  return server.anonymous.with({ cookie: sessionCookieOf(await signIn(email)) ?? '' });
}

describe('verifyEmail and resendVerification', () => {
  it('confirms once when the link is used twenty times concurrently', async () => {
    await unconfirmed('anna@example.test');
    const token = await tokenTo('anna@example.test', 'verify_email');
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
    expect((await userOf('anna@example.test')).email_verified_at).not.toBeNull();
    expect(await verify(token)).toMatchObject(INVALID);
  });

  it("closes the registrant's account when the address owner disowns it", async () => {
    const squatter = await unconfirmed('otto@example.test');
    const token = await tokenTo('otto@example.test', 'verify_email');
    const answer = await server.anonymous.call('verifyEmail', { body: { token, decline: true } });
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'disowned' } });
    expect((await squatter.call('getSession')).body.user).toBeNull();
    expect((await signIn('otto@example.test')).status).toBe(401);
    expect((await userOf('otto@example.test')).email_verified_at).toBeNull();
    await askReset('otto@example.test');
    expect((await reset(await tokenTo('otto@example.test', 'reset_password'))).status).toBe(204);
    expect((await signIn('otto@example.test', NEW)).status).toBe(201);
  });

  it('invalidates the previous link, sends five an hour, and none once confirmed', async () => {
    const ben = await unconfirmed('ben@example.test');
    const old = await tokenTo('ben@example.test', 'verify_email');
    expect((await ben.call('resendVerification')).status).toBe(202);
    expect(await verify(old)).toMatchObject(INVALID);
    for (let i = 0; i < 6; i++) expect((await ben.call('resendVerification')).status).toBe(202);
    // One from the registration and five from resends.
    expect(await mailsTo(server.services, 'ben@example.test')).toHaveLength(6);
    // Mails that weren't sent don't invalidate the last link that was.
    expect((await verify(await tokenTo('ben@example.test', 'verify_email'), ben)).status).toBe(200);
    expect((await ben.call('resendVerification')).status).toBe(202);
    expect(await mailsTo(server.services, 'ben@example.test')).toHaveLength(6);
    expect((await server.anonymous.call('resendVerification')).status).toBe(401);
  });

  it('rejects an expired link, a link of another kind, and one for a previous address', async () => {
    await unconfirmed('carl@example.test');
    const token = await tokenTo('carl@example.test', 'verify_email');
    const row = await findMailLink(db(), linkHash(token)!, 'verify_email');
    expect(row!.expires_at.getTime() - Date.now()).toBeCloseTo(24 * 3_600_000, -5);
    await askReset('carl@example.test');
    expect(await verify(await tokenTo('carl@example.test', 'reset_password'))).toMatchObject(INVALID);
    expect(await reset(token)).toMatchObject(INVALID);
    await db()
      .updateTable('users')
      .set({ email: 'carl@new.test' })
      .where('email', '=', 'carl@example.test')
      .execute();
    expect(await verify(token)).toMatchObject(INVALID);
    await db()
      .updateTable('users')
      .set({ email: 'carl@example.test' })
      .where('email', '=', 'carl@new.test')
      .execute();
    await expire('carl@example.test');
    expect(await verify(token)).toMatchObject(INVALID);
    expect((await userOf('carl@example.test')).email_verified_at).toBeNull();
  });

  it('stores only a hash of the link', async () => {
    await unconfirmed('cleo@example.test');
    const token = await tokenTo('cleo@example.test', 'verify_email');
    const rows = await Promise.all([
      db().selectFrom('mail_links').selectAll().execute(),
      db().selectFrom('outbox').selectAll().execute(),
      db().selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(token).toMatch(/^thk_lnk_/);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('requestPasswordReset, checkPasswordReset and resetPassword', () => {
  it('sets a new password and ends open sessions, keeps the second factor and creates no session', async () => {
    const dora = await server.register('dora@example.test');
    const { id: user_id } = await userOf('dora@example.test');
    await db()
      .insertInto('totp_credentials')
      .values({
        user_id,
        sealed_secret: 'sealed',
        confirmed_at: new Date(),
        last_step: null,
        last_used_at: null,
      })
      .execute();
    await db().updateTable('users').set({ second_factor_at: new Date() }).where('id', '=', user_id).execute();
    // This sign-in used the old password and is waiting for the second factor.
    expect((await signIn('dora@example.test')).status).toBe(202);
    await askReset('DORA@example.test');
    const token = await tokenTo('dora@example.test', 'reset_password');
    const checked = await check(token);
    expect(checked).toMatchObject({ status: 200, body: { email: 'dora@example.test' } });
    const until = new Date((checked.body as { expires_at: string }).expires_at);
    expect(until.getTime() - Date.now()).toBeCloseTo(30 * 60_000, -4);
    expect((await check(token)).status).toBe(200);
    expect((await reset(token, 'Password2024!!')).status).toBe(422);
    const done = await reset(token);
    expect(done.status).toBe(204);
    // The browser is known from now on; no session is opened.
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(/^teehouse_device=/)]);
    expect((await dora.call('getSession')).body.user).toBeNull();
    for (const table of ['sessions', 'pending_sign_ins'] as const)
      expect(await db().selectFrom(table).select('id').where('user_id', '=', user_id).execute()).toEqual([]);
    expect((await signIn('dora@example.test')).status).toBe(401);
    expect((await signIn('dora@example.test', NEW)).status).toBe(202);
    const templates = (await mailsTo(server.services, 'dora@example.test')).map(({ template }) => template);
    expect(templates).toContain('password_changed');
    expect(await check(token)).toMatchObject(INVALID);
  });

  it('works once when the link is used twenty times concurrently', async () => {
    await server.register('emil@example.test');
    await askReset('emil@example.test');
    const token = await tokenTo('emil@example.test', 'reset_password');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reset(token, `${NEW} ${i}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)]);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect((await signIn('emil@example.test', `${NEW} ${winner}`)).status).toBe(201);
  });

  it('rejects expired and superseded links; a suspended user gets none', async () => {
    await server.register('fred@example.test');
    await askReset('fred@example.test');
    const old = await tokenTo('fred@example.test', 'reset_password');
    await askReset('fred@example.test');
    expect(await check(old)).toMatchObject(INVALID);
    const token = await tokenTo('fred@example.test', 'reset_password');
    await expire('fred@example.test');
    expect(await check(token)).toMatchObject(INVALID);
    expect(await reset(token)).toMatchObject(INVALID);
    const before = await mailsTo(server.services, 'fred@example.test');
    await db()
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', 'fred@example.test')
      .execute();
    expect((await askReset('fred@example.test')).status).toBe(202);
    expect(await mailsTo(server.services, 'fred@example.test')).toHaveLength(before.length);
    await housekeeping(db());
    const kept = () =>
      db().selectFrom('mail_links').select('id').where('email', '=', 'fred@example.test').execute();
    expect(await kept()).not.toEqual([]);
    await db()
      .updateTable('mail_links')
      .set({ expires_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('email', '=', 'fred@example.test')
      .execute();
    await housekeeping(db());
    expect(await kept()).toEqual([]);
  });

  it('returns an account registered with another user’s address to that address’s owner', async () => {
    const thief = await unconfirmed('gina@example.test');
    const { id: user_id } = await userOf('gina@example.test');
    await db()
      .insertInto('totp_credentials')
      .values({
        user_id,
        sealed_secret: 'theirs',
        confirmed_at: new Date(),
        last_step: null,
        last_used_at: null,
      })
      .execute();
    await db().updateTable('users').set({ second_factor_at: new Date() }).where('id', '=', user_id).execute();
    await askReset('gina@example.test');
    expect((await reset(await tokenTo('gina@example.test', 'reset_password'))).status).toBe(204);
    expect((await thief.call('getSession')).body.user).toBeNull();
    expect((await signIn('gina@example.test')).status).toBe(401);
    // Their second factor was removed as well.
    expect((await signIn('gina@example.test', NEW)).body).toMatchObject({ user: { email_verified: true } });
  });
});

describe('guessing links', () => {
  it('rejects 10,000 wrong links, malformed ones without a database query', async () => {
    await server.register('hugo@example.test');
    await askReset('hugo@example.test');
    const token = await tokenTo('hugo@example.test', 'reset_password');
    const last = token.at(-1) === 'a' ? 'b' : 'a';
    for (let i = 0; i < 5000; i++) {
      const at = 8 + (i % 32);
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(linkHash(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
    expect(linkHash(token.slice(0, -1) + last)).toBeNull();
    expect(linkHash(newToken('inv'))).toBeNull();
    for (let i = 0; i < 50; i++) {
      const guesses = Array.from({ length: 100 }, () => linkHash(newToken('lnk')));
      expect(guesses.every((hash) => hash !== null)).toBe(true);
      const found = await db()
        .selectFrom('mail_links')
        .select('id')
        .where('token_hash', 'in', guesses as Buffer[])
        .execute();
      expect(found).toEqual([]);
    }
    expect(await check(newToken('lnk'))).toMatchObject(INVALID);
    expect((await check(token)).status).toBe(200);
  });

  it('is rate-limited by IP address across link types', async () => {
    const strict = await startTestServer({ env: { SIGN_IN_ATTEMPTS: '5' } });
    try {
      const tries = [];
      for (let i = 0; i < 20; i++) {
        const body = { token: newToken('lnk') };
        tries.push(await strict.anonymous.call(i % 2 ? 'checkPasswordReset' : 'verifyEmail', { body }));
      }
      const statuses = tries.map(({ status }) => status);
      expect(statuses.slice(0, 15)).toEqual(Array(15).fill(404));
      expect(statuses.slice(15)).toEqual(Array(5).fill(429));
      expect(Number(tries.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await strict.stop();
    }
  });
});

describe('a password change during a sign-in with the old one', () => {
  it('ends that sign-in', async () => {
    await server.register('race@example.test');
    const { id } = await userOf('race@example.test');
    const password_hash = await hashPassword(NEW);
    let answer: ReturnType<typeof signIn> | undefined;
    await db()
      .transaction()
      .execute(async (trx) => {
        await setPassword(trx, id, password_hash);
        answer = signIn('race@example.test');
        const waits = eventually('the sign-in waits', async () => {
          const { rows } =
            await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database or l.database is null
            where d.datname = current_database() and not l.granted limit 1`.execute(db());
          return rows.length > 0;
        });
        await Promise.race([answer, waits]);
      });
    expect((await answer)?.status).toBe(401);
    expect(await db().selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([]);
    expect((await signIn('race@example.test', NEW)).status).toBe(201);
  });
});
