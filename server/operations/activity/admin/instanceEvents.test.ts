import { afterAll, beforeAll, expect, it } from 'vitest';
import { addEvents } from '../../../db/activity/operations';
import { identityOf, insertApp, insertCvm, insertHost, insertOperation } from '../../../testing/cvmFixtures';
import type { TestClient, TestServer } from '../../../testing/server';
import { startAdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let cvm: Awaited<ReturnType<typeof insertCvm>>;
let correlation_id: string;

beforeAll(async () => {
  const test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ server, admin } = test);
  const { db } = server.services;
  const who = await identityOf(db, test.member.email ?? '');
  const host = await insertHost(db);
  const app = await insertApp(db, { ...who, host, name: 'web' });
  cvm = await insertCvm(db, { ...app, host, ...who });
  const operation = await insertOperation(db, cvm, { type: 'deploy', state: 'succeeded' });
  ({ correlation_id } = operation);
  await addEvents(db, [
    { cvm, operation, kind: 'deploy.requested', message: 'Deployment requested' },
    { cvm, operation, kind: 'host.boot.progress', message: 'Boot: pulling images' },
    { cvm, operation, kind: 'boot.progress', message: 'Boot: starting containers' },
    { cvm, operation, kind: 'deploy.succeeded', message: 'Deployed' },
    // A reboot that nobody requested has no event.
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

it('lists a finished operation as one row, and one in progress by its request', async () => {
  expect(await list()).toEqual(['Deployed', 'Boot: rebooted']);
  const { db } = server.services;
  const operation = await insertOperation(db, cvm, { type: 'restart', state: 'running' });
  await addEvents(db, [{ cvm, operation, kind: 'restart.requested', message: 'Restart requested' }]);
  expect(await list()).toEqual(['Deployed', 'Boot: rebooted', 'Restart requested']);
});

it('distinguishes app errors from platform errors', async () => {
  const { db } = server.services;
  const failed = async (reason: string) => {
    const operation = await insertOperation(db, cvm, { type: 'restart', state: 'failed' });
    await db
      .updateTable('operations')
      .set({ error_keys: JSON.stringify([{ id: reason }]) })
      .where('id', '=', operation.id)
      .execute();
    return operation;
  };
  await addEvents(db, [
    {
      cvm,
      operation: await failed('boot_error'),
      kind: 'restart.failed',
      severity: 'error',
      message: 'Restart failed: no such image',
    },
    {
      cvm,
      operation: await failed('host_refused'),
      kind: 'restart.failed',
      severity: 'error',
      message: 'Restart failed: no more memory',
    },
  ]);
  expect(await list({ severity: 'error', is_app_fault: false })).toEqual(['Restart failed: no more memory']);
  expect(await list({ severity: 'error', is_app_fault: true })).toEqual(['Restart failed: no such image']);
});

it('lists the steps on request', async () => {
  expect(await list({ is_step: true })).toEqual([
    'Deployment requested',
    'Boot: pulling images',
    'Boot: starting containers',
  ]);
  expect(await list({ correlation_id })).toHaveLength(4);
  expect(await list({ kind: 'host.boot.progress' })).toEqual(['Boot: pulling images', 'Boot: rebooted']);
  expect(await list({ q: 'boot' })).toHaveLength(3);
});
