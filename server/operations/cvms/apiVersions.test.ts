import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../generated/api/operations.gen';
import type { Provision } from '../../../generated/api/types.gen';
import type { CvmChange, CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { VERSIONS, type ApiVersion } from '../../http/compat/versions';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** The same CVM operations in every API version: CVM IDs are numbers until 2026-01-21 and strings from 2026-05-22. */
let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let member: TestClient;
let who: { team_id: number; user_id: number };
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { name: 'versions', url: fake.url });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
  member = await server.register();
  who = await identityOf(db, member.email!);
  await db
    .updateTable('teams')
    .set({ max_cvms: 1000, max_vcpu: 1000, max_memory_mb: 1_000_000, max_disk_gb: 10_000 })
    .where('id', '=', who.team_id)
    .execute();
});
afterAll(async () => {
  await server?.stop();
  await fake?.close();
});

async function addCvm(change: CvmChange = {}): Promise<CvmRow & { app: string }> {
  const name = `app${++count}-versions`;
  const app = await insertApp(server.services.db, { ...who, host, name });
  const cvm = await insertCvm(server.services.db, { ...app, host, ...who, change: { name, ...change } });
  return { ...cvm, app: app.app.app_id };
}

/** Calls an operation in a version and checks that the response names it. */
async function call(id: OperationId, version: ApiVersion, request: Parameters<TestClient['call']>[1]) {
  const answer = await member.with({ 'x-phala-version': version }).call(id, request);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.headers.get('x-phala-version')).toBe(version);
  const older = isNumbered(version) ? `; version=${version}` : '';
  expect(answer.headers.get('content-type')).toBe(`application/json${older}; charset=utf-8`);
  return answer.body as Record<string, unknown>;
}

const isNumbered = (version: ApiVersion) => version < '2026-05-22';
const idIn = (version: ApiVersion, cvm: CvmRow) => (isNumbered(version) ? cvm.id : cvm.public_id);
const rowOf = (vm_uuid: unknown) =>
  server.services.db
    .selectFrom('cvms')
    .selectAll()
    .where('vm_uuid', '=', String(vm_uuid))
    .executeTakeFirstOrThrow();

describe.each(VERSIONS)('version %s', (version) => {
  it.each([
    ['startCvm', 'stopped'],
    ['stopCvm', 'running'],
    ['shutdownCvm', 'running'],
    ['restartCvm', 'running'],
  ] as const)('%s names the CVM', async (id, status) => {
    const cvm = await addCvm({ status, desired: status });
    const body = await call(id, version, { path: { cvm_id: cvm.public_id }, body: {} });
    expect(body).toMatchObject({ id: idIn(version, cvm), vm_uuid: cvm.vm_uuid, memory: cvm.memory_mb });
    expect('numeric_id' in body).toBe(!isNumbered(version));
  });

  it('createCvm and createCvmReplica identify the new CVM', async () => {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const provisioned = await member.call('provisionCvm', {
      body: { name: `app${++count}-versions`, compose_file },
    });
    const { app_id, compose_hash } = provisioned.body as Provision;
    const made = await call('createCvm', version, { body: { app_id, compose_hash } });
    expect(made.id).toBe(idIn(version, await rowOf(made.vm_uuid)));
    expect(made.app_auth_contract_address).toBeNull();
    const replica = await call('createCvmReplica', version, {
      path: { cvm_id: String(made.vm_uuid) },
      body: {},
    });
    expect(replica).toMatchObject({ id: idIn(version, await rowOf(replica.vm_uuid)), app_id });
  });

  it('replays a stored reply in the repeated request’s version', async () => {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const { body } = await member.call('provisionCvm', {
      body: { name: `app${++count}-versions`, compose_file },
    });
    const { app_id, compose_hash } = body as Provision;
    const request = { body: { app_id, compose_hash }, headers: { 'idempotency-key': `repeat-${version}` } };
    const first = await call('createCvm', '2026-06-23', request);
    const again = await call('createCvm', version, request);
    expect(again.id).toBe(idIn(version, await rowOf(first.vm_uuid)));
  });

  it('replays a reply that an earlier release stored', async () => {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const { body } = await member.call('provisionCvm', {
      body: { name: `app${++count}-versions`, compose_file },
    });
    const { app_id, compose_hash } = body as Provision;
    const key = `earlier-${version}`;
    const request = { body: { app_id, compose_hash }, headers: { 'idempotency-key': key } };
    const { vm_uuid } = await call('createCvm', version, request);
    const { id } = await rowOf(vm_uuid);
    // Earlier replies had numbers and fewer fields.
    await sql`update idempotency_keys set api_version = '2026-01-21',
      response = (response - 'numeric_id' - 'correlation_id' - 'base_image') || ${JSON.stringify({ id })}::jsonb
      where key = ${key}`.execute(server.services.db);
    const again = await member.with({ 'x-phala-version': version }).call('createCvm', request);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-phala-version')).toBe(version < '2026-01-21' ? version : '2026-01-21');
    expect(again.body).toMatchObject({ id, vm_uuid, base_image: null });
    expect(again.body).not.toHaveProperty('correlation_id');
  });

  it('createAppInstance returns a CVM, or the flat shape', async () => {
    const cvm = await addCvm();
    const body = await call('createAppInstance', version, { path: { app_id: cvm.app }, body: {} });
    const made = await rowOf(body.vm_uuid);
    expect(body).toMatchObject({ id: idIn(version, made), correlation_id: expect.any(String) });
    expect(body).toMatchObject(
      isNumbered(version)
        ? { manifest_version: 2, memory: made.memory_mb, teepod_id: host.teepod.id }
        : { manifest_version: '2', resource: { vcpu: made.vcpu }, gateway: expect.any(Object) },
    );
  });

  it('updateCvmVisibility returns the detail', async () => {
    const cvm = await addCvm();
    const body = await call('updateCvmVisibility', version, {
      path: { cvm_id: cvm.public_id },
      body: { public_logs: !cvm.public_logs },
    });
    expect(body).toMatchObject({ id: idIn(version, cvm), name: cvm.name });
    expect('memory' in body).toBe(isNumbered(version));
    expect('compose_file' in body).toBe(!isNumbered(version));
  });

  it('instance ID refreshes name the CVM', async () => {
    const cvm = await addCvm();
    const one = await call('refreshCvmInstanceId', version, {
      path: { cvm_id: cvm.public_id },
      body: { dry_run: true },
    });
    expect(one).toMatchObject({ cvm_id: idIn(version, cvm), identifier: cvm.vm_uuid });
    const many = await call('refreshCvmInstanceIds', version, {
      body: { cvm_ids: [String(cvm.id), cvm.public_id], dry_run: true },
    });
    expect(many).toMatchObject({ total: 1, items: [{ cvm_id: idIn(version, cvm) }] });
  });

  it('checks of a compose hash name the CVM', async () => {
    const cvm = await addCvm();
    const path = { cvm_id: cvm.public_id, app_id: cvm.app };
    const one = await call('checkCvmIsAllowed', version, { path, body: {} });
    expect(one).toMatchObject({ cvm_id: idIn(version, cvm), is_allowed: true });
    const all = await call('checkAppCvmsIsAllowed', version, { path, body: {} });
    expect(all).toMatchObject({ results: [{ cvm_id: idIn(version, cvm) }], skipped_cvm_ids: [] });
    const { compose_hash } = one;
    expect(await call('checkAppIsAllowed', version, { path, body: { compose_hash } })).not.toHaveProperty(
      'cvm_id',
    );
    expect(await call('getAppDeviceAllowlist', version, { path })).toMatchObject({ devices: [] });
  });

  it('accepts every form of identifier', async () => {
    const cvm = await addCvm();
    for (const cvm_id of [String(cvm.id), cvm.public_id, cvm.vm_uuid, cvm.name, `app_${cvm.app}`]) {
      const answer = await member
        .with({ 'x-phala-version': version })
        .call('getCvmState', { path: { cvm_id } });
      expect(answer, cvm_id).toMatchObject({ status: 200, body: { id: cvm.public_id } });
    }
  });

  it('CVM details have the version’s shape', async () => {
    const cvm = await addCvm();
    const answer = await member
      .with({ 'x-phala-version': version })
      .call('getCvm', { path: { cvm_id: cvm.public_id } });
    const isOldest = version === '2025-10-28';
    expect(answer.body.id).toBe(isOldest ? cvm.id : cvm.public_id);
    expect('resource' in answer.body).toBe(!isOldest);
  });
});

describe.each(VERSIONS.slice(1))('fields for newer clients, in version %s', (version) => {
  const NO_LOGS = {
    serial: null,
    stdout: null,
    stderr: null,
    syslog_endpoint: null,
    container_log_base: null,
  };
  const fields = (cvm: CvmRow) => ({
    id: cvm.public_id,
    hourly_rate: { total: '0.058', compute: '0.056', disk: '0.002', stopped: '0.002', after_order: null },
    billing_interval: 'hourly',
    managed_env: false,
    docker_compose_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    pre_launch_script_hash: null,
    project_type: null,
    deleted_at: null,
    gpu_rental_order: null,
    node_info: { device_ids: [] },
    kms_info: { k256_pubkey: fakeKmsRoot.k256_pubkey },
  });
  const read = (id: OperationId, request: Parameters<TestClient['call']>[1]) =>
    member.with({ 'x-phala-version': version }).call(id, request);

  it('are in the detail', async () => {
    const cvm = await addCvm();
    const { body } = await read('getCvm', { path: { cvm_id: cvm.public_id } });
    expect(body).toMatchObject({
      ...fields(cvm),
      logs: { serial: expect.stringContaining('ch=serial'), stderr: expect.any(String) },
      encrypted_env_pubkey: cvm.env_pubkey,
      disk_size: 20,
      public_urls: expect.any(Array),
      compose_file: expect.any(Object),
    });
  });

  it('are in lists, without log URLs', async () => {
    const cvm = await addCvm();
    const listed = { ...fields(cvm), logs: NO_LOGS };
    const page = await read('listCvmsPaginated', { query: { page_size: 1 } });
    expect(page.body).toMatchObject({ items: [listed] });
    const app = await read('getApp', { path: { app_id: cvm.app } });
    expect(app.body).toMatchObject({ cvms: [listed], current_cvm: listed });
    const cvms = await read('listAppCvms', { path: { app_id: cvm.app } });
    expect(cvms.body).toMatchObject([listed]);
  });

  it('include the host’s devices and the script’s hash', async () => {
    const cvm = await addCvm();
    const { db } = server.services;
    const device_id = 'ab'.repeat(32);
    const { node_id } = host.teepod;
    await db.updateTable('nodes').set({ device_id }).where('id', '=', node_id).execute();
    const { body } = await read('createAppInstance', {
      path: { app_id: cvm.app },
      body: { pre_launch_script: 'echo hello\n' },
    });
    await db.updateTable('nodes').set({ device_id: null }).where('id', '=', node_id).execute();
    const made = await member.call('getCvm', { path: { cvm_id: (body as { vm_uuid: string }).vm_uuid } });
    expect(made.body.pre_launch_script_hash).toBe(createHash('sha256').update('echo hello\n').digest('hex'));
    if (version !== '2026-01-21')
      expect(body).toMatchObject({
        node_info: {
          device_id,
          device_ids: [{ device_id, algorithm_version: '1', os_image_ids: [], enabled: true }],
        },
      });
  });
});

describe('a request’s version', () => {
  const shape = async (headers: Record<string, string>) => {
    const cvm = await addCvm({ status: 'stopped', desired: 'stopped' });
    const reply = await fetch(`${server.address}/api/v1/cvms/${cvm.public_id}/start`, {
      method: 'POST',
      headers: { cookie: member.cookie!, 'x-workspace': member.slug!, ...headers },
    });
    const { id } = (await reply.json()) as { id: unknown };
    return [reply.headers.get('x-phala-version'), typeof id];
  };

  it('defaults to 2026-01-21', async () => {
    expect(await shape({})).toEqual(['2026-01-21', 'number']);
  });

  it('can be the newest', async () => {
    expect(await shape({ 'x-phala-version': 'LATEST' })).toEqual(['2026-06-23', 'string']);
  });

  it('must be known, and an error lists the known ones', async () => {
    for (const version of ['2026-02-30', '2026-01-21, 2026-05-22', 'latest']) {
      const answer = await member.with({ 'x-phala-version': version }).call('getCurrentUser');
      expect(answer).toMatchObject({
        status: 400,
        body: { error_code: 'ERR-00-047', details: [{ field: 'X-Phala-Version', value: [...VERSIONS] }] },
      });
      for (const known of VERSIONS) expect((answer.body as { message?: string }).message).toContain(known);
    }
  });

  it('is returned with errors and for unknown paths', async () => {
    const missing = await member
      .with({ 'x-phala-version': '2026-05-22' })
      .call('getCvm', { path: { cvm_id: 'cvm_nothing' } });
    expect([missing.status, missing.headers.get('x-phala-version')]).toEqual([404, '2026-05-22']);
    const nowhere = await fetch(`${server.address}/api/v1/nowhere`);
    expect([nowhere.status, nowhere.headers.get('x-phala-version')]).toEqual([404, '2026-01-21']);
  });
});
