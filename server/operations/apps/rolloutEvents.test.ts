import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Rollout } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { endedOperation, runningCvm } from '../../testing/hostedCvm';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** What the history says about CVMs that a rollout updated. */
let server: TestServer;
let fake: FakeVmm;
let member: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
  fake = await startFakeVmm({ stage_ms: 30 });
  member = await server.register();
  who = await identityOf(server.services.db, member.email!);
  host = await insertHost(server.services.db, { name: 'telling', url: fake.url });
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const pathOf = ({ app: { app_id } }: TestApp) => ({ app_id });

async function replicas(number: number): Promise<{ app: TestApp; cvms: CvmRow[] }> {
  const { app, cvm } = await runningCvm(server.services, { host, ...who, name: `telling-${++count}` });
  const cvms = [cvm];
  while (cvms.length < number) cvms.push((await runningCvm(server.services, { host, ...who, of: app })).cvm);
  return { app, cvms };
}

/** Begins a rollout of a changed Compose file, and returns a function that reads it. */
async function begin(app: TestApp, settle_seconds: number): Promise<() => Promise<Rollout>> {
  const docker_compose_file = COMPOSE.replace('GREETING}', 'GREETING:-hello}');
  const answer = await member.call('createRollout', {
    path: pathOf(app),
    body: { docker_compose_file, settle_seconds, health_timeout_seconds: 10 },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const { rollout_id } = answer.body as Rollout;
  return async () => (await member.call('getRollout', { path: { ...pathOf(app), rollout_id } })).body;
}
const ended = (read: () => Promise<Rollout>) =>
  eventually(
    'the rollout has ended',
    async () => {
      const found = await read();
      return ['succeeded', 'failed', 'cancelled'].includes(found.state) ? found : null;
    },
    60,
  );
const messages = async ({ app: { app_id } }: TestApp, kind: string) =>
  (await member.call('listEvents', { query: { app_id, kind, limit: 100 } })).body.data.map(
    ({ message }) => message,
  );

it('doesn’t say that a stopped CVM runs the revision', async () => {
  const { app, cvms } = await replicas(2);
  const stopped = cvms[1]!;
  await member.call('stopCvm', { path: { cvm_id: stopped.public_id } });
  await endedOperation(server.services.db, stopped);
  const done = await ended(await begin(app, 0));
  expect(done.state).toBe('succeeded');
  expect(done.items).toMatchObject([
    { state: 'updated', reason: null, message: null },
    { state: 'updated', reason: 'starts_later', message: expect.stringContaining('when it starts') },
  ]);
  const said = await messages(app, 'rollout');
  expect(said).toContain(`“${stopped.name}” has revision 2 and will run it when it starts`);
  expect(said).toContain('Rollout of revision 2 finished (1 updated, 1 updated but not confirmed healthy)');
}, 90_000);

it('doesn’t say that a CVM stopped before it was confirmed healthy runs the revision', async () => {
  const { app, cvms } = await replicas(1);
  const read = await begin(app, 60);
  await eventually('the update is being watched', async () =>
    (await read()).items[0]?.state === 'checking' ? true : null,
  );
  await member.call('stopCvm', { path: { cvm_id: cvms[0]!.public_id } });
  const done = await ended(read);
  expect(done.state).toBe('succeeded');
  expect(done.items).toMatchObject([{ state: 'updated', reason: 'stopped_before_check' }]);
  const said = await messages(app, 'rollout');
  expect(said).toContain(`“${cvms[0]!.name}” has revision 2 but was stopped before it was confirmed healthy`);
  expect(said).toContain('Rollout of revision 2 finished (1 updated but not confirmed healthy)');
}, 90_000);

it('says that a CVM was rolled back, not updated again', async () => {
  const { app, cvms } = await replicas(2);
  const read = await begin(app, 2);
  await eventually('one CVM is updated', async () => ((await read()).updated > 0 ? true : null));
  await member.call('cancelRollout', {
    path: { ...pathOf(app), rollout_id: (await read()).rollout_id },
    body: { mode: 'revert' },
  });
  expect((await ended(read)).state).toBe('cancelled');
  const said = await messages(app, 'update');
  expect(said.filter((message) => message === 'Rolled back').length).toBeGreaterThan(0);
  expect(said).toContain('Rollback requested');
  const { body } = await member.call('listCvmOperations', { path: { cvm_id: cvms[0]!.public_id } });
  expect(body.data.filter(({ type }) => type === 'update')).toMatchObject([
    { rolls_back: true, revision: { revision_number: 1 }, rolls_back_to: { revision_number: 1 } },
    { rolls_back: false, revision: { revision_number: 2 }, rolls_back_to: null },
  ]);
  const path = { cvm_id: cvms[0]!.public_id };
  expect((await member.call('getCvm', { path })).body.operation).toMatchObject({
    type: 'update',
    rolls_back: true,
  });
  // The rollback as it was while in progress, held by a worker that doesn't work on it.
  const { db } = server.services;
  await db
    .updateTable('operations')
    .set({ state: 'running', lease_owner: 'none', lease_until: new Date(Date.now() + 60_000) })
    .where('correlation_id', '=', body.data[0]!.correlation_id)
    .execute();
  await db.updateTable('cvms').set({ status: 'updating' }).where('id', '=', cvms[0]!.id).execute();
  const refused = await member.call('restartCvm', { path });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining('is busy: a rollback that started'),
  ]);
  const kept = await member.call('cancelCvmOperation', { path });
  expect([kept.status, JSON.stringify(kept.body)]).toEqual([
    409,
    expect.stringContaining('The rollback of “'),
  ]);
}, 90_000);
