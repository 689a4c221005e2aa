import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, sessionCookieOf, type TestClient } from '../../../testing/server';
import { confirmLink, startSsoWorld, type SsoWorld } from './testing/world';

/** What a provider must not reach: the team of an unconfirmed account, and links to other providers. */
let world: SsoWorld;
let admin: TestClient;
beforeAll(async () => {
  world = await startSsoWorld();
  admin = await world.server.register(); // takes the first account's platform role
});
afterAll(() => world.stop());

it('cannot be connected to a team by an account with an unconfirmed address', async () => {
  const { server, provider, dns } = world;
  // A squatter registers another user's address and prepares to regain access after its owner confirms it.
  const email = 'squatted@example.test';
  await server.anonymous.call('registerUser', { body: { email, password: PASSWORD } });
  const session = await server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
  const squatter = server.anonymous.with({ cookie: sessionCookieOf(session) ?? '' });
  const slug = (await squatter.call('getSession')).body.teams[0]?.slug ?? '';
  const { issuer, client_id, client_secret } = provider;
  const rules = { default_role: 'admin' as const, role_claim: null, role_rules: [] };
  const kept = await squatter.call('putSso', {
    path: { slug },
    body: { issuer, client_id, client_secret, domain: 'squatter.test', enforced: false, ...rules },
  });
  expect([kept.status, JSON.stringify(kept.body)]).toEqual([
    403,
    expect.stringContaining("isn't confirmed yet"),
  ]);
  const { connection } = (await squatter.call('getSso', { path: { slug } })).body;
  dns.txt.set(connection?.txt_name ?? '', [[connection?.txt_value ?? '']]);
  await squatter.call('verifySsoDomain', { path: { slug } });

  const mail = (await mailsTo(server.services, email)).find(({ template }) => template === 'verify_email');
  await server.anonymous.call('verifyEmail', { body: { token: mail?.token } });
  const start = await server.anonymous.call('startSso', { body: { team_slug: slug } });
  expect(start.status).toBe(404);
});

it('hides other providers from a token created in its session', async () => {
  const team = await world.team({ default_role: 'member' });
  const sub = 'victim';
  const email = `victim@${team.domain}`;
  const claims = { sub, email, email_verified: true };
  const own = await world.server.register(email);
  expect((await confirmLink(own, await team.signIn(claims))).status).toBe(200);
  const other = await world.team();
  await sql`insert into sso_identities (connection_id, subject, user_id)
    select c.id, 'elsewhere', u.id from sso_connections c, users u
    where c.domain = ${other.domain} and u.email = ${email}`.execute(world.server.services.db);
  const spy = (await team.signIn(claims)).client!.with({ 'x-workspace': team.slug });
  const made = await spy.call('createApiToken', {
    path: { slug: team.slug },
    body: { name: 'spy', scopes: ['user:profile'] },
  });
  const key = world.server.anonymous.with({ 'x-api-key': made.body.token });
  const linked = async (client: TestClient) =>
    (await client.call('getAccount')).body.sso.map(({ team_slug }) => team_slug);
  expect((await linked(own)).toSorted()).toEqual([team.slug, other.slug].toSorted());
  expect(await linked(spy)).toEqual([team.slug]);
  expect(await linked(key)).toEqual([team.slug]);
});

it("hides a user's other teams in a command-line login", async () => {
  const team = await world.team({ default_role: 'member' });
  const email = `device@${team.domain}`;
  const claims = { sub: 'device', email, email_verified: true };
  const own = await world.server.register(email);
  expect((await confirmLink(own, await team.signIn(claims))).status).toBe(200);
  const spy = (await team.signIn(claims)).client!;
  const answer = async (workspace_slug: string) => {
    const { body } = await world.server.anonymous.call('createDeviceCode', {
      body: { client_id: 'phala-cli' },
    });
    const decision = { user_code: body.user_code, decision: 'approve' as const, workspace_slug };
    return spy.call('decideDeviceAuthorization', { body: decision });
  };
  const [private_team, foreign] = [own.slug ?? '', (await world.team()).slug];
  const refused = await answer(private_team);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    404,
    expect.stringContaining(`You don't belong to a team “${private_team}”`),
  ]);
  expect((await answer(foreign)).status).toBe(404);
  expect((await answer(team.slug)).status).toBe(200);
});

it("neither shows nor dismisses announcements for a user's other teams", async () => {
  const team = await world.team({ default_role: 'member' });
  const email = `reader@${team.domain}`;
  const claims = { sub: 'reader', email, email_verified: true };
  const own = await world.server.register(email);
  expect((await confirmLink(own, await team.signIn(claims))).status).toBe(200);
  for (const slug of [own.slug ?? '', team.slug]) {
    const body = {
      title: `For ${slug}`,
      text: 'Tonight.',
      audience: 'workspaces' as const,
      workspaces: [slug],
    };
    const { id } = (await admin.call('createAdminAnnouncement', { body })).body;
    expect((await admin.call('publishAdminAnnouncement', { path: { id } })).status).toBe(200);
  }
  const spy = (await team.signIn(claims)).client!;
  const shown = async (client: TestClient) => (await client.call('listAnnouncements')).body;
  const all = await shown(own);
  expect(all.map(({ title }) => title).toSorted()).toEqual(
    [`For ${own.slug}`, `For ${team.slug}`].toSorted(),
  );
  expect((await shown(spy)).map(({ title }) => title)).toEqual([`For ${team.slug}`]);
  const announcement_id = all.find(({ title }) => title === `For ${own.slug}`)?.id ?? '';
  const dismissed = await spy.call('dismissAnnouncement', { path: { announcement_id } });
  expect(dismissed.status).toBe(404);
  expect(await shown(own)).toHaveLength(2);
});
