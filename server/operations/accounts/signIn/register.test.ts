import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertToken } from '../../../testing/cvmFixtures';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, sessionCookieOf, startTestServer, type TestServer } from '../../../testing/server';

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
/** Confirms the address in a browser that is signed in to the account. */
const verify = async (email: string, on = server) => {
  const token = (await mailsTo(on.services, email)).at(-1)?.token;
  const cookie = sessionCookieOf(await signIn(email, PASSWORD, on)) ?? '';
  return on.anonymous.with({ cookie }).call('verifyEmail', { body: { token } });
};
const deploy = (email: string) => ({
  body: {
    name: `app-of-${email.split('@')[0]}`,
    compose_file: { docker_compose_file: 'services:\n  a:\n    image: b\n' },
  },
});

describe('registerUser', () => {
  it('makes one of twenty concurrent first users the admin, and gives each a team with a unique slug', async () => {
    const emails = Array.from({ length: 20 }, (_, i) => `alex@host${i}.test`);
    const answers = await Promise.all(emails.map((email) => register(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(answers.filter(({ body }) => body.outcome === 'signed_in')).toHaveLength(1);
    expect(answers.filter((answer) => sessionCookieOf(answer) !== null)).toHaveLength(1);
    const sessions = await Promise.all(emails.map(async (email) => (await signIn(email)).body));
    const shown = sessions as {
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

  it('lets an unconfirmed user sign in but not deploy, by session or token', async () => {
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
      password_token: null,
    });
    const now = await bob.call('provisionCvm', deploy('bob@example.test'));
    expect(JSON.stringify(now.body)).not.toContain('ERR-00-034');
  });

  it('changes nothing for an existing account and notifies only its owner', async () => {
    const first = await register('carol@example.test');
    const again = await register('Carol@Example.TEST', { password: 'another password' });
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    // The cookie that recognizes the registering browser has the same form for both, and no session is
    // opened.
    for (const { headers } of [first, again])
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^teehouse_device=[\w-]{22}\.[\w-]{22}; /),
      ]);
    expect((await signIn('carol@example.test', 'another password')).status).toBe(401);
    expect((await signIn('carol@example.test')).status).toBe(201);
    const mails = (await mailsTo(server.services, 'carol@example.test')).map(({ template }) => template);
    expect(mails.slice(0, 2)).toEqual(['verify_email', 'account_exists']);
  });

  it('sends at most five emails an hour to one address, with the same answer', async () => {
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push(await register('cora@example.test'));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, { outcome: 'check_email' }]);
    expect(await mailsTo(server.services, 'cora@example.test')).toHaveLength(5);
  });

  it('never uses a reserved page path as a team slug', async () => {
    await register('admin@example.test');
    const { body } = await signIn('admin@example.test');
    expect(body).toMatchObject({ teams: [{ slug: 'admin-team' }] });
  });

  it.each([
    [{ password: 'too short' }, 'password'],
    [{ password: 'dave@example.test' }, 'email address'],
    [{ password: 'Password2024!!' }, 'known data breaches'],
    [{ email: 'dave' }, 'email'],
    [{ email: 'dave@example.test\r\nBcc: everybody@example.test' }, 'email'],
    [{ email: 'dave@example.test, eve@example.test' }, 'email'],
    [{ role: 'admin' }, 'role'],
  ])('rejects %j with a reason and creates no account', async (change, why) => {
    const answer = await register('dave@example.test', change);
    expect(answer.status).toBe(422);
    const text = JSON.stringify(answer.body);
    expect(text).toContain(why);
    expect(text).not.toContain('too short');
    expect(await userOf('dave@example.test')).toBeUndefined();
    expect(await mailsTo(server.services, 'dave@example.test')).toEqual([]);
  });

  it("strips line breaks from the user's name in email headers", async () => {
    await register('dora@example.test', { name: 'Dora\r\nBcc: everybody@example.test\u202e' });
    expect((await userOf('dora@example.test'))?.username).toBe('Dora Bcc: everybody@example.test');
    const [mail] = await mailsTo(server.services, 'dora@example.test');
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    expect(await mailsTo(server.services, 'everybody@example.test')).toEqual([]);
  });
});

describe('with a mail server or a configured administrator', () => {
  it('requires the first user to confirm', async () => {
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

  it('grants the admin role to the configured address only once it is confirmed', async () => {
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
  it('confirms the address, signs the user in and adds them to the team', async () => {
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
    // If the account already exists, the invitation stays valid and a new password doesn't sign in.
    const second = await invite('bob@example.test');
    const again = await register('bob@example.test', {
      invitation_token: second,
      password: 'another password',
    });
    expect(again.body).toEqual({ outcome: 'check_email' });
    expect((await signIn('bob@example.test', 'another password')).status).toBe(401);
  });
});
