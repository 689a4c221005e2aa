import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminGpu, AdminGpuEvent } from '../../../../generated/api/types.gen';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { housekeeping } from '../../../jobs/core/housekeeping';
import { readGpus } from '../../../jobs/hosts/testing/everyHost';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { eventually, type TestClient, type TestServer } from '../../../testing/server';
import { problemOf, startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

const EIGHT = Array.from({ length: 8 }, (_, i) => ({
  slot: `0000:${(0x10 + i).toString(16)}:00.0`,
  product_id: '10de:2335',
  description: 'NVIDIA H200',
}));
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let audits: AdminTest['audits'];
let fake: FakeVmm;
let host: TestHost;
let team_id: number;
let other_team: number;

beforeAll(async () => {
  ({ server, admin, member, audits } = await startAdminTest());
  fake = await startFakeVmm({ gpus: EIGHT, images: ['dstack-nvidia-0.6.0'], allow_attach_all: true });
  host = await insertHost(server.services.db, { name: 'gpu-host', url: fake.url, kind: 'dstack_vmm' });
  await server.services.db
    .updateTable('kms')
    .set({
      url: `${fake.url}/kms`,
      k256_pubkey: (await import('../../../drivers/vmm/fakeKms')).fakeKmsRoot.k256_pubkey,
    })
    .where('id', '=', host.kms.id)
    .execute();
  const { id } = await server.services.db
    .insertInto('os_images')
    .values({ name: 'dstack-nvidia-0.6.0', slug: 'nvidia-0', version: '0.6.0', requires_gpu: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.services.db
    .insertInto('teepod_os_images')
    .values({ teepod_id: host.teepod.id, os_image_id: id })
    .execute();
  ({ team_id } = await identityOf(server.services.db, member.email ?? ''));
  other_team = (await identityOf(server.services.db, admin.email ?? '')).team_id;
});

afterAll(async () => {
  await fake?.close();
  await server?.stop();
});

const discover = () => readGpus(server.services);
const list = async (filter: Record<string, unknown> = {}) =>
  (await admin.call('listAdminGpus', { query: { filter: JSON.stringify(filter), sort: '["slot","ASC"]' } }))
    .body as AdminGpu[];
const read = async (id: number) => (await admin.call('getAdminGpu', { path: { id } })).body as AdminGpu;
const eventsOf = async (gpu_id: number) =>
  (
    (
      await admin.call('listAdminGpuEvents', {
        query: { filter: JSON.stringify({ gpu_id }), sort: '["id","ASC"]' },
      })
    ).body as AdminGpuEvent[]
  ).map(({ kind }) => kind);

/** Creates a stopped CVM of a team on the host that holds its capacity. */
async function stoppedCvm(name: string, of = team_id) {
  const { db } = server.services;
  const app = await insertApp(db, { team_id: of, host, name });
  const cvm = await insertCvm(db, { ...app, host, change: { status: 'stopped', desired: 'stopped', name } });
  await db
    .insertInto('reservations')
    .values({ teepod_id: host.teepod.id, team_id: of, cvm_id: cvm.id, vcpu: 0, memory_mb: 0, disk_gb: 0 })
    .execute();
  return cvm;
}
async function resetGpus(): Promise<void> {
  const { db } = server.services;
  await db.deleteFrom('reservations').execute();
  await db.updateTable('gpus').set({ reserved_team_id: null, fault: null }).execute();
  await db
    .updateTable('cvms')
    .set({ gpus: 0, deleted_at: new Date() })
    .where('host_vm_id', 'is not', null)
    .execute();
}

describe('GPUs of a host', () => {
  it('are discovered, updated, and marked as lost when the host stops reporting them', async () => {
    await discover();
    const hosts = async (filter: Record<string, unknown>) =>
      (await admin.call('listAdminTeepods', { query: { filter: JSON.stringify(filter) } })).body;
    expect(await hosts({ gpu_model: 'NVIDIA H200' })).toMatchObject([{ name: 'gpu-host', gpu_count: 8 }]);
    expect(await hosts({ q: 'h200' })).toHaveLength(1);
    expect(await hosts({ gpu_model: 'NVIDIA B200' })).toEqual([]);
    expect(await list({ description: 'NVIDIA H200' })).toHaveLength(8);
    const found = await list({ teepod_id: host.teepod.id });
    expect(found.map(({ slot }) => slot)).toEqual(EIGHT.map(({ slot }) => slot));
    expect(found[0]).toMatchObject({
      name: 'gpu-host 0000:10:00.0',
      state: 'free',
      product_id: '10de:2335',
      description: 'NVIDIA H200',
      reported: true,
      team_id: null,
    });
    fake.on('/prpc/ListGpus', (_, response) =>
      response.end(
        JSON.stringify({
          gpus: EIGHT.slice(1).map((gpu, i) => ({ ...gpu, is_free: i > 0 })),
          allow_attach_all: false,
        }),
      ),
    );
    await discover();
    const [first, second] = await list({ teepod_id: host.teepod.id });
    expect(first).toMatchObject({ reported: false });
    expect(second).toMatchObject({ reported: true, used_elsewhere: true });
    fake.on('/prpc/ListGpus', () => 'pass');
    await discover();
    expect(await read(first?.id ?? 0)).toMatchObject({ reported: true });
    expect(await eventsOf(first?.id ?? 0)).toEqual(['added', 'lost', 'found']);
  });

  it('can be added, annotated and deleted manually, with one per slot', async () => {
    const body = { teepod_id: host.teepod.id, slot: '0000:99:00.0', notes: 'arrives on Monday' };
    const made = await admin.call('createAdminGpu', { body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body as AdminGpu;
    expect(made.body).toMatchObject({ state: 'free', reported: false });
    expect((await admin.call('createAdminGpu', { body })).status).toBe(409);
    const nowhere = await admin.call('createAdminGpu', { body: { ...body, teepod_id: 999_999 } });
    expect(problemOf(nowhere.body).detail.details[0]?.field).toBe('teepod_id');
    const etag = made.headers.get('etag') ?? '';
    const patch = { path: { id }, body: { notes: 'arrived' }, headers: { 'if-match': etag } };
    expect((await admin.call('updateAdminGpu', patch)).body).toMatchObject({ notes: 'arrived' });
    expect((await admin.call('updateAdminGpu', patch)).status).toBe(412);
    const reported = (await list({ slot: EIGHT[0]?.slot }))[0]?.id ?? 0;
    expect((await admin.call('deleteAdminGpu', { path: { id: reported } })).status).toBe(409);
    expect((await admin.call('deleteAdminGpu', { path: { id } })).status).toBe(204);
    expect((await admin.call('getAdminGpu', { path: { id } })).status).toBe(404);
    expect((await audits('gpu', id)).map(({ action }) => action)).toEqual([
      'gpu.create',
      'gpu.update',
      'gpu.delete',
    ]);
  });

  it('can be reserved, attached, detached and marked faulty, with an event for each', async () => {
    const [gpu, neighbour] = await list({ teepod_id: host.teepod.id });
    const id = gpu?.id ?? 0;
    const path = { id };
    const reserve = (of: number) => admin.call('reserveAdminGpu', { path, body: { team_id: of } });
    expect((await reserve(999_999)).status).toBe(422);
    expect((await reserve(other_team)).body).toMatchObject({
      state: 'reserved',
      team_id: other_team,
      reserved: true,
    });
    expect(problemOf((await reserve(team_id)).body).detail.message).toContain('reserved for');
    const cvm = await stoppedCvm('gpu-cvm');
    const attach = () => admin.call('attachAdminGpu', { path, body: { cvm_id: cvm.vm_uuid } });
    const refused = await attach();
    expect(refused.status).toBe(409);
    expect(problemOf(refused.body).detail.message).toContain('reserved for another team');
    expect((await admin.call('releaseAdminGpu', { path })).body).toMatchObject({
      state: 'free',
      reserved: false,
    });
    expect((await admin.call('releaseAdminGpu', { path })).status).toBe(409);
    expect((await attach()).body).toMatchObject({
      state: 'attached',
      cvm_id: cvm.vm_uuid,
      team_id,
      attached: true,
    });
    const again = problemOf((await attach()).body).detail.message;
    expect(again).toContain('attached to the CVM “gpu-cvm”');
    expect(again).toContain("7 of the host's 8 GPUs are free");
    expect((await reserve(other_team)).status).toBe(409);
    expect((await admin.call('deleteAdminGpu', { path })).status).toBe(409);
    const { db } = server.services;
    await db.updateTable('cvms').set({ status: 'running' }).where('id', '=', cvm.id).execute();
    expect(problemOf((await admin.call('detachAdminGpu', { path })).body).detail.message).toContain(
      'running',
    );
    await db.updateTable('cvms').set({ status: 'stopped' }).where('id', '=', cvm.id).execute();
    const faulty = await admin.call('markAdminGpuFaulty', { path, body: { reason: 'Xid 79' } });
    expect(faulty.body).toMatchObject({ state: 'faulty', fault: 'Xid 79', cvm_id: cvm.vm_uuid });
    expect((await admin.call('detachAdminGpu', { path })).body).toMatchObject({
      cvm_id: null,
      state: 'faulty',
    });
    expect(problemOf((await attach()).body).detail.message).toContain('faulty: Xid 79');
    expect((await admin.call('repairAdminGpu', { path })).body).toMatchObject({ state: 'free', fault: null });
    expect((await admin.call('repairAdminGpu', { path })).status).toBe(409);
    expect((await eventsOf(id)).slice(-6)).toEqual([
      'reserved',
      'released',
      'attached',
      'faulty',
      'freed',
      'repaired',
    ]);
    const { user_id } = await identityOf(db, admin.email ?? '');
    const events = (
      await admin.call('listAdminGpuEvents', {
        query: { filter: JSON.stringify({ gpu_id: id, kind: 'freed' }) },
      })
    ).body as AdminGpuEvent[];
    expect(events[0]).toMatchObject({ user_id, team_id, cvm_id: cvm.vm_uuid });
    const one = await admin.call('getAdminGpuEvent', { path: { id: events[0]?.id ?? 0 } });
    expect(one.body).toMatchObject({ kind: 'freed' });
    const elsewhere = await insertHost(db);
    const app = await insertApp(db, { team_id, host: elsewhere, name: 'elsewhere' });
    const remoteCvm = await insertCvm(db, { ...app, host: elsewhere });
    const wrong = await admin.call('attachAdminGpu', {
      path: { id: neighbour?.id ?? 0 },
      body: { cvm_id: remoteCvm.vm_uuid },
    });
    expect(problemOf(wrong.body).detail.message).toContain('different hosts');
    await resetGpus();
  });

  it.each(['support', 'finance', 'infra'] as const)(
    'can be changed only by permitted roles (%s)',
    async (role) => {
      const staff = await server.register();
      const { db } = server.services;
      await db
        .updateTable('users')
        .set({ platform_role: role })
        .where('email', '=', staff.email ?? '')
        .execute();
      const [gpu] = await list({ teepod_id: host.teepod.id });
      const path = { id: gpu?.id ?? 0 };
      const seen = await staff.call('getAdminGpu', { path });
      expect(seen.status).toBe(role === 'finance' ? 403 : 200);
      const done = await staff.call('markAdminGpuFaulty', { path, body: { reason: 'test' } });
      expect(done.status).toBe(role === 'infra' ? 200 : 403);
      await resetGpus();
    },
  );
});

describe('GPU contention', () => {
  it('attaches exactly 8 GPUs for 50 concurrent requests, and reports what is missing to the others', async () => {
    const gpus = await list({ teepod_id: host.teepod.id });
    const cvms = await Promise.all(Array.from({ length: 50 }, (_, i) => stoppedCvm(`crowd-${i}`)));
    const answers = await Promise.all(
      cvms.map((cvm, i) =>
        admin.call('attachAdminGpu', { path: { id: gpus[i % 8]?.id ?? 0 }, body: { cvm_id: cvm.vm_uuid } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(42);
    for (const { body } of refused)
      expect(problemOf(body).detail.message).toMatch(
        /attached to the CVM “crowd-\d+” of .*; \d of the host's 8 GPUs (is|are) free/,
      );
    const after = await list({ teepod_id: host.teepod.id });
    expect(new Set(after.map(({ cvm_id }) => cvm_id)).size).toBe(8);
    expect(after.every(({ state }) => state === 'attached')).toBe(true);
    await resetGpus();
  });

  it('reserves 8 GPUs for 12 concurrent deployments, and releases expired reservations', async () => {
    const { db } = server.services;
    await db
      .updateTable('teams')
      .set({ max_vcpu: 1000, max_memory_mb: 10_000_000, max_disk_gb: 100_000 })
      .execute();
    await db
      .updateTable('teepods')
      .set({ max_vcpu: 1000, max_memory_mb: 10_000_000, max_disk_gb: 100_000 })
      .where('id', '=', host.teepod.id)
      .execute();
    const provision = (name: string) =>
      member.call('provisionCvm', {
        body: { name, instance_type: 'h200.small', compose_file: { docker_compose_file: COMPOSE } },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => provision(`gpu-app-${i}`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses, JSON.stringify(answers.map(({ body }) => body).slice(0, 1))).toEqual([
      ...Array(8).fill(200),
      ...Array(4).fill(400),
    ]);
    const refused = answers.find(({ status }) => status === 400);
    expect(problemOf(refused?.body)).toMatchObject({ code: 'ERR-02-007' });
    expect(problemOf(refused?.body).detail.message).toMatch(/No host has a GPU free.*most free: 0/);
    const held = await list({ teepod_id: host.teepod.id });
    expect(held.every(({ state, held_until }) => state === 'reserved' && held_until !== null)).toBe(true);
    await db
      .updateTable('reservations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect((await list({ state: 'free' })).length).toBeGreaterThanOrEqual(8);
    await housekeeping(db);
    const [gpu] = await list({ teepod_id: host.teepod.id });
    expect((await eventsOf(gpu?.id ?? 0)).slice(-2)).toEqual(['held', 'freed']);
    // One is reserved for a team, so the other team finds one less.
    for (const { id } of await list({ teepod_id: host.teepod.id }))
      await admin.call('reserveAdminGpu', { path: { id }, body: { team_id: other_team } });
    expect((await provision('not-theirs')).status).toBe(400);
    await resetGpus();
  });
});

describe('a CVM with a GPU', () => {
  const state = async (cvm_id: string, wanted: string, client = member) =>
    eventually(`the CVM is ${wanted}`, async () => {
      const { body } = await client.call('getCvm', { path: { cvm_id } });
      const cvm = body as { status: string; in_progress: boolean };
      return cvm.status === wanted && !cvm.in_progress;
    });
  const requestsTo = (path: string) =>
    fake.bodies.filter((_, i) => fake.requests[i]?.startsWith(path)) as {
      gpus?: { gpus: { slot: string }[] };
    }[];
  let vm_uuid: string;

  it('has the GPU attached on its host, and releases it when moved to the recycle bin', async () => {
    const { body } = await member.call('provisionCvm', {
      body: { name: 'gpu-life', instance_type: 'h200.small', compose_file: { docker_compose_file: COMPOSE } },
    });
    const { app_id, compose_hash } = body as { app_id: string; compose_hash: string };
    const made = await member.call('createCvm', { body: { app_id, compose_hash } });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    ({ vm_uuid } = made.body as { vm_uuid: string });
    await state(vm_uuid, 'running');
    expect(requestsTo('/prpc/CreateVm').at(-1)?.gpus).toEqual({
      attach_mode: 'listed',
      gpus: [{ slot: '0000:10:00.0' }],
    });
    expect((await list({ cvm_id: vm_uuid }))[0]).toMatchObject({ slot: '0000:10:00.0', state: 'attached' });
    // The host correctly reports it as taken.
    await discover();
    expect((await list({ cvm_id: vm_uuid }))[0]).toMatchObject({ used_elsewhere: false });
    const bigger = await member.call('patchCvm', { path: { cvm_id: vm_uuid }, body: { vcpu: 2 } });
    expect(problemOf(bigger.body).detail.message).toContain('keeps the vCPU and memory');
    expect((await member.call('deleteCvm', { path: { cvm_id: vm_uuid } })).status).toBe(204);
    await eventually('its GPU is free', async () => (await list({ cvm_id: vm_uuid })).length === 0);
    expect(requestsTo('/prpc/UpdateVm').at(-1)?.gpus).toEqual({ attach_mode: 'listed', gpus: [] });
  });

  it('is restored with another GPU, or rejected while none is free', async () => {
    const gpus = await list({ teepod_id: host.teepod.id });
    for (const { id } of gpus)
      await admin.call('reserveAdminGpu', { path: { id }, body: { team_id: other_team } });
    const restore = () => member.call('restoreCvm', { path: { cvm_id: vm_uuid }, body: {} });
    const refused = await restore();
    expect(refused.status, JSON.stringify(refused.body)).toBe(400);
    expect(problemOf(refused.body).detail.message).toContain('0 GPUs free for the team, 1 needed');
    await admin.call('releaseAdminGpu', { path: { id: gpus[5]?.id ?? 0 } });
    expect((await restore()).status).toBe(200);
    await state(vm_uuid, 'running');
    expect((await list({ cvm_id: vm_uuid }))[0]).toMatchObject({ slot: gpus[5]?.slot });
    expect(requestsTo('/prpc/UpdateVm').at(-1)?.gpus).toEqual({
      attach_mode: 'listed',
      gpus: [{ slot: gpus[5]?.slot }],
    });
  });

  it('releases its GPU when destroyed', async () => {
    await member.call('deleteCvm', { path: { cvm_id: vm_uuid } });
    await eventually('the CVM is in the recycle bin', async () => {
      const { body } = await member.call('listRecycledCvms');
      return (body as { data: { vm_uuid: string; in_progress: boolean }[] }).data.some(
        (one) => one.vm_uuid === vm_uuid && !one.in_progress,
      );
    });
    expect(await list({ cvm_id: vm_uuid })).toEqual([]);
    expect((await list({ slot: '0000:15:00.0' }))[0]?.state).toBe('free');
  });

  it('gets all GPUs of its host, and host ports', async () => {
    await resetGpus();
    await discover();
    await server.services.db.updateTable('instance_types').set({ gpu_count: 8 }).execute();
    const ports = [{ protocol: 'tcp', host_port: 8443, vm_port: 443 }];
    const asks = { gpus: { attach_mode: 'all' }, ports, compose_file: { docker_compose_file: COMPOSE } };
    const body = { name: 'all-gpus', instance_type: 'h200.small', ...asks };
    const made = (await member.call('provisionCvm', { body })).body;
    const { app_id, compose_hash } = made as { app_id: string; compose_hash: string };
    await member.call('createCvm', { body: { app_id, compose_hash } });
    await state(app_id, 'running');
    expect(requestsTo('/prpc/CreateVm').at(-1)).toMatchObject({
      gpus: { attach_mode: 'all', gpus: [] },
      ports: [{ ...ports[0], host_address: '' }],
    });
    const network = await member.call('getCvmNetwork', { path: { cvm_id: app_id } });
    expect(network.body).toMatchObject({ host_ports: { requested: ports, mappings: ports } });
  });
});
