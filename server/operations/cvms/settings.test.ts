import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import type { CvmRow } from '../../db/schema';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertRevision,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Settings of CVMs without a worker: what is accepted, refused and written. */
let server: TestServer;
let person: TestClient;
let stranger: TestClient;
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
let who: { team_id: number; user_id: number };
let round = 0;

/** Says what keys people have, as GitHub does. */
const github = new Map<string, { status: number; text: string }>();
const githubServer = createServer((req, res) => {
  const found = github.get(/^\/(.+)\.keys$/.exec(req.url ?? '')?.[1] ?? '') ?? {
    status: 404,
    text: 'Not Found',
  };
  res.writeHead(found.status, { 'content-type': 'text/plain' }).end(found.text);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => githubServer.listen(0, '127.0.0.1', resolve));
  const { port } = githubServer.address() as AddressInfo;
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', GITHUB_URL: `http://127.0.0.1:${port}` },
  });
  person = await server.register();
  stranger = await server.register();
  who = await identityOf(server.services.db, person.email!);
  host = await insertHost(server.services.db, { name: 'eu-1' });
});
afterAll(async () => {
  await server?.stop();
  githubServer.close();
});
beforeEach(async () => {
  const { db } = server.services;
  const name = `app-${++round}`;
  app = await insertApp(db, { ...who, host, name });
  cvm = await insertCvm(db, { ...app, host, ...who, change: { name } });
});

const call = <K extends OperationId>(id: K, body?: unknown, client = person) =>
  client.call(id, { path: { cvm_id: cvm.public_id }, body });
const now = () =>
  server.services.db.selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();
const events = async () =>
  (
    await server.services.db
      .selectFrom('events')
      .selectAll()
      .where('cvm_id', '=', cvm.id)
      .orderBy('id')
      .execute()
  ).map((event) => event.kind);
const live = () =>
  server.services.db
    .selectFrom('operations')
    .selectAll()
    .where('cvm_id', '=', cvm.id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();

const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A right request for each operation about one CVM. */
const REQUESTS: Partial<Record<OperationId, unknown>> = {
  renameCvm: { name: 'another-name' },
  setCvmListed: { listed: true },
  protectCvm: undefined,
  unprotectCvm: undefined,
  scheduleCvmDelete: { scheduled_delete_at: later(2) },
  scheduleCvmStop: { scheduled_stop_at: later(2) },
  updateCvmVisibility: { public_logs: false, public_sysinfo: false },
  updateCvmOsImage: { os_image_name: 'dstack-0.6.0' },
  listCvmOsImages: undefined,
  updatePreLaunchScript: '#!/bin/sh\n',
  provisionCvmComposeFile: {},
  commitCvmComposeFile: { compose_hash: 'aa' },
  refreshCvmInstanceId: {},
  checkCvmIsAllowed: {},
  commitCvmReplica: {},
  getCvmOperationStatus: undefined,
};
const ids = Object.keys(REQUESTS) as OperationId[];

describe('every setting', () => {
  it.each(ids)('%s: another team’s CVM is not found, a name of several is told apart', async (id) => {
    expect(await call(id, REQUESTS[id], stranger)).toMatchObject({
      status: 404,
      body: { code: 'ERR-03-001' },
    });
    await insertCvm(server.services.db, { ...app, host, ...who });
    const several = await person.call(id, { path: { cvm_id: app.app.app_id }, body: REQUESTS[id] });
    expect(several).toMatchObject({ status: 400, body: { code: 'ERR-03-010' } });
  });

  it.each(
    ids.filter(
      (id) => operations[id].path.endsWith('os-image') || /Visibility|Script|commitCvmCompose/.test(id),
    ),
  )('%s: refused while something runs, and in a state that has to be left first', async (id) => {
    const busy = await insertOperation(server.services.db, cvm);
    await server.services.db
      .updateTable('cvms')
      .set({ status: 'restarting' })
      .where('id', '=', cvm.id)
      .execute();
    expect(await call(id, REQUESTS[id])).toMatchObject({
      status: 409,
      body: {
        code: 'ERR-00-016',
        detail: { details: [{ field: 'correlation_id', value: busy.correlation_id }] },
      },
    });
    await server.services.db
      .updateTable('operations')
      .set({ state: 'failed' })
      .where('id', '=', busy.id)
      .execute();
    expect(await call(id, REQUESTS[id])).toMatchObject({ status: 409, body: { code: 'ERR-00-026' } });
  });

  it.each([
    'renameCvm',
    'setCvmListed',
    'updateCvmVisibility',
    'updateCvmOsImage',
    'updatePreLaunchScript',
  ] as const)('%s: not over somebody else’s change', async (id) => {
    const { headers } = await call('getCvm');
    const etag = headers.get('etag') ?? '';
    await server.services.db.updateTable('cvms').set({ vcpu: 7 }).where('id', '=', cvm.id).execute();
    const answer = await person.call(id, {
      path: { cvm_id: cvm.public_id },
      body: REQUESTS[id],
      headers: { 'if-match': etag },
    });
    expect(answer).toMatchObject({
      status: 412,
      body: { code: 'ERR-00-020', detail: { details: [{ field: 'vcpu', value: 7 }] } },
    });
  });
});

describe('renaming', () => {
  it('changes the name, the app’s when it had the same, and not the host name', async () => {
    expect((await call('renameCvm', { name: 'new-name' })).status).toBe(204);
    expect((await call('getCvm')).body).toMatchObject({ name: 'new-name', hostname: cvm.name });
    expect((await call('getCvmUserConfig')).body).toMatchObject({ hostname: cvm.name });
    expect((await person.call('getApp', { path: { app_id: app.app.app_id } })).body).toMatchObject({
      name: 'new-name',
    });
    expect(await events()).toEqual(['cvm.renamed']);
    expect((await person.call('getCvm', { path: { cvm_id: 'new-name' } })).status).toBe(200);
    await call('renameCvm', { name: 'third-name' });
    expect((await call('getCvm')).body).toMatchObject({ name: 'third-name', hostname: cvm.name });
  });

  it('refuses names that are no host names, reserved or taken', async () => {
    for (const name of ['abc', 'two--dashes', '1abcd', 'recycle-bin', 'a'.repeat(63) + '-'])
      expect((await call('renameCvm', { name })).status).toBeGreaterThanOrEqual(400);
    expect(await call('renameCvm', { name: 'recycle-bin' })).toMatchObject({
      status: 400,
      body: { code: 'ERR-02-008' },
    });
    const other = await insertCvm(server.services.db, { ...app, host, ...who });
    expect(await call('renameCvm', { name: other.name })).toMatchObject({
      status: 409,
      body: { code: 'ERR-01-004' },
    });
    expect((await now()).name).toBe(cvm.name);
  });
});

it('shows and hides it in public lists', async () => {
  expect((await call('setCvmListed', { listed: true })).status).toBe(204);
  expect((await now()).listed).toBe(true);
  await call('setCvmListed', { listed: true });
  expect(await events()).toEqual(['cvm.listed']);
});

describe('protection', () => {
  it('keeps it from being deleted by hand or by the clock, until somebody confirms', async () => {
    await call('scheduleCvmDelete', { scheduled_delete_at: later(3) });
    expect((await call('protectCvm')).status).toBe(204);
    expect((await call('getCvm')).body).toMatchObject({ protected: true, scheduled_delete_at: null });
    for (const permanently of [undefined, true])
      expect(
        await person.call('deleteCvm', { path: { cvm_id: cvm.public_id }, query: { permanently } }),
      ).toMatchObject({
        status: 409,
        body: { code: 'ERR-00-044', detail: { suggestions: [expect.any(String)] } },
      });
    expect(await call('scheduleCvmDelete', { scheduled_delete_at: later(3) })).toMatchObject({
      status: 409,
      body: { code: 'ERR-00-044' },
    });
    const { db } = server.services;
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .execute();
    expect((await call('unprotectCvm')).body).toMatchObject({ code: 'ERR-00-031' });
    expect((await now()).protected).toBe(true);
    await person.call('stepUp', { body: { method: 'password', secret: PASSWORD } });
    expect((await call('unprotectCvm')).status).toBe(204);
    expect((await person.call('deleteCvm', { path: { cvm_id: cvm.public_id } })).status).toBe(204);
  });
});

describe('a schedule', () => {
  it('takes a time with its zone, and null', async () => {
    const answer = await call('scheduleCvmDelete', { scheduled_delete_at: '2027-01-01T00:00:00+02:00' });
    expect(answer).toMatchObject({ status: 200, body: { scheduled_delete_at: '2026-12-31T22:00:00.000Z' } });
    const old = await person.call('getCvm', {
      path: { cvm_id: cvm.public_id },
      headers: { 'x-phala-version': '2025-10-28' },
    });
    expect(old.body).toMatchObject({ scheduled_delete_at: '2026-12-31T22:00:00.000Z' });
    expect((await call('scheduleCvmDelete', { scheduled_delete_at: null })).body).toEqual({
      scheduled_stop_at: null,
      scheduled_delete_at: null,
    });
    expect(await events()).toEqual(['cvm.schedule_delete', 'cvm.schedule_delete']);
  });

  it.each([
    ['the past', '2020-01-01T00:00:00Z', 400],
    ['next decade', '2036-01-01T00:00:00Z', 400],
    ['no zone', '2027-01-01T00:00:00', 422],
    ['no time', 'tomorrow', 422],
  ])('refuses %s', async (_, at, status) => {
    expect((await call('scheduleCvmStop', { scheduled_stop_at: at })).status).toBe(status);
    expect((await call('scheduleCvmDelete', { scheduled_delete_at: at })).status).toBe(status);
  });

  it('that is less than an hour away needs no warning', async () => {
    await call('scheduleCvmStop', { scheduled_stop_at: later(0.5) });
    expect((await now()).stop_warned_at).not.toBeNull();
    await call('scheduleCvmStop', { scheduled_stop_at: later(1.5) });
    expect((await now()).stop_warned_at).toBeNull();
  });
});

describe('visibility', () => {
  it('is an update with a new compose hash, answered in the older shape', async () => {
    const answer = await call('updateCvmVisibility', { public_logs: false, public_sysinfo: true });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: cvm.id, status: 'updating', base_image: 'dstack-0.6.0' },
    });
    const operation = await live();
    expect(operation).toMatchObject({
      type: 'update',
      payload: { public_logs: false, public_sysinfo: true },
    });
    const made = await server.services.db
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', operation?.payload.revision_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(made.compose_hash).not.toBe(app.revision.compose_hash);
    expect(JSON.parse(made.app_compose)).toMatchObject({ public_logs: false, public_sysinfo: true });
  });

  it('that is so already restarts nothing', async () => {
    const answer = await call('updateCvmVisibility', {
      public_logs: true,
      public_sysinfo: true,
      id: 'leaked',
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'running', public_logs: true } });
    expect(await live()).toBeUndefined();
  });
});

describe('OS images', () => {
  beforeAll(async () => {
    const { db } = server.services;
    for (const [name, version, is_dev] of [
      ['dstack-0.6.1', '0.6.1', false],
      ['dstack-dev-0.6.1', '0.6.1', true],
      ['dstack-0.5.9', '0.5.9', false],
    ] as const)
      await db
        .insertInto('os_images')
        .values({ name, slug: `${name}-0badcafe`, version, is_dev, os_image_hash: 'ef'.repeat(32) })
        .execute();
    const images = await db.selectFrom('os_images').select('id').execute();
    await db
      .insertInto('teepod_os_images')
      .values(images.map(({ id }) => ({ teepod_id: host.teepod.id, os_image_id: id })))
      .execute();
  });

  it('are listed by version, newest first', async () => {
    const { body } = await call('listCvmOsImages');
    expect(body).toEqual([
      {
        version: [0, 6, 1],
        prod: { name: 'dstack-0.6.1', os_image_hash: 'ef'.repeat(32), is_current: false },
        dev: { name: 'dstack-dev-0.6.1', os_image_hash: 'ef'.repeat(32), is_current: false },
      },
      {
        version: [0, 6, 0],
        prod: { name: 'dstack-0.6.0', os_image_hash: 'cd'.repeat(32), is_current: true },
        dev: null,
      },
      {
        version: [0, 5, 9],
        prod: { name: 'dstack-0.5.9', os_image_hash: 'ef'.repeat(32), is_current: false },
        dev: null,
      },
    ]);
  });

  it.each(['dstack-0.6.1', 'dstack-0.6.1-0badcafe'])('change by name or slug: %s', async (os_image_name) => {
    expect((await call('updateCvmOsImage', { os_image_name })).status).toBe(202);
    expect(await live()).toMatchObject({ type: 'update', payload: { os_image: 'dstack-0.6.1' } });
  });

  it('that the host has not are refused', async () => {
    expect(await call('updateCvmOsImage', { os_image_name: 'dstack-9.9.9' })).toMatchObject({
      status: 400,
      body: { code: 'ERR-02-010' },
    });
  });
});

it('replaces the pre-launch script byte for byte', async () => {
  expect(await call('updatePreLaunchScript', 'x'.repeat(204_801))).toMatchObject({
    status: 400,
    body: { code: 'ERR-01-003' },
  });
  const script = '#!/bin/sh\n\techo “ready”\r\n';
  expect(await call('updatePreLaunchScript', script)).toMatchObject({
    status: 202,
    body: { status: 'in_progress' },
  });
  const revision_id = (await live())?.payload.revision_id ?? 0;
  const made = await server.services.db
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', revision_id)
    .executeTakeFirstOrThrow();
  expect(made.pre_launch_script).toBe(script);
});

describe('a prepared compose file', () => {
  const next = 'services:\n  web:\n    image: nginx:1.29\n';

  it('is committed by its hash, once', async () => {
    const { body } = await call('provisionCvmComposeFile', {
      docker_compose_file: next,
      manifest_version: 2,
      name: 'x',
    });
    const { compose_hash } = body as { compose_hash: string };
    expect(body).toMatchObject({
      app_id: app.app.app_id,
      compose_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      kms_info: { slug: 'kms-eu-1' },
      compose_hash_registered: true,
    });
    expect(await live()).toBeUndefined();
    expect((await call('commitCvmComposeFile', { compose_hash: `0x${compose_hash}` })).status).toBe(202);
    const { payload, id } = (await live()) ?? { payload: {}, id: 0 };
    const made = await server.services.db
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', payload.revision_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(made).toMatchObject({ compose_hash, docker_compose_file: next });
    const { db } = server.services;
    await db.updateTable('operations').set({ state: 'succeeded' }).where('id', '=', id).execute();
    await db.updateTable('cvms').set({ status: 'running' }).where('id', '=', cvm.id).execute();
    expect(await call('commitCvmComposeFile', { compose_hash })).toMatchObject({
      status: 466,
      body: { code: 'ERR-01-006' },
    });
  });

  it('is void when the CVM got another revision meanwhile', async () => {
    const { body } = await call('provisionCvmComposeFile', { docker_compose_file: next });
    const { db } = server.services;
    const newer = await insertRevision(db, {
      ...app,
      number: 2,
      name: app.app.name,
      pre_launch_script: 'echo newer',
    });
    await db.updateTable('cvms').set({ revision_id: newer.id }).where('id', '=', cvm.id).execute();
    expect((await call('commitCvmComposeFile', body)).status).toBe(466);
    expect(await live()).toBeUndefined();
  });

  it.each([
    ['another runner', { runner: 'bash' }, 'ERR-02-009'],
    ['other keys', { kms_enabled: false }, 'ERR-02-009'],
    ['another file system', { storage_fs: 'ext4' }, 'ERR-02-009'],
    ['an empty file', { docker_compose_file: ' ' }, 'ERR-01-002'],
    ['a broken file', { docker_compose_file: 'services: [' }, 'ERR-01-003'],
  ])('with %s is refused', async (_, body, code) => {
    expect(await call('provisionCvmComposeFile', body)).toMatchObject({ body: { code } });
  });
});

describe('what the older clients ask for', () => {
  it('whether a hash may run', async () => {
    const { compose_hash } = app.revision;
    expect((await call('checkCvmIsAllowed', {})).body).toMatchObject({
      cvm_id: cvm.id,
      compose_hash,
      is_allowed: true,
    });
    const unknown = await call('checkCvmIsAllowed', { compose_hash: `0x${'0'.repeat(64)}` });
    expect(unknown.body).toMatchObject({
      is_allowed: false,
      error: expect.any(String),
      compose_hash: '0'.repeat(64),
    });
    const path = { app_id: app.app.app_id };
    expect((await person.call('checkAppIsAllowed', { path, body: { compose_hash } })).body).toMatchObject({
      is_allowed: true,
    });
    expect((await person.call('checkAppCvmsIsAllowed', { path })).body).toMatchObject({
      is_onchain: false,
      total: 1,
      allowed_count: 1,
      results: [{ cvm_id: cvm.id, is_allowed: true }],
    });
    expect((await person.call('getAppDeviceAllowlist', { path })).body).toMatchObject({
      is_onchain_kms: false,
      devices: [],
    });
    for (const id of ['checkAppIsAllowed', 'checkAppCvmsIsAllowed', 'getAppDeviceAllowlist'] as const)
      expect(
        (
          await stranger.call(id, {
            path,
            body: id === 'getAppDeviceAllowlist' ? undefined : { compose_hash },
          })
        ).status,
      ).toBe(404);
  });

  it('commits that no chain waits for', async () => {
    expect(await call('commitCvmUpdate', { token: 'x' }, server.anonymous)).toMatchObject({ status: 466 });
    expect(await call('commitCvmReplica', { token: 'x' })).toMatchObject({
      status: 466,
      body: { code: 'ERR-01-006' },
    });
  });

  it('the latest operation', async () => {
    expect((await call('getCvmOperationStatus')).body).toMatchObject({ in_progress: false, operation: null });
    const busy = await insertOperation(server.services.db, cvm);
    expect((await call('getCvmOperationStatus')).body).toMatchObject({
      vm_uuid: cvm.vm_uuid,
      in_progress: true,
      operation: { correlation_id: busy.correlation_id, step: 'boot' },
    });
  });

  it('the next app ids, in the order they are given out', async () => {
    const { body } = await person.call('getNextAppIds', { query: { counts: 3 } });
    const { app_ids } = body as { app_ids: { app_id: string; nonce: number }[] };
    expect(app_ids.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
    expect(new Set(app_ids.map(({ app_id }) => app_id)).size).toBe(3);
    expect((await person.call('getNextAppIds', { query: { counts: 21 } })).status).toBe(422);
    expect(
      ((await stranger.call('getNextAppIds')).body as typeof body & { app_ids: unknown[] }).app_ids[0],
    ).not.toEqual(app_ids[0]);
  });

  it('what apps can be filtered by, each of which finds something', async () => {
    const { body } = await person.call('getAppFilterOptions');
    expect(body).toMatchObject({ nodes: ['eu-1'], regions: ['eu-west'], instance_types: ['tdx.small'] });
    const options = body as Record<string, string[]>;
    const filters = {
      status: options.statuses,
      base_image: options.image_versions,
      instance_type: options.instance_types,
      kms_slug: options.kms_slugs,
      kms_type: options.kms_types,
      region: options.regions,
      node: options.nodes,
    };
    for (const [filter, values] of Object.entries(filters))
      for (const value of values ?? []) {
        const { body: page } = await person.call('listApps', { query: { [filter]: value } });
        expect((page as { total: number }).total, `${filter}=${value}`).toBeGreaterThan(0);
      }
    expect((await stranger.call('getAppFilterOptions')).body).toMatchObject({ statuses: [], nodes: [] });
  });

  it('instance ids, when the host cannot be asked', async () => {
    expect((await call('refreshCvmInstanceId', {})).body).toMatchObject({
      cvm_id: cvm.id,
      identifier: cvm.vm_uuid,
      status: 'error',
      source: 'none',
      reason: expect.stringContaining('eu-1'),
    });
    const { body } = await person.call('refreshCvmInstanceIds', {
      body: { cvm_ids: [cvm.vm_uuid, 'no-such-cvm'], dry_run: true },
    });
    expect(body).toMatchObject({ total: 1, scanned: 1, errors: 1 });
    expect(
      (await stranger.call('refreshCvmInstanceIds', { body: { cvm_ids: [cvm.vm_uuid] } })).body,
    ).toMatchObject({
      total: 0,
      items: [],
    });
  });
});

it('stops many, each by itself', async () => {
  const other = await insertCvm(server.services.db, { ...app, host, ...who });
  await insertOperation(server.services.db, other);
  await server.services.db
    .updateTable('cvms')
    .set({ status: 'restarting' })
    .where('id', '=', other.id)
    .execute();
  const { body } = await person.call('batchStopCvms', {
    body: { cvm_ids: [cvm.vm_uuid, other.vm_uuid, 'nobody-knows', cvm.vm_uuid] },
  });
  expect(body).toMatchObject({
    accepted: 1,
    refused: 2,
    results: [
      { cvm_id: cvm.vm_uuid, correlation_id: expect.any(String), error_code: null },
      { cvm_id: other.vm_uuid, correlation_id: null, error_code: 'ERR-00-016' },
      { cvm_id: 'nobody-knows', error_code: 'ERR-03-001' },
    ],
  });
  expect((await now()).status).toBe('stopping');
  expect((await person.call('batchStopCvms', { body: { cvm_ids: [] } })).status).toBe(422);
});

describe('SSH keys of GitHub', () => {
  const key = (fill: number) =>
    `ssh-ed25519 ${Buffer.concat([
      Buffer.from('0000000b', 'hex'),
      Buffer.from('ssh-ed25519'),
      Buffer.from('00000020', 'hex'),
      Buffer.alloc(32, fill),
    ]).toString('base64')}`;
  const importKeys = (github_username: string) =>
    person.call('importGithubKeys', { body: { github_username } });
  const mine = async () =>
    (await person.call('listSshKeys')).body as { public_key: string; source: string }[];

  it('are imported, then kept in step with the profile', async () => {
    github.set('alice', { status: 200, text: `${key(1)}\n${key(2)}\nssh-dss AAAA\n` });
    expect((await importKeys('alice')).body).toMatchObject({
      github_username: 'alice',
      keys_added: 2,
      keys_skipped: 0,
      errors: [expect.stringContaining('Key 3 of alice')],
    });
    expect((await importKeys('alice')).body).toMatchObject({ keys_added: 0, keys_skipped: 2 });
    expect((await mine())[0]).toMatchObject({
      source: 'github',
      key_metadata: { github_username: 'alice' },
      last_synced_at: expect.any(String),
    });
    await person.call('createSshKey', { body: { name: 'my own', public_key: key(9) } });
    github.set('alice', { status: 200, text: `${key(2)}\n${key(3)}\n` });
    expect((await person.call('syncGithubKeys', { body: {} })).body).toMatchObject({
      synced_count: 1,
      keys_added: 1,
      keys_updated: 1,
      keys_removed: 1,
    });
    expect((await mine()).map(({ public_key, source }) => `${source} ${public_key}`).sort()).toEqual(
      [`github ${key(2)}`, `github ${key(3)}`, `manual ${key(9)}`].sort(),
    );
  });

  it('say why there are none', async () => {
    expect(await importKeys('nobody')).toMatchObject({ status: 404, body: { code: 'ERR-00-004' } });
    github.set('broken', { status: 503, text: '' });
    expect(await importKeys('broken')).toMatchObject({ status: 502, body: { code: 'ERR-00-045' } });
    expect((await importKeys('-no-')).status).toBe(422);
    // A profile that cannot be read takes nothing away.
    github.set('alice', { status: 500, text: '' });
    expect(await person.call('syncGithubKeys', { body: {} })).toMatchObject({ status: 502 });
    expect(await mine()).toHaveLength(3);
    expect((await stranger.call('syncGithubKeys', { body: {} })).body).toMatchObject({ synced_count: 0 });
  });
});
