import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminView } from '../../../../generated/api/types.gen';
import type { TestClient, TestServer } from '../../../testing/server';
import { problemOf, startAdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let support: TestClient;

beforeAll(async () => {
  const test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ server, admin } = test);
  support = test.member;
  await server.services.db
    .updateTable('users')
    .set({ platform_role: 'support' })
    .where('email', '=', support.email ?? '')
    .execute();
});
afterAll(() => server?.stop());

const view = { resource: 'nodes', name: 'Offline', query: 'filter={"state":"offline"}', shared: false };
const save = async (client: TestClient, change: Partial<typeof view> = {}) =>
  client.call('createAdminView', { body: { ...view, ...change } });
const names = async (client: TestClient, filter = '{}') =>
  (
    (await client.call('listAdminViews', { query: { filter, sort: '["name","ASC"]' } })).body as AdminView[]
  ).map((one) => one.name);

it('keeps a view private until shared, and editable by its owner only', async () => {
  const saved = await save(support);
  expect(saved.status).toBe(201);
  const { id } = saved.body as AdminView;
  expect(saved.body).toMatchObject({ ...view, mine: true });
  const path = { id };
  expect(await names(admin)).toEqual([]);
  expect((await admin.call('getAdminView', { path })).status).toBe(404);
  expect((await admin.call('deleteAdminView', { path })).status).toBe(404);

  const etag = saved.headers.get('etag') ?? '';
  const shared = await support.call('updateAdminView', {
    path,
    body: { shared: true },
    headers: { 'if-match': etag },
  });
  expect(shared.body).toMatchObject({ shared: true });
  const stale = await support.call('updateAdminView', {
    path,
    body: { name: 'x' },
    headers: { 'if-match': etag },
  });
  expect(stale.status).toBe(412);
  expect(await names(admin, '{"resource":"nodes"}')).toEqual(['Offline']);
  expect(await names(admin, '{"mine":true}')).toEqual([]);
  expect((await admin.call('getAdminView', { path })).body).toMatchObject({ mine: false });
  expect((await admin.call('updateAdminView', { path, body: { name: 'Mine now' } })).status).toBe(403);
  expect((await admin.call('deleteAdminView', { path })).status).toBe(204);
  expect(await names(support)).toEqual([]);
});

it('shares a view only with those who may read its list', async () => {
  const change = {
    resource: 'outbox',
    name: 'To Ada',
    query: 'filter={"to":"ada@example.test"}',
    shared: true,
  };
  const { id } = (await save(admin, change)).body as AdminView;
  expect(await names(support)).not.toContain('To Ada');
  expect((await support.call('getAdminView', { path: { id } })).status).toBe(404);
  expect((await admin.call('deleteAdminView', { path: { id } })).status).toBe(204);
});

it('requires a unique view name per list and user, and access to the list', async () => {
  expect((await save(support)).status).toBe(201);
  const twice = await save(support, { name: 'offline' });
  expect([twice.status, problemOf(twice.body).detail.details[0]?.field]).toEqual([409, 'name']);
  expect((await save(support, { resource: 'teepods' })).status).toBe(201);
  expect((await save(admin)).status).toBe(201);
  // The outbox is for administrators only.
  expect((await save(support, { resource: 'outbox' })).status).toBe(422);
  expect((await save(support, { resource: 'no-such-list' })).status).toBe(422);
});

it('allows a hundred views per user', async () => {
  const { id: user_id } = await server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', admin.email ?? '')
    .executeTakeFirstOrThrow();
  await server.services.db
    .insertInto('admin_views')
    .values(Array.from({ length: 99 }, (_, n) => ({ ...view, user_id, name: `view ${n}` })))
    .execute();
  expect((await save(admin, { name: 'one more' })).status).toBe(409);
});
