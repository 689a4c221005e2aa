import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, ProblemDetail } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/schema';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { COMPOSE, identityOf, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { bootedCompose, endedOperation, runningCvm } from '../../testing/hostedCvm';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Two people at one CVM, and the history of an app with the way back in it. */
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
  host = await insertHost(server.services.db, { name: 'changing', url: fake.url });
});
afterEach(() => {
  for (const method of METHODS) fake.on(`/prpc/${method}`, () => 'pass');
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const running = () => runningCvm(server.services, { host, ...who, name: `changing-${++count}` });
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

describe('two people editing', () => {
  it('the second save is refused and told each field that changed, and saves after reading again', async () => {
    const { cvm } = await running();
    const read = await person.call('getCvm', { path: at(cvm) });
    const etag = read.headers.get('etag')!;
    const first = await colleague.call('patchCvm', {
      path: at(cvm),
      body: { docker_compose_file: compose('first'), public_logs: false },
      headers: { 'if-match': etag },
    });
    expect(first.status).toBe(202);
    await ended(cvm);
    const mine = { docker_compose_file: compose('second') };
    const second = await person.call('patchCvm', {
      path: at(cvm),
      body: mine,
      headers: { 'if-match': etag },
    });
    expect(second.status).toBe(412);
    const { message, details } = detailOf(second);
    expect(message).toContain(colleague.email!.split('@')[0]);
    const { revision_id } = (
      await person.call('listAppRevisions', { path: { app_id: String(read.body.app_id) } })
    ).body.revisions[0]!;
    expect(details).toEqual([
      { field: 'docker_compose_file', value: { revision_id, revision_number: 2 } },
      { field: 'public_logs', value: false },
    ]);
    expect(JSON.stringify(second.body)).not.toContain('GREETING:-first');
    const again = (await person.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    expect(again).not.toBe(etag);
    const third = await person.call('patchCvm', {
      path: at(cvm),
      body: mine,
      headers: { 'if-match': again },
    });
    expect(third.status).toBe(202);
    await ended(cvm);
  });

  it('a new status is nobody’s edit, a new size and new secrets are', async () => {
    const { cvm } = await running();
    const etag = (await person.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    await person.call('stopCvm', { path: at(cvm) });
    await ended(cvm);
    const sealed = 'ab'.repeat(80);
    const envs = await person.call('updateCvmEnvs', {
      path: at(cvm),
      body: { encrypted_env: sealed },
      headers: { 'if-match': etag },
    });
    expect(envs.status).toBe(202);
    await ended(cvm);
    await person.call('updateCvmResources', { path: at(cvm), body: { vcpu: 2 } });
    await ended(cvm);
    const stale = await person.call('updateDockerCompose', {
      path: at(cvm),
      body: compose('late'),
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    expect(detailOf(stale).details).toEqual([
      { field: 'encrypted_env', value: 'replaced' },
      { field: 'vcpu', value: 2 },
    ]);
    expect(JSON.stringify(stale.body)).not.toContain(sealed);
    const odd = await person.call('patchCvm', {
      path: at(cvm),
      body: { vcpu: 4 },
      headers: { 'if-match': '"something else"' },
    });
    expect(odd.status).toBe(412);
  });

  it('while the first save is being carried out, the second is told which operation that is', async () => {
    const { cvm } = await running();
    const etag = (await person.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    const correlation_id = await update(cvm, 'running');
    const second = await colleague.call('patchCvm', {
      path: at(cvm),
      body: { docker_compose_file: compose('meanwhile') },
      headers: { 'if-match': etag },
    });
    expect(second.status).toBe(409);
    expect(detailOf(second).details).toEqual([{ field: 'correlation_id', value: correlation_id }]);
    await ended(cvm);
  });
});

describe('the history of an app', () => {
  it('says who and why, shows any revision in full, and leads back', async () => {
    const { app, cvm } = await running();
    const { app_id } = app.app;
    await update(cvm, 'two', { reason: 'Politer' });
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
    const page = (await person.call('listAppRevisions', { path: { app_id } })).body.revisions;
    expect(page.map(({ revision_number, state, cvm_count }) => [revision_number, state, cvm_count])).toEqual([
      [2, 'live', 1],
      [1, 'superseded', 0],
    ]);
    expect(page[0]).toMatchObject({ reason: 'Politer', operation_type: 'update' });
    expect(page[0]?.trace_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(page[0]?.triggered_by?.username).toBe(person.email!.split('@')[0]);
    expect(page[0]?.cvm?.id).toBe(cvm.public_id);
    const [two, one] = page as [(typeof page)[0], (typeof page)[0]];
    const full = (await person.call('getAppRevision', { path: { app_id, revision_id: one!.revision_id } }))
      .body;
    expect(full).toMatchObject({
      app_compose: app.revision.app_compose,
      docker_compose_file: COMPOSE,
      kms: { slug: host.kms.slug },
      encrypted_env: '',
      user_config: '',
    });
    expect(full.images).toMatchObject([{ service: 'web', pinned: `sha256:${'a'.repeat(64)}` }]);
    const raw = await person.call('getAppRevision', {
      path: { app_id, revision_id: one!.revision_id },
      query: { raw_compose_file: true },
    });
    expect(raw.body.compose_file).toBe(app.revision.app_compose);

    const etag = (await person.call('getCvm', { path: at(cvm) })).headers.get('etag')!;
    const back = await person.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: one!.revision_id },
      body: { reason: 'Too polite' },
      headers: { 'if-match': etag },
    });
    expect(back.status, JSON.stringify(back.body)).toBe(202);
    expect(back.body).toMatchObject({
      revision: { revision_number: 3 },
      restores: { revision_id: one!.revision_id, revision_number: 1 },
      missing_envs: [],
    });
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
    expect(await bootedCompose(server.services, host.teepod, cvm)).toBe(app.revision.app_compose);
    const after = (await person.call('listAppRevisions', { path: { app_id } })).body.revisions;
    expect(after.map(({ state }) => state)).toEqual(['live', 'superseded', 'superseded']);
    expect(after[0]).toMatchObject({
      operation_type: 'rollback',
      compose_hash: one!.compose_hash,
      reason: 'Too polite',
      restores: { revision_number: 1 },
    });
    const stale = await person.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: two!.revision_id },
      body: {},
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    const same = await person.call('redeployCvmRevision', {
      path: { ...at(cvm), revision_id: one!.revision_id },
    });
    expect(same.body).toMatchObject({ revision: { revision_number: 3 }, restores: null });
    await ended(cvm);
    for (const [client, path] of [
      [stranger, { ...at(cvm), revision_id: one!.revision_id }],
      [person, { ...at(cvm), revision_id: 'rev_unknown' }],
    ] as const)
      expect((await client.call('redeployCvmRevision', { path, body: {} })).status).toBe(404);
    const theirs = { app_id, revision_id: one!.revision_id };
    expect((await stranger.call('getAppRevision', { path: theirs })).status).toBe(404);
    expect(
      (await person.call('getAppRevision', { path: { app_id, revision_id: 'rev_unknown' } })).status,
    ).toBe(404);
  }, 60_000);

  it('keeps a failed update as a draft, and never lets it look live or superseded', async () => {
    const { app, cvm } = await running();
    let refused = false;
    fake.on('/prpc/StartVm', (_request, response) => {
      if (refused) return 'pass';
      refused = true;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"kernel panic"}');
      return undefined;
    });
    await update(cvm, 'broken');
    expect(await ended(cvm)).toMatchObject({ state: 'failed' });
    await update(cvm, 'sound');
    expect(await ended(cvm)).toMatchObject({ state: 'succeeded' });
    const { revisions } = (await person.call('listAppRevisions', { path: { app_id: app.app.app_id } })).body;
    expect(revisions.map(({ state }) => state)).toEqual(['live', 'draft', 'superseded']);
  }, 60_000);

  it('a start boots what is live, also after a way back that failed too', async () => {
    const { app, cvm } = await running();
    let writes = 0;
    const refuse =
      (what: string): Parameters<FakeVmm['on']>[1] =>
      (_request, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(`{"error":"${what}"}`);
      };
    fake.on('/prpc/StartVm', refuse('kernel panic'));
    fake.on('/prpc/UpdateVm', (...given) => (++writes === 1 ? 'pass' : refuse('disk is full')(...given)));
    await update(cvm, 'stuck');
    expect(await ended(cvm)).toMatchObject({ type: 'update', state: 'failed' });
    expect(await now(cvm)).toMatchObject({ status: 'error', revision_id: cvm.revision_id });
    for (const method of METHODS) fake.on(`/prpc/${method}`, () => 'pass');
    const driver = server.services.vmm.get(host.teepod);
    expect((await driver.getInfo(cvm.host_vm_id!))?.configuration?.compose_file).toContain('stuck');
    expect((await person.call('startCvm', { path: at(cvm) })).status).toBe(200);
    expect(await ended(cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
    expect(await bootedCompose(server.services, host.teepod, cvm)).toBe(app.revision.app_compose);
  }, 60_000);

  it('a size the host refuses leaves the CVM running at the old one', async () => {
    const { cvm } = await running();
    fake.on('/prpc/UpdateVm', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no such size"}');
    });
    await person.call('updateCvmResources', { path: at(cvm), body: { vcpu: 2 } });
    expect(await ended(cvm)).toMatchObject({
      state: 'failed',
      error_message: expect.stringContaining('runs again'),
    });
    expect(await now(cvm)).toMatchObject({ status: 'running', vcpu: 1 });
  }, 60_000);
});
