import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertToken } from '../../../testing/cvmFixtures';
import { mailsTo } from '../../../testing/mail';
import { cookiesOf } from '../../../testing/signIn';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../../testing/server';

/** Registrations confirmed in the browser that registered and in another browser. */
let server: TestServer;
const ADMIN = 'admin@example.test';
const NEW = 'a quite different phrase';
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ADMIN_EMAIL: ADMIN } });
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const register = (email: string) =>
  server.anonymous.call('registerUser', { body: { email, password: PASSWORD } });
const signIn = (email: string, password = PASSWORD) =>
  server.anonymous.call('createSession', { body: { email, password } });
const signedIn = async (email: string) =>
  server.anonymous.with({ cookie: sessionCookieOf(await signIn(email)) ?? '' });
async function confirm(email: string, browser: TestClient) {
  const mails = await mailsTo(server.services, email);
  const token = mails.filter(({ template }) => template === 'verify_email').at(-1)?.token;
  return (await browser.call('verifyEmail', { body: { token } })).body;
}
const userOf = (email: string) =>
  server.services.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();

describe('confirming in another browser', () => {
  it('revokes everything the registrant created and requires a new password', async () => {
    const email = 'victim@example.test';
    await register(email);
    const squatter = await signedIn(email);
    const { db } = server.services;
    const who = await identityOf(db, email);
    const key = server.anonymous.with({ 'x-api-key': await insertToken(db, who) });
    expect((await key.call('getCurrentUser')).status).toBe(200);
    const slug = (await squatter.call('getSession')).body.teams[0]?.slug ?? '';
    const hook = { name: null, url: 'https://hooks.example.com/x', events: ['cvm.created'] };
    await squatter.with({ 'x-workspace': slug }).call('createWebhook', { path: { slug }, body: hook });
    await squatter.call('createSshKey', {
      body: { name: 'mine', public_key: `ssh-ed25519 ${ED25519} squatter` },
    });

    const done = await confirm(email, server.anonymous);
    expect(done).toMatchObject({ outcome: 'new_password', email, password_token: expect.any(String) });
    expect((await squatter.call('getSession')).body.user).toBeNull();
    expect((await key.call('getCurrentUser')).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    for (const table of ['sessions', 'ssh_keys', 'passkeys', 'device_authorizations'] as const)
      expect(
        await db.selectFrom(table).select('user_id').where('user_id', '=', who.user_id).execute(),
      ).toEqual([]);
    expect(await db.selectFrom('webhooks').select('id').where('team_id', '=', who.team_id).execute()).toEqual(
      [],
    );

    const body = { token: done.password_token, password: NEW };
    expect((await server.anonymous.call('resetPassword', { body })).status).toBe(204);
    expect((await server.anonymous.call('resetPassword', { body })).status).toBe(404);
    expect((await signIn(email, NEW)).body).toMatchObject({ user: { email_verified: true } });
    expect((await signIn(email)).status).toBe(401);
  });

  it("does not leave an administrator's account to the user who registered its address", async () => {
    await register(ADMIN);
    const squatter = await signedIn(ADMIN);
    expect(await confirm(ADMIN, server.anonymous)).toMatchObject({ outcome: 'new_password' });
    expect((await userOf(ADMIN)).platform_role).toBe('admin');
    expect((await squatter.call('listAdminUsers')).status).toBe(401);
  });

  it('treats a browser that registered the same address as another browser', async () => {
    const email = 'both@example.test';
    await register(email);
    const owner = server.anonymous.with({ cookie: cookiesOf(await register(email)) });
    expect(await confirm(email, owner)).toMatchObject({ outcome: 'new_password' });
  });

  it('treats a browser signed in to another account as another browser', async () => {
    const email = 'signed-in-as-another@example.test';
    await register(email);
    const other = await server.register();
    expect(await confirm(email, other)).toMatchObject({ outcome: 'new_password' });
    expect((await other.call('getSession')).body.user).toMatchObject({ email: other.email });
  });

  it('changes nothing for an already confirmed account', async () => {
    const email = 'confirmed@example.test';
    await register(email);
    const owner = await signedIn(email);
    await server.services.db
      .updateTable('users')
      .set({ email_verified_at: new Date() })
      .where('email', '=', email)
      .execute();
    expect(await confirm(email, server.anonymous)).toMatchObject({ outcome: 'verified' });
    expect((await owner.call('getSession')).body.user).toMatchObject({ email });
  });
});

describe('confirming in the same browser', () => {
  it('keeps the password when nobody has signed in yet', async () => {
    const email = 'same@example.test';
    const browser = server.anonymous.with({ cookie: cookiesOf(await register(email)) });
    expect(await confirm(email, browser)).toEqual({ outcome: 'verified', email, password_token: null });
    expect((await signIn(email)).status).toBe(201);
  });

  it('keeps the open session', async () => {
    const email = 'open@example.test';
    await register(email);
    const browser = await signedIn(email);
    expect(await confirm(email, browser)).toMatchObject({ outcome: 'verified', password_token: null });
    expect((await browser.call('getSession')).body.user).toMatchObject({ email, email_verified: true });
  });
});

const ED25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ5X8c7tJ0k8h1bJrQm3m1o0xW4k4mYt2nq8s3g6l2uN';
