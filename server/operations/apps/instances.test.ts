import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, ProblemDetail, Rollout } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { bootedCompose, endedOperation, runningCvm } from '../../testing/hostedCvm';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Requesting a rollout or another CVM of an app: what is accepted, and what is refused and why. */
let server: TestServer;
let fake: FakeVmm;
let member: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let count = 0;

const compose = (greeting: string) => COMPOSE.replace('GREETING}', `GREETING:-${greeting}}`);
const quick = { settle_seconds: 0, health_timeout_seconds: 10 };

beforeAll(async () => {
  server = await startTestServer();
  fake = await startFakeVmm({ stage_ms: 30, images: ['dstack-0.6.0', 'dstack-0.6.1'] });
  member = await server.register();
  who = await identityOf(server.services.db, member.email!);
  stranger = await server.register();
  host = await insertHost(server.services.db, { name: 'instances', url: fake.url });
  await addImage('dstack-0.6.0');
  await addImage('dstack-0.6.1');
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
  const { app, cvm } = await runningCvm(server.services, { host, ...who, name: `requesting-${++count}` });
  const cvms = [cvm];
  while (cvms.length < number) cvms.push((await runningCvm(server.services, { host, ...who, of: app })).cvm);
  return { app, cvms };
}
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

describe('requesting a rollout', () => {
  it('is rejected for a busy CVM, a stale base, no changes, an unknown image and other teams', async () => {
    const { app, cvms } = await replicas(2);
    const body = { docker_compose_file: compose('asked') };
    const request = (more: object, client = member, headers = {}) =>
      client.call('createRollout', { path: path(app), body: { ...body, ...quick, ...more }, headers });
    const etag = (await member.call('getCvm', { path: { cvm_id: cvms[1]!.public_id } })).headers.get('etag')!;
    expect((await request({}, stranger)).status).toBe(404);
    const nothing = await member.call('createRollout', { path: path(app), body: { reason: 'none' } });
    expect(nothing.status).toBe(400);
    expect((await request({ image: 'dstack-9.9.9' })).status).toBe(400);
    expect((await request({ docker_compose_file: 'services: [' })).status).toBe(400);
    const base = await request({ base_revision_id: 'rev_other' });
    expect(base.status).toBe(412);
    expect(detailOf(base).details).toEqual([
      {
        field: 'base_revision_id',
        value: { revision_id: app.revision.public_id, revision_number: 1 },
      },
    ]);
    fake.on('/prpc/UpdateVm', (_request, response) => {
      setTimeout(() => response.writeHead(503).end(), 700);
    });
    await member.call('patchCvm', { path: { cvm_id: cvms[0]!.public_id }, body });
    const busy = await request({});
    expect(busy.status).toBe(409);
    expect(detailOf(busy).details?.[0]?.field).toBe('correlation_id');
    fake.on('/prpc/UpdateVm', () => 'pass');
    await endedOperation(server.services.db, cvms[0]!);
    // The untouched CVM runs an older revision, whose parts the rollout would mix with the newest.
    const newest = await member.call('getCvm', { path: { cvm_id: cvms[0]!.public_id } });
    for (const old of [`"c1.${'A'.repeat(78)}.0"`, etag])
      expect((await request({ docker_compose_file: compose('x') }, member, { 'if-match': old })).status).toBe(
        412,
      );
    const current = { 'if-match': newest.headers.get('etag')! };
    const fits = await request({ docker_compose_file: compose('y') }, member, current);
    expect(fits.status, JSON.stringify(fits.body)).toBe(202);
    const { rollout_id } = fits.body as Rollout;
    expect((await stranger.call('getRollout', { path: path(app, rollout_id) })).status).toBe(404);
    expect((await stranger.call('cancelRollout', { path: path(app, rollout_id), body: {} })).status).toBe(
      404,
    );
    expect((await stranger.call('listRollouts', { path: path(app) })).status).toBe(404);
    expect((await member.call('getRollout', { path: path(app, 'rol_unknown') })).status).toBe(404);
    await ended(app, rollout_id);
  });

  it('redeploys an earlier revision on every CVM', async () => {
    const { app, cvms } = await replicas(2);
    await ended(app, await begin(app, { docker_compose_file: compose('newer') }));
    const { db } = server.services;
    const needs = { allowed_envs: [...app.revision.allowed_envs, 'API_KEY'] };
    await db.updateTable('revisions').set(needs).where('id', '=', app.revision.id).execute();
    const back = await member.call('redeployAppRevision', {
      path: { ...path(app), revision_id: app.revision.public_id },
      body: { ...quick, reason: 'It was better' },
    });
    expect(back.status, JSON.stringify(back.body)).toBe(202);
    expect(back.body).toMatchObject({ state: 'queued', missing_envs: ['API_KEY'] });
    const done = await ended(app, (back.body as Rollout).rollout_id);
    expect(done).toMatchObject({ state: 'succeeded', revision: { revision_number: 3 } });
    for (const cvm of cvms) {
      expect(await bootedCompose(server.services, host.teepod, cvm)).toBe(app.revision.app_compose);
      const { body } = await member.call('listCvmOperations', { path: { cvm_id: cvm.public_id } });
      expect(body.data[0]).toMatchObject({ rolls_back: true, rolls_back_to: { revision_number: 1 } });
    }
    const unknown = await member.call('redeployAppRevision', {
      path: { ...path(app), revision_id: 'rev_unknown' },
      body: {},
    });
    expect(unknown.status).toBe(404);
    const theirs = await stranger.call('redeployAppRevision', {
      path: { ...path(app), revision_id: app.revision.public_id },
      body: {},
    });
    expect(theirs.status).toBe(404);
  }, 120_000);
});

describe('an app whose CVMs have different OS images', () => {
  const imagesOf = async (cvms: readonly CvmRow[]) => {
    const rows = await server.services.db
      .selectFrom('cvms')
      .select('os_image')
      .where(
        'id',
        'in',
        cvms.map(({ id }) => id),
      )
      .orderBy('id')
      .execute();
    return rows.map(({ os_image }) => os_image);
  };
  async function changeImage(cvm: CvmRow, os_image_name: string): Promise<void> {
    const { status, body } = await member.call('updateCvmOsImage', {
      path: { cvm_id: cvm.public_id },
      body: { os_image_name },
    });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(await endedOperation(server.services.db, cvm)).toMatchObject({ state: 'succeeded' });
  }

  it('has the requested one on every CVM after a rollout', async () => {
    const { app, cvms } = await replicas(2);
    await changeImage(cvms[0]!, 'dstack-0.6.1');
    expect(await imagesOf(cvms)).toEqual(['dstack-0.6.1', 'dstack-0.6.0']);
    expect((await ended(app, await begin(app, { image: 'dstack-0.6.1' }))).state).toBe('succeeded');
    expect(await imagesOf(cvms)).toEqual(['dstack-0.6.1', 'dstack-0.6.1']);
  }, 120_000);

  it('has that of the revision on every CVM after a redeployment', async () => {
    const { app, cvms } = await replicas(2);
    await changeImage(cvms[1]!, 'dstack-0.6.1');
    await changeImage(cvms[0]!, 'dstack-0.6.1');
    await changeImage(cvms[0]!, 'dstack-0.6.0');
    expect(await imagesOf(cvms)).toEqual(['dstack-0.6.0', 'dstack-0.6.1']);
    const back = await member.call('redeployAppRevision', {
      path: { ...path(app), revision_id: app.revision.public_id },
      body: quick,
    });
    expect(back.status, JSON.stringify(back.body)).toBe(202);
    expect((await ended(app, (back.body as Rollout).rollout_id)).state).toBe('succeeded');
    expect(await imagesOf(cvms)).toEqual(['dstack-0.6.0', 'dstack-0.6.0']);
  }, 120_000);
});

describe('redeploying on some CVMs', () => {
  it('changes only the named ones', async () => {
    const { app, cvms } = await replicas(2);
    const [kept, changed] = cvms as [CvmRow, CvmRow];
    await ended(app, await begin(app, { docker_compose_file: compose('newest') }));
    const redeploy = (vm_uuids: string[]) =>
      member.call('redeployAppRevision', {
        path: { ...path(app), revision_id: app.revision.public_id },
        body: { ...quick, vm_uuids },
      });
    expect(await redeploy([changed.vm_uuid, 'no-such-cvm'])).toMatchObject({
      status: 422,
      body: { details: [{ field: 'vm_uuids', value: 'no-such-cvm' }] },
    });
    expect((await redeploy([])).status).toBe(422);
    const before = await bootedCompose(server.services, host.teepod, kept);
    const back = await redeploy([changed.vm_uuid.replaceAll('-', '')]);
    expect(back.status, JSON.stringify(back.body)).toBe(202);
    const { state, items } = await ended(app, (back.body as Rollout).rollout_id);
    expect([state, items.map(({ cvm }) => cvm.id)]).toEqual(['succeeded', [changed.public_id]]);
    expect(await bootedCompose(server.services, host.teepod, kept)).toBe(before);
    expect(await bootedCompose(server.services, host.teepod, changed)).toBe(app.revision.app_compose);
  }, 120_000);
});

describe('adding a CVM to an app', () => {
  it('gives it the requested name', async () => {
    const { app, cvms } = await replicas(1);
    const add = (name: string | null) =>
      member.call('createAppInstance', { path: path(app), body: { name } });
    expect(await add(cvms[0]!.name)).toMatchObject({ status: 409, body: { error_code: 'ERR-01-004' } });
    expect((await add('no spaces here')).status).toBe(422);
    const name = `canary-${++count}`;
    expect(await add(name)).toMatchObject({ status: 200, body: { name } });
    expect(await add(null)).toMatchObject({ status: 200, body: { name: `${cvms[0]!.name}-2` } });
  });

  it('copies the newest running CVM, or runs another revision', async () => {
    const { app, cvms } = await replicas(1);
    const made = await member.call('createAppInstance', {
      path: path(app),
      body: { node_id: host.teepod.id },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { vm_uuid, app_id } = made.body as { vm_uuid: string; app_id: string };
    expect(app_id).toBe(app.app.app_id);
    const replica = await server.services.db
      .selectFrom('cvms')
      .selectAll()
      .where('vm_uuid', '=', vm_uuid)
      .executeTakeFirstOrThrow();
    expect(await endedOperation(server.services.db, replica)).toMatchObject({ state: 'succeeded' });
    expect(replica).toMatchObject({ revision_id: cvms[0]!.revision_id, vcpu: 1, teepod_id: host.teepod.id });

    const other = await member.call('createAppInstance', {
      path: path(app),
      body: { docker_compose_file: compose('canary') },
    });
    expect(other.status, JSON.stringify(other.body)).toBe(200);
    const canary = await server.services.db
      .selectFrom('cvms')
      .selectAll()
      .where('vm_uuid', '=', (other.body as { vm_uuid: string }).vm_uuid)
      .executeTakeFirstOrThrow();
    expect(await endedOperation(server.services.db, canary)).toMatchObject({ state: 'succeeded' });
    const { revisions } = (await member.call('listAppRevisions', { path: path(app) })).body;
    expect(revisions.map(({ state, cvm_count }) => [state, cvm_count])).toEqual([
      ['live', 1],
      ['live', 2],
    ]);
    const third = await member.call('createAppInstance', {
      path: path(app),
      body: { compose_hash: `0x${app.revision.compose_hash}` },
    });
    expect(third.status).toBe(200);

    for (const [body, status] of [
      [{ compose_hash: 'ab'.repeat(32) }, 400],
      [{ node_id: 2_000_000 }, 400],
    ] as const)
      expect((await member.call('createAppInstance', { path: path(app), body })).status).toBe(status);
    expect((await stranger.call('createAppInstance', { path: path(app), body: {} })).status).toBe(404);
  });

  it('is refused while the OS image is retired', async () => {
    const { app } = await replicas(1);
    const { db } = server.services;
    const setImage = (state: 'active' | 'retired') =>
      db.updateTable('os_images').set({ state }).where('name', '=', 'dstack-0.6.0').execute();
    const add = () => member.call('createAppInstance', { path: path(app), body: {} });
    await setImage('retired');
    const refused = await add();
    await setImage('active');
    expect(refused.status).toBe(400);
    expect(detailOf(refused).message).toBe(
      "The OS image “dstack-0.6.0” is retired, so new CVMs can't use it.",
    );
    expect((await add()).status).toBe(200);
  });

  it('needs an existing CVM to copy', async () => {
    const { app, cvms } = await replicas(1);
    await member.call('deleteCvm', { path: { cvm_id: cvms[0]!.public_id } });
    const { data } = (
      await member.call('listEvents', { query: { app_id: app.app.app_id, kind: 'delete.requested' } })
    ).body;
    expect(data[0]?.message).toContain('last CVM');
    const answer = await member.call('createAppInstance', { path: path(app), body: {} });
    expect(answer.status).toBe(404);
    expect(detailOf(answer).error_code).toBe('ERR-03-008');
    const rollout = await member.call('createRollout', {
      path: path(app),
      body: { docker_compose_file: compose('none') },
    });
    expect(rollout.status).toBe(409);
  });
});
