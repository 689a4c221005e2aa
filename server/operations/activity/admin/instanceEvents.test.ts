import { afterAll, beforeAll, expect, it } from 'vitest';
import { addEvents } from '../../../db/activity/operations';
import { identityOf, insertApp, insertCvm, insertHost, insertOperation } from '../../../testing/cvmFixtures';
import type { TestClient, TestServer } from '../../../testing/server';
import { startAdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let correlation_id: string;

beforeAll(async () => {
  const test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ server, admin } = test);
  const { db } = server.services;
  const who = await identityOf(db, test.member.email ?? '');
  const host = await insertHost(db);
  const app = await insertApp(db, { ...who, host, name: 'web' });
  const cvm = await insertCvm(db, { ...app, host, ...who });
  const operation = await insertOperation(db, cvm, { type: 'deploy', state: 'succeeded' });
  ({ correlation_id } = operation);
  await addEvents(db, [
    { cvm, operation, kind: 'deploy.requested', message: 'Deployment requested' },
    { cvm, operation, kind: 'host.boot.progress', message: 'Boot: pulling images' },
    { cvm, operation, kind: 'boot.progress', message: 'Boot: starting containers' },
    { cvm, operation, kind: 'deploy.succeeded', message: 'Deployed' },
    // A reboot that nobody asked for has no event of its own.
    { cvm, kind: 'host.boot.progress', message: 'Boot: rebooted' },
  ]);
});
afterAll(() => server?.stop());

const list = async (filter: Record<string, unknown> = {}) => {
  const { status, body } = await admin.call('listAdminInstanceEvents', {
    query: { filter: JSON.stringify(filter), sort: '["id","ASC"]' },
  });
  expect(status).toBe(200);
  return (body as { message: string }[]).map(({ message }) => message);
};

it('lists an operation without its steps', async () => {
  expect(await list()).toEqual(['Deployment requested', 'Deployed', 'Boot: rebooted']);
});

it('lists the steps for who asks for them', async () => {
  expect(await list({ is_step: true })).toEqual(['Boot: pulling images', 'Boot: starting containers']);
  expect(await list({ correlation_id })).toHaveLength(4);
  expect(await list({ kind: 'host.boot.progress' })).toEqual(['Boot: pulling images', 'Boot: rebooted']);
  expect(await list({ q: 'boot' })).toHaveLength(3);
});
