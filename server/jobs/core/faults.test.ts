import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import {
  COMPOSE,
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  type TestHost,
} from '../../testing/cvmFixtures';
import { endedOperation, runningCvm } from '../../testing/hostedCvm';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/**
 * Hosts that lose responses, refuse or are unreachable, and a lost database connection: every operation still
 * ends correctly.
 */
let server: TestServer;
let fake: FakeVmm;
let person: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
  fake = await startFakeVmm({ stage_ms: 30, images: ['dstack-0.6.0', 'dstack-0.7.0'] });
  person = await server.register();
  who = await identityOf(server.services.db, person.email!);
  host = await insertHost(server.services.db, { name: 'faulty', url: fake.url });
});
afterEach(() => {
  for (const method of ['StartVm', 'StopVm', 'UpdateVm', 'CreateVm', 'RemoveVm', 'Status'])
    fake.on(`/prpc/${method}`, () => 'pass');
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const running = () => runningCvm(server.services, { host, ...who, name: `fault-${++count}` });
const ended = (cvm: CvmRow) => endedOperation(server.services.db, cvm);

const now = (cvm: CvmRow) =>
  server.services.db.selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();

describe('a host that loses responses', () => {
  it.each(['stopCvm', 'restartCvm', 'deleteCvm'] as const)('%s still succeeds', async (operation) => {
    const { cvm } = await running();
    const lost = new Set<string>();
    for (const method of ['StopVm', 'StartVm', 'RemoveVm', 'UpdateVm', 'ShutdownVm'])
      fake.on(`/prpc/${method}`, (request) => {
        if (lost.has(method)) return 'pass';
        lost.add(method);
        request.socket.destroy();
        return undefined;
      });
    const body = operation === 'restartCvm' ? { force: true } : undefined;
    await person.call(operation, { path: { cvm_id: cvm.public_id }, body });
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
    expect(lost.size).toBeGreaterThan(0);
  });
});

describe('a deletion the host refuses', () => {
  it('is retried automatically until the CVM is gone', async () => {
    const { cvm } = await running();
    fake.on('/prpc/RemoveVm', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"disk is busy"}');
    });
    const gone = { path: { cvm_id: cvm.public_id }, query: { permanently: true } };
    expect((await person.call('deleteCvm', gone)).status).toBe(204);
    expect(await ended(cvm)).toMatchObject({ type: 'delete', state: 'failed' });
    fake.on('/prpc/RemoveVm', () => 'pass');
    await eventually('the retry deletes it', async () => (await now(cvm)).status === 'deleted');
  });
});

describe('a host whose credential cannot be decrypted', () => {
  it('fails the operation with a reason instead of retrying forever', async () => {
    const { db } = server.services;
    const broken = await insertHost(db, { name: 'locked', url: fake.url });
    await db
      .updateTable('teepods')
      .set({ credential_kind: 'bearer', sealed_credential: 'v1.garbage' })
      .where('id', '=', broken.teepod.id)
      .execute();
    const app = await insertApp(db, { ...who, host: broken, name: 'locked-out' });
    const cvm = await insertCvm(db, { ...app, host: broken, ...who });
    await person.call('stopCvm', { path: { cvm_id: cvm.public_id } });
    // Moves it past its deadline, which ends it in any case.
    await db
      .updateTable('operations')
      .set({ deadline_at: new Date() })
      .where('cvm_id', '=', cvm.id)
      .execute();
    expect(await ended(cvm)).toMatchObject({ state: 'failed' });
    // Other hosts are still reconciled.
    const { cvm: healthy } = await running();
    await eventually('the reconciler sees the others', async () => {
      await server.services.vmm.get(host.teepod).stopVm(healthy.host_vm_id!);
      const { rows } =
        await sql`select 1 from operations where cvm_id = ${healthy.id} and requested_by is null`.execute(db);
      return rows.length > 0;
    });
  });
});

describe('an update', () => {
  const compose = COMPOSE.replace('GREETING}', 'GREETING:-hello}');

  it('leaves the current revision running when the host refuses', async () => {
    const { cvm } = await running();
    fake.on('/prpc/UpdateVm', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no room for this"}');
    });
    const before = fake.requests.length;
    const answer = await person.call('updateDockerCompose', {
      path: { cvm_id: cvm.public_id },
      body: compose,
    });
    expect(answer.status).toBe(202);
    expect(await ended(cvm)).toMatchObject({
      state: 'failed',
      error_message: expect.stringContaining('no room'),
    });
    expect(await now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(fake.requests.slice(before).filter((path) => /StopVm|ShutdownVm|StartVm/.test(path))).toEqual([]);
  });

  it('also restores the image when the new one does not boot', async () => {
    const { db } = server.services;
    const { cvm } = await running();
    const image = await db
      .insertInto('os_images')
      .values({ name: 'dstack-0.7.0', slug: 'dstack-0.7.0-00000000', version: '0.7.0', os_image_hash: null })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ version: '0.7.0' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('teepod_os_images')
      .values({ teepod_id: host.teepod.id, os_image_id: image.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    let refused = false;
    fake.on('/prpc/StartVm', (_request, response) => {
      if (refused) return 'pass';
      refused = true;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"kernel panic"}');
      return undefined;
    });
    const answer = await person.call('patchCvm', {
      path: { cvm_id: cvm.public_id },
      body: { image: 'dstack-0.7.0' },
    });
    expect([answer.status, answer.body]).toMatchObject([202, {}]);
    expect(await ended(cvm)).toMatchObject({ state: 'failed' });
    expect(await now(cvm)).toMatchObject({ status: 'running', os_image: 'dstack-0.6.0' });
    const info = await server.services.vmm.get(host.teepod).getInfo(cvm.host_vm_id!);
    expect(info?.configuration).toMatchObject({ image: 'dstack-0.6.0' });
  });

  it('leaves a stopped CVM stopped when the host refuses', async () => {
    const { cvm } = await running();
    await person.call('stopCvm', { path: { cvm_id: cvm.public_id } });
    await ended(cvm);
    fake.on('/prpc/UpdateVm', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no room for this"}');
    });
    await person.call('updateDockerCompose', { path: { cvm_id: cvm.public_id }, body: compose });
    expect(await ended(cvm)).toMatchObject({ type: 'update', state: 'failed' });
    expect(await now(cvm)).toMatchObject({ status: 'stopped', revision_id: cvm.revision_id });
  });

  it('numbers an app’s revisions in order when two CVMs update concurrently', async () => {
    const { db } = server.services;
    const { app, cvm } = await running();
    const more = await Promise.all(
      Array.from({ length: 5 }, () =>
        insertCvm(db, {
          ...app,
          host,
          ...who,
          change: { status: 'stopped', desired: 'stopped', host_vm_id: null },
        }),
      ),
    );
    const answers = await Promise.all(
      [cvm, ...more].map((one, i) =>
        person.call('updateDockerCompose', {
          path: { cvm_id: one.public_id },
          body: compose.replace('hello', `hello ${i}`),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
  });
});

describe('a database that drops every connection', () => {
  it('fails no operation', async () => {
    const made = await Promise.all([running(), running(), running()]);
    for (const { cvm } of made)
      await person.call('restartCvm', { path: { cvm_id: cvm.public_id }, body: { force: true } });
    for (let i = 0; i < 12; i++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
        .execute(server.database.db)
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    // The test's own reads may take connections that were just dropped, too.
    const outcome = (cvm: CvmRow) => vi.waitFor(() => ended(cvm), 60_000);
    for (const { cvm } of made) expect(await outcome(cvm)).toMatchObject({ state: 'succeeded' });
  }, 120_000);
});

describe('a host that hangs', () => {
  it('does not delay other hosts', async () => {
    const { db } = server.services;
    const stuck = await startFakeVmm();
    for (const path of ['/prpc/Status', '/prpc/GetInfo']) stuck.on(path, () => undefined);
    const hung = await insertHost(db, { name: 'hung', url: stuck.url });
    const app = await insertApp(db, { ...who, host: hung, name: 'hung' });
    for (let i = 0; i < 100; i++) {
      const cvm = await insertCvm(db, { ...app, host: hung, ...who, change: { status: 'stopping' } });
      await insertOperation(db, cvm, { type: 'stop', state: 'queued' });
    }
    await sql`update operations set lease_owner = null, lease_until = null, steps = '[]', created_at = now() - interval '1 minute'
      where state = 'queued' and lease_owner = 'test'`.execute(db);
    await eventually('the hung host is being processed', async () => stuck.requests.length > 10);
    const { cvm } = await running();
    await person.call('stopCvm', { path: { cvm_id: cvm.public_id } });
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
    // It didn't wait its turn: most operations of the hung host haven't ended.
    const { waiting } = await db
      .selectFrom('operations')
      .innerJoin('cvms', 'cvms.id', 'operations.cvm_id')
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .where('cvms.teepod_id', '=', hung.teepod.id)
      .where('operations.state', 'in', ['queued', 'running'])
      .executeTakeFirstOrThrow();
    expect(Number(waiting)).toBeGreaterThan(50);
    await sql`update operations set state = 'cancelled', lease_owner = null where state in ('queued', 'running')`.execute(
      db,
    );
    await stuck.close();
  });
});
