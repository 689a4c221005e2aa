import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, ProblemDetail, Rollout } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { bootedCompose, endedOperation, runningCvm } from '../../testing/hostedCvm';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Rolling updates of an app with several CVMs, and the rollback when one of them doesn't become healthy. */
let server: TestServer;
let fake: FakeVmm;
let member: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let count = 0;

const compose = (greeting: string) => COMPOSE.replace('GREETING}', `GREETING:-${greeting}}`);
const quick = { settle_seconds: 0, health_timeout_seconds: 10 };

beforeAll(async () => {
  server = await startTestServer();
  fake = await startFakeVmm({ stage_ms: 30 });
  member = await server.register();
  who = await identityOf(server.services.db, member.email!);
  host = await insertHost(server.services.db, { name: 'rolling', url: fake.url });
  await addImage('dstack-0.6.0');
});
afterEach(() => {
  for (const path of ['/prpc/StartVm', '/prpc/UpdateVm', '/guest/ListContainers', '/guest/Info'])
    fake.on(path, () => 'pass');
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

async function addImage(name: string): Promise<void> {
  const { db } = server.services;
  const image = await db
    .insertInto('os_images')
    .values({ name, slug: `${name}-00000000`, version: name.slice(7), os_image_hash: null })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ version: name.slice(7) }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('teepod_os_images')
    .values({ teepod_id: host.teepod.id, os_image_id: image.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function replicas(number: number): Promise<{ app: TestApp; cvms: CvmRow[] }> {
  const { app, cvm } = await runningCvm(server.services, { host, ...who, name: `rolling-${++count}` });
  const cvms = [cvm];
  while (cvms.length < number) cvms.push((await runningCvm(server.services, { host, ...who, of: app })).cvm);
  return { app, cvms };
}
const now = (cvm: CvmRow) =>
  server.services.db.selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();
const detailOf = (answer: { body: unknown }) => (answer.body as Problem).detail as ProblemDetail;
const path = (app: TestApp, rollout?: string) => ({
  app_id: app.app.app_id,
  ...(rollout === undefined ? {} : { rollout_id: rollout }),
});

async function begin(app: TestApp, body: Record<string, unknown>): Promise<string> {
  const answer = await member.call('createRollout', { path: path(app), body: { ...quick, ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return (answer.body as Rollout).rollout_id;
}
const read = async (app: TestApp, rollout: string) =>
  (await member.call('getRollout', { path: path(app, rollout) })).body;
const ended = (app: TestApp, rollout: string, seconds = 60) =>
  eventually(
    'the rollout has ended',
    async () => {
      const found = await read(app, rollout);
      return ['succeeded', 'failed', 'cancelled'].includes(found.state) ? found : null;
    },
    seconds,
  );
const states = (rollout: Rollout) => rollout.items.map(({ state }) => state);
const kinds = async (app: TestApp) =>
  (
    await member.call('listEvents', { query: { app_id: app.app.app_id, kind: 'rollout', limit: 100 } })
  ).body.data
    .map(({ kind }) => kind)
    .reverse();

/** Returns the VMs the host was asked to start, in order, since `from`. */
const started = (from: number) =>
  fake.requests
    .slice(from)
    .flatMap((url, i) => (url.startsWith('/prpc/StartVm') ? [String(fake.bodies[from + i]?.id)] : []));

describe('a rollout', () => {
  it('updates one CVM at a time and checks the health of each', async () => {
    const { app, cvms } = await replicas(3);
    const from = fake.requests.length;
    const rollout_id = await begin(app, {
      docker_compose_file: compose('rolled'),
      reason: 'Politer',
      settle_seconds: 1,
    });
    const during = await eventually('one CVM is being checked', async () => {
      const found = await read(app, rollout_id);
      return found.items.some(({ state }) => state === 'checking') ? found : null;
    });
    expect(states(during).filter((state) => !['waiting', 'updated'].includes(state))).toHaveLength(1);
    const done = await ended(app, rollout_id);
    expect(done).toMatchObject({
      state: 'succeeded',
      reason: 'Politer',
      total: 3,
      updated: 3,
      error: null,
      cancellable: false,
      revision: { revision_number: 2 },
    });
    expect(states(done)).toEqual(['updated', 'updated', 'updated']);
    expect(done.items[0]?.evidence).toMatchObject({
      matches: true,
      trust: 'simulated',
      detail: expect.stringContaining('simulated'),
    });
    expect(done.items[0]?.containers).toEqual([{ name: 'web', state: 'running', status: 'Up' }]);
    expect(started(from)).toEqual(cvms.map((cvm) => cvm.host_vm_id));
    for (const cvm of cvms) {
      expect(await now(cvm)).toMatchObject({ status: 'running' });
      expect(await bootedCompose(server.services, host.teepod, cvm)).toContain('rolled');
    }
    const { revisions } = (await member.call('listAppRevisions', { path: path(app) })).body;
    expect(revisions.map(({ state, cvm_count }) => [state, cvm_count])).toEqual([
      ['live', 3],
      ['superseded', 0],
    ]);
    expect(revisions[0]?.trace_id).toBe(done.items[0]?.operation_id);
    expect(await kinds(app)).toEqual([
      'rollout.requested',
      'rollout.started',
      'rollout.cvm_updated',
      'rollout.cvm_updated',
      'rollout.cvm_updated',
      'rollout.succeeded',
    ]);
    const list = (await member.call('listRollouts', { path: path(app) })).body;
    expect(list.data.map((one) => one.rollout_id)).toEqual([rollout_id]);
    const { body: operation } = await member.call('getOperation', {
      path: { correlation_id: done.items[0]!.operation_id! },
    });
    expect(operation).toMatchObject({ rollout_id, reason: 'Politer', revision: { revision_number: 2 } });
    const { db } = server.services;
    const row = await db
      .selectFrom('rollouts')
      .select('payload')
      .where('public_id', '=', rollout_id)
      .executeTakeFirstOrThrow();
    expect(row.payload).toEqual({});
  });

  it('stops at the first unhealthy CVM and reverts the updated ones', async () => {
    const { app, cvms } = await replicas(3);
    const [first, second, third] = cvms as [CvmRow, CvmRow, CvmRow];
    const { db } = server.services;
    const sealed = 'cd'.repeat(80);
    await db.updateTable('cvms').set({ encrypted_env: sealed }).where('app_id', '=', app.app.id).execute();
    let unhealthy = true;
    fake.on('/guest/ListContainers', (_request, response, body) => {
      if (body.id !== second.host_vm_id || !unhealthy) return 'pass';
      const containers = [
        { id: 'c', names: ['/web'], image: 'x', created: 1, state: 'restarting', status: 'Restarting (1)' },
      ];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ containers }));
      return undefined;
    });
    const rollout_id = await begin(app, {
      docker_compose_file: compose('ill'),
      encrypted_env: 'ef'.repeat(80),
    });
    await eventually(
      'the rollout is reverting',
      async () => (await read(app, rollout_id)).state === 'reverting',
    );
    unhealthy = false;
    const done = await ended(app, rollout_id);
    expect(done).toMatchObject({ state: 'failed', updated: 0 });
    expect(done.error?.message).toMatch(new RegExp(`${second.name}.*web is restarting`));
    expect(states(done)).toEqual(['reverted', 'reverted', 'skipped']);
    expect(done.items.map(({ reason }) => reason)).toEqual([null, 'not_healthy', 'rollout_failed']);
    for (const cvm of [first, second, third]) {
      expect(await now(cvm)).toMatchObject({
        status: 'running',
        revision_id: cvm.revision_id,
        encrypted_env: sealed,
      });
      expect(await bootedCompose(server.services, host.teepod, cvm)).toBe(app.revision.app_compose);
    }
    const { revisions } = (await member.call('listAppRevisions', { path: path(app) })).body;
    expect(revisions.map(({ state }) => state)).toEqual(['superseded', 'live']);
    expect((await kinds(app)).at(-1)).toBe('rollout.failed');
    const { rows } = await server.services.db
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', rollout_id)
      .orderBy('id')
      .execute()
      .then((found) => ({ rows: found.map(({ action }) => action) }));
    expect(rows).toEqual(['rollout.create', 'rollout.failed']);
  }, 120_000);

  it('reverts the first CVM when the second fails to boot', async () => {
    const { app, cvms } = await replicas(2);
    fake.on('/prpc/StartVm', (_request, response, body) => {
      if (body.id !== cvms[1]!.host_vm_id) return 'pass';
      fake.on('/prpc/StartVm', () => 'pass');
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"kernel panic"}');
      return undefined;
    });
    const rollout_id = await begin(app, { docker_compose_file: compose('panics') });
    const done = await ended(app, rollout_id);
    expect(done.state).toBe('failed');
    expect(done.error).toMatchObject({ message: expect.stringContaining('kernel panic') });
    const reason = 'update_failed';
    expect(done.items).toMatchObject([{ state: 'reverted' }, { state: 'failed', reason }]);
    for (const cvm of cvms)
      expect(await now(cvm)).toMatchObject({ status: 'running', revision_id: cvm.revision_id });
  });

  it('reverts when the guest reports an unexpected compose hash', async () => {
    const { app, cvms } = await replicas(1);
    fake.on('/guest/Info', (_request, response) => {
      const tcb_info = JSON.stringify({ compose_hash: 'f'.repeat(64), app_compose: '{}' });
      const info = { version: '', app_id: '', instance_id: '', app_cert: '', tcb_info, device_id: '' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
    });
    const rollout_id = await begin(app, { docker_compose_file: compose('other') });
    await eventually(
      'the rollout is reverting',
      async () => (await read(app, rollout_id)).state === 'reverting',
      40,
    );
    fake.on('/guest/Info', () => 'pass');
    const done = await ended(app, rollout_id);
    expect(done.error?.message).toContain('instead of');
    expect(await now(cvms[0]!)).toMatchObject({ revision_id: cvms[0]!.revision_id });
  });

  it("stops before the next CVM when the event log contradicts the guest's report", async () => {
    const { app, cvms } = await replicas(2);
    const { db } = server.services;
    const other = 'ab'.repeat(32);
    let expected: string | null = null;
    fake.on('/guest/Info', (_request, response) => {
      if (expected === null) return 'pass';
      const event = (name: string, event_payload: string) => ({
        imr: 3,
        event_type: 0x08000001,
        digest: '',
        event: name,
        event_payload,
      });
      const event_log = [
        event('app-id', app.app.app_id),
        event('compose-hash', other),
        event('instance-id', ''),
        event('key-provider', '7b7d'),
        event('system-ready', ''),
      ];
      const tcb_info = JSON.stringify({ compose_hash: expected, event_log });
      const info = { version: '', app_id: '', instance_id: '', app_cert: '', tcb_info, device_id: '' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
      return undefined;
    });
    const from = fake.requests.length;
    const rollout_id = await begin(app, { docker_compose_file: compose('forged') });
    expected = (
      await db
        .selectFrom('revisions')
        .innerJoin('rollouts', 'rollouts.revision_id', 'revisions.id')
        .select('compose_hash')
        .where('rollouts.public_id', '=', rollout_id)
        .executeTakeFirstOrThrow()
    ).compose_hash;
    const reverting = await eventually(
      'the rollout is reverting',
      async () => {
        const found = await read(app, rollout_id);
        return found.state === 'reverting' ? found : null;
      },
      60,
    );
    expect(reverting.items[0]?.evidence).toMatchObject({
      compose_hash: other,
      expected,
      matches: false,
      trust: 'simulated',
      checked_at: expect.any(String),
    });
    expected = null;
    const done = await ended(app, rollout_id);
    expect(done.state).toBe('failed');
    expect(done.error?.message).toContain('Evidence check failed. The measured compose hash is');
    expect(states(done)).toEqual(['reverted', 'skipped']);
    expect(new Set(started(from))).toEqual(new Set([cvms[0]!.host_vm_id]));
  }, 120_000);

  it('updates stopped CVMs without starting them, and skips CVMs deleted during the rollout', async () => {
    const { app, cvms } = await replicas(3);
    const [, stopped, gone] = cvms as [CvmRow, CvmRow, CvmRow];
    await member.call('stopCvm', { path: { cvm_id: stopped.public_id } });
    await endedOperation(server.services.db, stopped);
    const rollout_id = await begin(app, { docker_compose_file: compose('stopped'), settle_seconds: 2 });
    expect((await member.call('deleteCvm', { path: { cvm_id: gone.public_id } })).status).toBe(204);
    const done = await ended(app, rollout_id);
    expect(done.state).toBe('succeeded');
    const byId = new Map(done.items.map((item) => [item.cvm.id, item.state]));
    expect(byId.get(stopped.public_id)).toBe('updated');
    expect(byId.get(gone.public_id)).toBe('skipped');
    const row = await now(stopped);
    expect(row.status).toBe('stopped');
    expect(row.revision_id).not.toBe(stopped.revision_id);
  });
});

it('is refused with an OS image for GPUs if any of its CVMs has none', async () => {
  const { db } = server.services;
  const [name, gpu] = ['dstack-nvidia-0.6.0', { requires_gpu: true, version: '0.6.0' }];
  await addImage(name);
  await db.updateTable('os_images').set(gpu).where('name', '=', name).execute();
  const { app, cvms } = await replicas(2);
  // The first represents the app.
  await db.updateTable('cvms').set({ gpus: 1 }).where('id', '=', cvms[0]!.id).execute();
  const answer = await member.call('createRollout', { path: path(app), body: { ...quick, image: name } });
  const message = `The OS image “${name}” is for CVMs with a GPU; “${cvms[1]!.name}” has none.`;
  expect([answer.status, detailOf(answer)]).toMatchObject([400, { message }]);
  await db.updateTable('cvms').set({ gpus: 0 }).where('id', '=', cvms[0]!.id).execute();
});

describe('canceling a rollout', () => {
  async function halfway(mode: 'keep' | 'revert') {
    const { app, cvms } = await replicas(3);
    const rollout_id = await begin(app, { docker_compose_file: compose(mode), settle_seconds: 2 });
    // In between, a canceled rollout rightly leaves the second CVM alone.
    await eventually('one CVM is updated and the next has started', async () => {
      const [first, second] = states(await read(app, rollout_id));
      return first === 'updated' && second !== 'waiting';
    });
    const answer = await member.call('cancelRollout', { path: path(app, rollout_id), body: { mode } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toMatchObject({ cancel: { mode } });
    return { app, cvms, done: await ended(app, rollout_id) };
  }

  it('stops after the current CVM and keeps the updated ones', async () => {
    const { done } = await halfway('keep');
    expect(done).toMatchObject({ state: 'cancelled', error: null });
    expect(states(done)).toEqual(['updated', 'updated', 'skipped']);
  });

  it('reverts the updated CVMs if requested', async () => {
    const { app, cvms, done } = await halfway('revert');
    expect(done).toMatchObject({ state: 'cancelled', error: null, updated: 0 });
    expect(states(done)).toEqual(['reverted', 'reverted', 'skipped']);
    for (const cvm of cvms) expect(await now(cvm)).toMatchObject({ revision_id: cvm.revision_id });
    const again = await member.call('cancelRollout', { path: path(app, done.rollout_id), body: {} });
    expect(again.status).toBe(409);
    expect(detailOf(again).message).toContain('Already ended: cancelled');
  });
});

describe('during a rollout', () => {
  it('rejects other updates, a second rollout, scaling out and canceling a single update', async () => {
    const { app, cvms } = await replicas(2);
    const rollout_id = await begin(app, { docker_compose_file: compose('alone'), settle_seconds: 3 });
    const body = { docker_compose_file: compose('other') };
    const cvm_id = cvms[1]!.public_id;
    const named = [{ field: 'rollout_id', value: rollout_id }];
    for (const [id, request] of [
      ['patchCvm', { path: { cvm_id }, body }],
      ['updateCvmResources', { path: { cvm_id }, body: { vcpu: 2 } }],
      ['createRollout', { path: path(app), body }],
      ['createAppInstance', { path: path(app), body: {} }],
      ['createCvmReplica', { path: { cvm_id }, body: {} }],
    ] as const) {
      const answer = await member.call(id, request);
      expect([id, answer.status]).toEqual([id, 409]);
      expect(detailOf(answer).details, id).toEqual(named);
    }
    const first = await eventually('the first CVM is updating', async () => {
      const { items } = await read(app, rollout_id);
      return items[0]?.operation_id;
    });
    const cancelled = await member.call('cancelOperation', { path: { correlation_id: first } });
    expect(cancelled.status).toBe(409);
    expect((await ended(app, rollout_id)).state).toBe('succeeded');
  });
});
