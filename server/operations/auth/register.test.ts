import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { PASSWORD, sessionCookieOf, startTestServer, type TestServer } from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const register = (email: string, more: Record<string, unknown> = {}, on = server) =>
  on.anonymous.call('registerUser', { body: { email, password: PASSWORD, ...more } });
const signIn = (email: string, password = PASSWORD, on = server) =>
  on.anonymous.call('createSession', { body: { email, password } });
const userOf = (email: string, on = server) =>
  on.services.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const verify = async (email: string, on = server) => {
  const token = (await mailsTo(on.services, email)).at(-1)?.token;
  return on.anonymous.call('verifyEmail', { body: { token } });
};
const deploy = (email: string) => ({
  body: {
    name: `app-of-${email.split('@')[0]}`,
    compose_file: { docker_compose_file: 'services:\n  a:\n    image: b\n' },
  },
});

describe('registerUser', () => {
  it('signs in one of twenty people who come first at once, as admin; each gets a team with an address of its own', async () => {
    const emails = Array.from({ length: 20 }, (_, i) => `alex@host${i}.test`);
    const answers = await Promise.all(emails.map((email) => register(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(answers.filter(({ body }) => body.outcome === 'signed_in')).toHaveLength(1);
    expect(answers.filter((answer) => sessionCookieOf(answer) !== null)).toHaveLength(1);
    const people = await Promise.all(emails.map(async (email) => (await signIn(email)).body));
    const shown = people as {
      platform_role: string;
      user: { email_verified: boolean };
      teams: { slug: string }[];
    }[];
    expect(shown.filter(({ platform_role }) => platform_role === 'admin')).toHaveLength(1);
    expect(shown.filter(({ user }) => user.email_verified)).toHaveLength(1);
    const slugs = shown.map(({ teams }) => teams[0]?.slug);
    expect(new Set(slugs).size).toBe(20);
    expect(slugs).toContain('alex');
    for (const { teams } of shown)
      expect(teams).toMatchObject([{ role: 'owner', is_default: true, name: 'alex' }]);
  });

  it('lets a person in who has not confirmed yet, but deploys nothing for them, by session or token', async () => {
    expect((await register('bob@example.test')).body).toEqual({ outcome: 'check_email' });
    const cookie = sessionCookieOf(await signIn('bob@example.test')) ?? '';
    const bob = server.anonymous.with({ cookie });
    const user = await userOf('bob@example.test');
    expect(user?.password_hash).toMatch(/^\$argon2id\$/);
    expect(user?.email_verified_at).toBeNull();
    const token = await insertToken(
      server.services.db,
      await identityOf(server.services.db, 'bob@example.test'),
    );
    const refused = [
      await bob.call('provisionCvm', deploy('bob@example.test')),
      await bob.call('createCvm', { body: { app_id: 'a'.repeat(40), compose_hash: 'b'.repeat(64) } }),
      await bob.call('createCvmReplica', { path: { cvm_id: 'cvm_nothing' }, body: {} }),
      await server.anonymous.with({ 'x-api-key': token }).call('provisionCvm', deploy('bob@example.test')),
    ];
    for (const { status, body } of refused) {
      expect(status, JSON.stringify(body)).toBe(403);
      expect(body).toMatchObject({ code: 'ERR-00-034' });
      expect(JSON.stringify(body)).toContain('outbox');
    }
    expect((await verify('bob@example.test')).body).toEqual({
      outcome: 'verified',
      email: 'bob@example.test',
    });
    const now = await bob.call('provisionCvm', deploy('bob@example.test'));
    expect(JSON.stringify(now.body)).not.toContain('ERR-00-034');
  });

  it('changes nothing for an address that has an account, and only its owner is told', async () => {
    const first = await register('carol@example.test');
    const again = await register('Carol@Example.TEST', { password: 'another password' });
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect((await signIn('carol@example.test', 'another password')).status).toBe(401);
    expect((await signIn('carol@example.test')).status).toBe(201);
    const mails = (await mailsTo(server.services, 'carol@example.test')).map(({ template }) => template);
    expect(mails.slice(0, 2)).toEqual(['verify_email', 'account_exists']);
  });

  it('mails one address at most five times an hour, and answers the same', async () => {
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push(await register('cora@example.test'));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, { outcome: 'check_email' }]);
    expect(await mailsTo(server.services, 'cora@example.test')).toHaveLength(5);
  });

  it('never gives a team the address of a page', async () => {
    await register('admin@example.test');
    const { body } = await signIn('admin@example.test');
    expect(body).toMatchObject({ teams: [{ slug: 'admin-team' }] });
  });

  it.each([
    [{ password: 'too short' }, 'password'],
    [{ password: 'dave@example.test' }, 'e-mail address'],
    [{ password: 'Password2024!!' }, 'stolen passwords'],
    [{ email: 'dave' }, 'email'],
    [{ email: 'dave@example.test\r\nBcc: everybody@example.test' }, 'email'],
    [{ email: 'dave@example.test, eve@example.test' }, 'email'],
    [{ role: 'admin' }, 'role'],
  ])('refuses %j, says why and makes no account', async (change, why) => {
    const answer = await register('dave@example.test', change);
    expect(answer.status).toBe(422);
    const text = JSON.stringify(answer.body);
    expect(text).toContain(why);
    expect(text).not.toContain('too short');
    expect(await userOf('dave@example.test')).toBeUndefined();
    expect(await mailsTo(server.services, 'dave@example.test')).toEqual([]);
  });

  it('writes no second header or line into a mail, whatever somebody is called', async () => {
    await register('dora@example.test', { name: 'Dora\r\nBcc: everybody@example.test\u202e' });
    expect((await userOf('dora@example.test'))?.username).toBe('Dora Bcc: everybody@example.test');
    const [mail] = await mailsTo(server.services, 'dora@example.test');
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    expect(await mailsTo(server.services, 'everybody@example.test')).toEqual([]);
  });
});

describe('with a mail server, or an administrator named', () => {
  it('asks the first person to confirm like everybody', async () => {
    const smtp = await startTestServer({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    try {
      const answer = await register('first@example.test', {}, smtp);
      expect(answer.body).toEqual({ outcome: 'check_email' });
      expect((await userOf('first@example.test', smtp))?.email_verified_at).toBeNull();
      expect((await verify('first@example.test', smtp)).status).toBe(200);
      expect((await signIn('first@example.test', PASSWORD, smtp)).body).toMatchObject({
        user: { email_verified: true },
      });
    } finally {
      await smtp.stop();
    }
  });

  it('makes the named person administrator when their address is confirmed, never before', async () => {
    const named = await startTestServer({ env: { TEEHOUSE_ADMIN_EMAIL: 'root@example.test' } });
    try {
      expect((await register('stranger@example.test', {}, named)).body).toEqual({ outcome: 'signed_in' });
      expect((await userOf('stranger@example.test', named))?.platform_role).toBeNull();
      await register('root@example.test', {}, named);
      const before = await signIn('root@example.test', PASSWORD, named);
      expect(before.body).toMatchObject({ platform_role: null });
      expect((await verify('root@example.test', named)).status).toBe(200);
      const root = named.anonymous.with({ cookie: sessionCookieOf(before) ?? '' });
      expect((await root.call('getSession')).body.platform_role).toBe('admin');
    } finally {
      await named.stop();
    }
  });
});

describe('an invitation', () => {
  it('proves the address: confirmed, signed in and in the team at once', async () => {
    const owner = await server.register('owner@example.test');
    const invite = async (email: string) => {
      const made = await owner.call('createInvitation', {
        path: { slug: owner.slug ?? '' },
        body: { email, role: 'member' },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return (await mailsTo(server.services, email)).at(-1)?.token;
    };
    const invitation_token = await invite('guest@example.test');
    expect((await register('other@example.test', { invitation_token })).body).toMatchObject({
      code: 'ERR-00-040',
    });
    expect(await userOf('other@example.test')).toBeUndefined();
    const answer = await register('guest@example.test', { invitation_token });
    expect(answer.body).toEqual({ outcome: 'signed_in' });
    const guest = server.anonymous.with({ cookie: sessionCookieOf(answer) ?? '' });
    const { user, teams } = (await guest.call('getSession')).body;
    expect(user?.email_verified).toBe(true);
    expect(teams.map(({ slug, role }) => [slug, role])).toEqual([
      ['guest', 'owner'],
      ['owner', 'member'],
    ]);
    expect((await guest.call('listAccountSessions')).body).toMatchObject([
      { auth_method: 'invitation', current: true },
    ]);
    expect((await mailsTo(server.services, 'owner@example.test')).at(-1)?.template).toBe(
      'invitation_accepted',
    );
    for (const used of [invitation_token, 'thk_inv_nonsense', 'thk_lnk_nonsense'])
      expect((await register('late@example.test', { invitation_token: used })).status).toBeGreaterThanOrEqual(
        403,
      );
    expect(await userOf('late@example.test')).toBeUndefined();
    // With an account there already the invitation is worth what it was, and nobody is signed in by a new password.
    const second = await invite('bob@example.test');
    const again = await register('bob@example.test', {
      invitation_token: second,
      password: 'another password',
    });
    expect(again.body).toEqual({ outcome: 'check_email' });
    expect((await signIn('bob@example.test', 'another password')).status).toBe(401);
  });
});
