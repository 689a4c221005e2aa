import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newToken, tokenPrefix } from '../domain/teams/token';
import { hasBuild } from './pages/static';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/** Networks in which platform roles are in effect (ADMIN_NETWORKS). A trusted proxy reports the addresses. */

const OFFICE = { 'x-forwarded-for': '198.51.100.7' };
const CAFE = { 'x-forwarded-for': '203.0.113.7' };
const MESSAGE = "Your platform role doesn't apply from your network address.";

let server: TestServer;
let admin: TestClient;
let owner: TestClient;
beforeAll(async () => {
  server = await startTestServer({
    env: { ADMIN_NETWORKS: '198.51.100.0/24, 2001:db8::/32', TRUST_PROXY: '1' },
  });
  admin = await server.register();
  owner = await server.register();
});
afterAll(() => server?.stop());

const refused = { status: 403, body: { code: 'ERR-00-003', message: MESSAGE } };

describe('outside the networks', () => {
  it('staff can’t call the admin area, and get the reason', async () => {
    expect((await admin.with(OFFICE).call('listAdminUsers')).status).toBe(200);
    expect(await admin.with({ 'x-forwarded-for': '2001:db8::7' }).call('listAdminUsers')).toMatchObject({
      status: 200,
    });
    expect(await admin.with(CAFE).call('listAdminUsers')).toMatchObject(refused);
    // An address that the caller prepends isn't the one the proxy saw.
    const forged = { 'x-forwarded-for': '198.51.100.7, 203.0.113.7' };
    expect(await admin.with(forged).call('listAdminUsers')).toMatchObject(refused);
  });

  it('their tokens have no platform role either', async () => {
    const token = newToken('api');
    const { db } = server.services;
    const { id: team_id } = await db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', admin.slug ?? '')
      .executeTakeFirstOrThrow();
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', admin.email ?? '')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('api_tokens')
      .values({
        public_id: 'tok_networks',
        team_id,
        user_id,
        name: 'automation',
        token_hash: hashToken(token),
        token_prefix: tokenPrefix(token),
        scopes: ['admin:*'],
      })
      .execute();
    const client = server.anonymous.with({ 'x-api-key': token });
    expect((await client.with(OFFICE).call('listAdminNodes')).status).toBe(200);
    expect(await client.with(CAFE).call('listAdminNodes')).toMatchObject(refused);
  });

  it('staff can’t act in another team', async () => {
    const slug = owner.slug ?? '';
    const as_staff = { 'x-admin-workspace': slug, 'x-workspace': slug };
    expect((await admin.with({ ...OFFICE, ...as_staff }).call('listCvmsPaginated')).status).toBe(200);
    expect(await admin.with({ ...CAFE, ...as_staff }).call('listCvmsPaginated')).toMatchObject(refused);
  });

  it('viewing as another user ends', async () => {
    const { body } = await admin.with(OFFICE).call('listAdminUsers');
    const { id } = (body as unknown as { id: number; email: string }[]).find(
      ({ email }) => email === owner.email,
    )!;
    const begun = await admin
      .with(OFFICE)
      .call('viewAsAdminUser', { path: { id }, body: { reason: 'Reproduces a report of the owner.' } });
    expect(begun.status, JSON.stringify(begun.body)).toBeLessThan(300);
    const viewer = admin.with({ 'x-workspace': owner.slug ?? '' });
    expect((await viewer.with(OFFICE).call('getSession')).body.user?.username).toBe(
      owner.email?.split('@')[0],
    );
    expect((await viewer.with(CAFE).call('getSession')).body.user).toBeNull();
    expect((await viewer.with(OFFICE).call('endViewAs')).status).toBe(204);
  });

  it('they are ordinary users of their own team', async () => {
    const { body } = await admin.with(CAFE).call('getSession');
    expect(body.user?.username).toBe(admin.email?.split('@')[0]);
    expect((await admin.with(CAFE).call('listCvmsPaginated')).status).toBe(200);
  });

  it.skipIf(!hasBuild())('the admin pages show why they don’t open', async () => {
    const get = (path: string, headers: Record<string, string>) =>
      fetch(`${server.url}${path}`, { headers: { accept: 'text/html', ...headers } });
    const page = await get('/admin/users', CAFE);
    expect([page.status, await page.text()]).toEqual([
      403,
      'The admin area can’t be opened from 203.0.113.7. Connect to a network listed in ADMIN_NETWORKS.\n',
    ]);
    expect((await get('/admin/users', OFFICE)).status).toBe(200);
    expect((await get('/login', CAFE)).status).toBe(200);
  });
});
