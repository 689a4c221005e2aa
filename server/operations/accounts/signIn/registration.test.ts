import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../../testing/mail';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../../testing/server';

/** Who can create an account under each value of REGISTRATION. */
const CLOSED = { status: 403, body: { code: 'ERR-00-023' } };
const start = (env: Record<string, string>) =>
  startTestServer({ env: { TEEHOUSE_ROLE: 'web', REGISTRATION: '', ...env } });
const register = (on: TestServer, email: string, more: object = {}) =>
  on.anonymous.call('registerUser', { body: { email, password: PASSWORD, ...more } });
const features = async (on: TestServer) => (await on.anonymous.call('getSession')).body.features;
const accounts = (on: TestServer) => on.services.db.selectFrom('users').select('email').execute();

/** Returns the token of an invitation sent by this member. */
async function invite(on: TestServer, from: TestClient, email: string): Promise<string> {
  const path = { slug: from.slug ?? '' };
  const made = await from.call('createInvitation', { path, body: { email, role: 'member' } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return (await mailsTo(on.services, email)).at(-1)?.token ?? '';
}

describe('invite-only registration (default for a public PUBLIC_URL)', () => {
  let server: TestServer;
  let admin: TestClient;
  beforeAll(async () => {
    server = await start({ PUBLIC_URL: 'https://cloud.example.test' });
  });
  afterAll(() => server.stop());

  it('makes exactly one of twenty concurrent first accounts an administrator', async () => {
    expect(await features(server)).toMatchObject({ registration: true, registration_mode: 'invite' });
    const emails = Array.from({ length: 20 }, (_, i) => `first${i}@example.test`);
    const answers = await Promise.all(emails.map((email) => register(server, email)));
    const made = answers.findIndex(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter((_, i) => i !== made)) expect(answer).toMatchObject(CLOSED);
    expect(await accounts(server)).toEqual([{ email: emails[made] }]);
    const signed = await server.anonymous.call('createSession', {
      body: { email: emails[made], password: PASSWORD },
    });
    expect(signed.body).toMatchObject({ platform_role: 'admin' });
    const cookie = sessionCookieOf(signed) ?? '';
    const { body } = await server.anonymous.with({ cookie }).call('getSession');
    const slug = body.teams[0]?.slug ?? '';
    const client = server.anonymous.with({ cookie, 'x-workspace': slug });
    admin = { ...client, slug, call: client.call, with: client.with };
    expect(await features(server)).toMatchObject({ registration: false, registration_mode: 'invite' });
  });

  it('answers the same whether or not the address has an account', async () => {
    const [{ email } = { email: '' }] = await accounts(server);
    const shown = (answer: Awaited<ReturnType<typeof register>>) => [
      answer.status,
      { ...(answer.body as object), request_id: '' },
      answer.headers.getSetCookie(),
    ];
    const [known, unknown] = [await register(server, email), await register(server, 'new@example.test')];
    expect(known).toMatchObject(CLOSED);
    expect(shown(known)).toEqual(shown(unknown));
    expect(JSON.stringify(unknown.body)).toContain('You need an invitation');
    expect(await mailsTo(server.services, email)).toEqual([]);
  });

  it('creates an account only for the invited address', async () => {
    const invitation_token = await invite(server, admin, 'guest@example.test');
    expect(await register(server, 'thief@example.test', { invitation_token })).toMatchObject({
      status: 403,
      body: { code: 'ERR-00-040' },
    });
    expect((await register(server, 'guest@example.test', { invitation_token })).status).toBe(201);
    expect(await register(server, 'guest@example.test', { invitation_token })).toMatchObject({ status: 404 });
    expect((await accounts(server)).map(({ email }) => email)).toContain('guest@example.test');
  });

  it('rejects a revoked invitation', async () => {
    const invitation_token = await invite(server, admin, 'late@example.test');
    const { services } = server;
    await services.db
      .updateTable('invitations')
      .set({ state: 'revoked' })
      .where('email', '=', 'late@example.test')
      .execute();
    expect((await register(server, 'late@example.test', { invitation_token })).status).toBe(404);
    expect((await accounts(server)).map(({ email }) => email)).not.toContain('late@example.test');
  });
});

it('allows only the configured administrator to register first when invite-only', async () => {
  const server = await start({ REGISTRATION: 'invite', TEEHOUSE_ADMIN_EMAIL: 'chosen@example.test' });
  try {
    expect(await register(server, 'stranger@example.test')).toMatchObject(CLOSED);
    expect((await register(server, 'Chosen@example.test')).status).toBe(201);
    expect(await accounts(server)).toEqual([{ email: 'chosen@example.test' }]);
  } finally {
    await server.stop();
  }
});

it('rejects every registration when off, even the first and invited ones', async () => {
  const server = await start({ REGISTRATION: 'off' });
  try {
    expect(await features(server)).toMatchObject({ registration: false, registration_mode: 'off' });
    expect(await register(server, 'first@example.test')).toMatchObject(CLOSED);
    expect(await register(server, 'guest@example.test', { invitation_token: 'thk_inv_x' })).toMatchObject(
      CLOSED,
    );
    expect(await accounts(server)).toEqual([]);
  } finally {
    await server.stop();
  }
});

it('allows anyone to register when open (default on localhost)', async () => {
  const server = await start({});
  try {
    expect(await features(server)).toMatchObject({ registration: true, registration_mode: 'open' });
    for (const email of ['one@example.test', 'two@example.test'])
      expect((await register(server, email)).status).toBe(201);
  } finally {
    await server.stop();
  }
});
