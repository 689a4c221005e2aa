import { afterAll, beforeAll, expect, it } from 'vitest';
import { entraUser, scimClientWith } from '../../../http/scim/testing/client';
import { startOidcProvider } from '../../../testing/oidcProvider';
import { startSsoWorld, type SsoTeam, type SsoWorld } from '../sso/testing/world';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

const create = async ({ owner, slug }: SsoTeam) => {
  const { status, body } = await owner.call('createScimToken', { path: { slug } });
  expect(status).toBe(201);
  return { ...body, scim: scimClientWith(world, `Bearer ${body.token}`) };
};
const settings = async ({ owner, slug }: SsoTeam) => (await owner.call('getScim', { path: { slug } })).body;

it('is shown once, and only its hash is stored', async () => {
  const team = await world.team();
  expect(await settings(team)).toEqual({ base_url: `${world.server.url}/scim/v2`, token: null });
  const { token, scim } = await create(team);
  expect(token).toMatch(/^thk_scim_[0-9A-Za-z]{38}$/);
  const before = await settings(team);
  expect(before.token).toMatchObject({ last_used_at: null, hint: expect.stringContaining(token.slice(-4)) });
  expect((await scim('GET', '/Users')).status).toBe(200);
  expect((await settings(team)).token?.last_used_at).not.toBeNull();
  const { db } = world.server.services;
  const stored = JSON.stringify([
    await db.selectFrom('scim_tokens').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
    await settings(team),
  ]);
  expect(stored).not.toContain(token);
});

it('stops working once it is replaced or revoked, while members stay', async () => {
  const team = await world.team();
  const first = await create(team);
  const email = `ada@${team.domain}`;
  expect((await first.scim('POST', '/Users', entraUser(email))).status).toBe(201);
  const second = await create(team);
  expect((await first.scim('GET', '/Users')).status).toBe(401);
  expect((await second.scim('GET', '/Users')).body).toMatchObject({ totalResults: 1 });
  const path = { slug: team.slug };
  expect((await team.owner.call('deleteScimToken', { path })).status).toBe(204);
  expect((await team.owner.call('deleteScimToken', { path })).status).toBe(204);
  expect((await second.scim('GET', '/Users')).status).toBe(401);
  expect((await settings(team)).token).toBeNull();
  expect(await team.role(email)).toBe('viewer');
});

it('ends with its issuer or connection', async () => {
  const team = await world.team();
  const { scim } = await create(team);
  const other = await startOidcProvider({ redirect_uris: ['http://localhost/x'] });
  try {
    expect((await team.put({ issuer: other.issuer })).status).toBe(200);
    expect((await scim('GET', '/Users')).status).toBe(401);
    const { body } = await team.owner.call('listAuditEntries', { path: { slug: team.slug } });
    expect(JSON.stringify(body)).toContain('scim.token_revoke');
  } finally {
    await other.close();
  }
  const next = await world.team();
  const removed = await create(next);
  await next.owner.call('deleteSso', { path: { slug: next.slug } });
  expect((await removed.scim('GET', '/Users')).status).toBe(401);
});

it('needs single sign-on with a verified domain', async () => {
  const team = await world.team({ verify: false });
  expect((await team.owner.call('createScimToken', { path: { slug: team.slug } })).body).toMatchObject({
    code: 'ERR-00-041',
  });
  const unconfirmed = await world.team();
  await world.server.services.db
    .updateTable('users')
    .set({ email_verified_at: null })
    .where('email', '=', unconfirmed.owner.email ?? '')
    .execute();
  const { body } = await unconfirmed.owner.call('createScimToken', { path: { slug: unconfirmed.slug } });
  expect(body).toMatchObject({ code: 'ERR-00-034' });
  const plain = await world.server.register();
  const path = { slug: plain.slug ?? '' };
  expect((await plain.call('createScimToken', { path })).status).toBe(404);
  expect((await plain.call('deleteScimToken', { path })).status).toBe(404);
  expect((await plain.call('getScim', { path })).body.token).toBeNull();
});

it('is not accessible to members, other teams and anonymous callers', async () => {
  const team = await world.team({ default_role: 'member' });
  const { scim } = await create(team);
  const member = await team.signIn({ sub: 'plain', email: `plain@${team.domain}`, email_verified: true });
  const stranger = await world.server.register();
  const path = { slug: team.slug };
  for (const id of ['getScim', 'createScimToken', 'deleteScimToken'] as const) {
    expect((await member.client!.call(id, { path })).status).toBe(403);
    expect((await stranger.call(id, { path })).status).toBe(404);
    expect((await world.server.anonymous.call(id, { path })).status).toBe(401);
  }
  expect((await scim('GET', '/Users')).status).toBe(200);
});
