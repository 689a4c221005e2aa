import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, ProblemDetail } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/schema';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { bootedCompose, endedOperation, runningCvm } from '../../testing/hostedCvm';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Cancelling an operation at each moment it can be, and being told why where it cannot. */
let server: TestServer;
let fake: FakeVmm;
let person: TestClient;
let colleague: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let count = 0;

const METHODS = ['StartVm', 'StopVm', 'ShutdownVm', 'UpdateVm', 'CreateVm', 'RemoveVm', 'GetInfo', 'Status'];
const compose = (greeting: string) => COMPOSE.replace('GREETING}', `GREETING:-${greeting}}`);

beforeAll(async () => {
  server = await startTestServer();
  fake = await startFakeVmm({ stage_ms: 30 });
  person = await server.register();
  who = await identityOf(server.services.db, person.email!);
  const other = await server.register();
  const { user_id } = await identityOf(server.services.db, other.email!);
  await server.services.db
    .insertInto('memberships')
    .values({ team_id: who.team_id, user_id, role: 'member', is_default: false })
    .execute();
  colleague = other.with({ 'x-workspace': person.slug! });
  stranger = await server.register();
  host = await insertHost(server.services.db, { name: 'cancelling', url: fake.url });
});
afterEach(() => {
  for (const method of METHODS) fake.on(`/prpc/${method}`, () => 'pass');
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const running = () => runningCvm(server.services, { host, ...who, name: `cancelling-${++count}` });
const ended = (cvm: CvmRow) => endedOperation(server.services.db, cvm);
const now = (cvm: CvmRow) =>
  server.services.db.selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();
const detailOf = (answer: { body: unknown }) => (answer.body as Problem).detail as ProblemDetail;
const at = (cvm: CvmRow) => ({ cvm_id: cvm.public_id });

async function update(cvm: CvmRow, greeting: string, more: Record<string, unknown> = {}) {
  const answer = await person.call('patchCvm', {
    path: at(cvm),
    body: { docker_compose_file: compose(greeting), ...more },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return (answer.body as { correlation_id: string }).correlation_id;
}

describe('cancelling', () => {
  it('an update before the old revision is stopped leaves it untouched', async () => {
    const { app, cvm } = await running();
    let held = true;
    fake.on('/prpc/UpdateVm', (_request, response) => {
      if (!held) return 'pass';
      held = false;
      setTimeout(() => response.writeHead(503).end(), 1_000);
      return undefined;
    });
    const before = fake.requests.length;
    const correlation_id = await update(cvm, 'cancelled early');
    await eventually('the host is asked', async () => !held);
    const answer = await colleague.call('cancelOperation', { path: { correlation_id } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(await ended(cvm)).toMatchObject({ type: 'update', state: 'cancelled' });
    expect(await now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(fake.requests.slice(before).filter((path) => /StopVm|ShutdownVm|StartVm/.test(path))).toEqual([]);
    const vm = await server.services.vmm.get(host.teepod).getInfo(cvm.host_vm_id!);
    expect(vm?.configuration?.compose_file).toBe(app.revision.app_compose);
    const { body } = await person.call('getOperation', { path: { correlation_id } });
    expect(body).toMatchObject({ state: 'cancelled', error: null, cancellable: false });
    expect(body.cancelled_by?.username).toBe(colleague.email!.split('@')[0]);
    const { data } = (
      await person.call('listEvents', { query: { operation: correlation_id, kind: 'update' } })
    ).body;
    expect(data[0]).toMatchObject({
      kind: 'update.cancelled',
      message: `Update cancelled by ${colleague.email!.split('@')[0]}`,
    });
    const { revisions } = (await person.call('listAppRevisions', { path: { app_id: app.app.app_id } })).body;
    expect(revisions.map(({ state }) => state)).toEqual(['draft', 'live']);
  }, 60_000);

  it('an update that waits for its boot goes back to the revision before', async () => {
    const { app, cvm } = await running();
    const slow = fake;
    let frozen: string | null = null;
    slow.on('/prpc/StartVm', (_request, response, body) => {
      if (frozen !== null) return 'pass';
      frozen = String(body.id);
      response.writeHead(200, { 'content-type': 'application/json' }).end('null');
      return undefined;
    });
    slow.on('/prpc/GetInfo', () => 'pass');
    // The host says it started, and then the VM is only ever "running" without progress.
    slow.on('/prpc/GetInfo', (_request, response, body) => {
      if (frozen !== body.id) return 'pass';
      const info = {
        id: frozen,
        name: 'x',
        status: 'running',
        uptime: '1s',
        app_url: null,
        app_id: app.app.app_id,
        instance_id: null,
        configuration: null,
        exited_at: null,
        boot_progress: 'booting',
        boot_error: '',
        shutdown_progress: '',
        image_version: '0.6.0',
        events: [],
        interfaces: [],
      };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ found: true, info }));
      return undefined;
    });
    const correlation_id = await update(cvm, 'never up');
    await eventually('it boots', async () => {
      const { body } = await person.call('getOperation', { path: { correlation_id } });
      return body.steps.some(({ name, state }) => name === 'boot' && state === 'running') && body.cancellable;
    });
    expect((await person.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(202);
    slow.on('/prpc/GetInfo', () => 'pass');
    expect(await ended(cvm)).toMatchObject({ state: 'cancelled' });
    expect(await now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
    expect(await bootedCompose(server.services, host.teepod, cvm)).toBe(app.revision.app_compose);
  }, 60_000);

  it('a start stops again; what cannot be taken back says why', async () => {
    const { cvm } = await running();
    fake.on('/prpc/StopVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    const stop = (await person.call('stopCvm', { path: at(cvm) })).body as { correlation_id: string };
    await eventually('it is being stopped', async () => {
      const { body } = await person.call('getOperation', { path: { correlation_id: stop.correlation_id } });
      return body.steps.length > 0 && !body.cancellable && body.not_cancellable_reason !== null;
    });
    const refused = await person.call('cancelOperation', { path: { correlation_id: stop.correlation_id } });
    expect(refused.status).toBe(409);
    expect(detailOf(refused).message).toContain('cannot be taken back');
    fake.on('/prpc/StopVm', () => 'pass');
    await ended(cvm);
    const over = await person.call('cancelOperation', { path: { correlation_id: stop.correlation_id } });
    expect(over.status).toBe(409);
    expect(detailOf(over).message).toContain('ended already: succeeded');
    expect((await person.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(409);

    fake.on('/prpc/StartVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    const start = (await person.call('startCvm', { path: at(cvm) })).body as { correlation_id: string };
    await eventually('it starts', async () => {
      const { body } = await person.call('getOperation', { path: { correlation_id: start.correlation_id } });
      return body.steps.some(({ name }) => name === 'start');
    });
    expect(
      (await person.call('cancelOperation', { path: { correlation_id: start.correlation_id } })).status,
    ).toBe(202);
    const twice = await person.call('cancelOperation', { path: { correlation_id: start.correlation_id } });
    expect(twice.status).toBe(202);
    expect(await ended(cvm)).toMatchObject({ type: 'start', state: 'cancelled' });
    expect(await now(cvm)).toMatchObject({ status: 'stopped', desired: 'stopped' });
  }, 60_000);

  it('a resize starts again at the old size while the new one is not written, and gives the capacity back', async () => {
    const { cvm } = await running();
    fake.on('/prpc/ShutdownVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 500);
      return undefined;
    });
    await person.call('updateCvmResources', { path: at(cvm), body: { vcpu: 4 } });
    await eventually('it is being stopped', async () => {
      const { data } = (await person.call('listCvmOperations', { path: at(cvm) })).body;
      return data[0]?.steps.length;
    });
    expect((await person.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(202);
    expect(await ended(cvm)).toMatchObject({ type: 'resize', state: 'cancelled' });
    expect(await now(cvm)).toMatchObject({ status: 'running', vcpu: 1 });
    const held = await server.services.db
      .selectFrom('reservations')
      .select('vcpu')
      .where('cvm_id', '=', cvm.id)
      .executeTakeFirstOrThrow();
    expect(held.vcpu).toBe(1);
  }, 60_000);

  it('a deployment deletes what was made of it', async () => {
    const { cvm: source } = await running();
    await server.services.db
      .insertInto('teepod_os_images')
      .columns(['teepod_id', 'os_image_id'])
      .expression((eb) =>
        eb
          .selectFrom('os_images')
          .select((e) => [e.val(host.teepod.id).as('teepod_id'), 'id as os_image_id'])
          .where('name', '=', source.os_image),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    fake.on('/prpc/CreateVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 1_000);
      return undefined;
    });
    const made = await person.call('createCvmReplica', { path: at(source), body: {} });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { correlation_id, vm_uuid } = made.body as { correlation_id: string; vm_uuid: string };
    const answer = await person.call('cancelOperation', { path: { correlation_id } });
    expect(answer.body).toMatchObject({ type: 'deploy', state: 'cancelled' });
    fake.on('/prpc/CreateVm', () => 'pass');
    const cvm = await eventually('it is deleted', async () => {
      const row = await server.services.db
        .selectFrom('cvms')
        .selectAll()
        .where('vm_uuid', '=', vm_uuid)
        .executeTakeFirstOrThrow();
      return row.deleted_at ? row : null;
    });
    const held = await server.services.db
      .selectFrom('reservations')
      .select('id')
      .where('cvm_id', '=', cvm.id)
      .execute();
    expect(held).toEqual([]);
    expect((await person.call('getCvm', { path: at(source) })).body.status).toBe('running');
  }, 60_000);

  it('is not another team’s to ask for', async () => {
    const { cvm } = await running();
    const correlation_id = await update(cvm, 'not yours');
    expect((await stranger.call('cancelOperation', { path: { correlation_id } })).status).toBe(404);
    expect((await stranger.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(404);
    expect((await person.call('cancelOperation', { path: { correlation_id: 'no-uuid' } })).status).toBe(404);
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
  });
});
