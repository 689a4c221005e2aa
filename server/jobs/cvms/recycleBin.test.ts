import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CvmDetail, Provision, RecycledCvm, RecycledCvmPage } from '../../../generated/api/types.gen';
import {
  eventually,
  PASSWORD,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';

/** Deleting, restoring and destroying on a simulated host, and scheduled changes of CVMs. */
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n';
let server: TestServer;
let person: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  server = await startTestServer({ teepod: true, env: { LOCAL_TEEPOD_MAX_CVMS: '30' } });
  person = await server.register();
  stranger = await server.register();
});
afterAll(() => server?.stop());

async function deploy(name: string): Promise<string> {
  const { body } = await person.call('provisionCvm', {
    body: { name, compose_file: { docker_compose_file: COMPOSE } },
  });
  const { app_id, compose_hash } = body as Provision;
  const made = await person.call('createCvm', { body: { app_id, compose_hash } });
  expect(made.status).toBe(200);
  const { vm_uuid } = made.body as { vm_uuid: string };
  await settled(vm_uuid, 'running');
  return vm_uuid;
}

const read = (cvm_id: string) => person.call('getCvm', { path: { cvm_id } });
const remove = (cvm_id: string, query = {}) => person.call('deleteCvm', { path: { cvm_id }, query });
const settled = (cvm_id: string, status: string) =>
  eventually(`${cvm_id} is ${status}`, async () => {
    const cvm = (await read(cvm_id)).body as CvmDetail;
    return cvm.status === status && !cvm.in_progress ? cvm : null;
  });
const bin = async (client = person) => ((await client.call('listRecycledCvms')).body as RecycledCvmPage).data;
const inBin = (vm_uuid: string) =>
  eventually('it is in the bin, stopped', async () => {
    const found = (await bin()).find((one) => one.vm_uuid === vm_uuid);
    return found && !found.in_progress ? found : null;
  });
const row = (vm_uuid: string) =>
  server.services.db.selectFrom('cvms').selectAll().where('vm_uuid', '=', vm_uuid).executeTakeFirstOrThrow();
const held = async (vm_uuid: string) => {
  const { rows } = await sql<{ vcpu: number; memory_mb: number; disk_gb: number }>`
    select vcpu, memory_mb, disk_gb from reservations where cvm_id = (select id from cvms where vm_uuid = ${vm_uuid}::uuid)`.execute(
    server.services.db,
  );
  return rows[0];
};
async function onHost(vm_uuid: string) {
  const teepod = await server.services.db.selectFrom('teepods').selectAll().executeTakeFirstOrThrow();
  const { vms } = await server.services.vmm.get(teepod).status({ brief: true });
  return vms.find((vm) => vm.name.endsWith(vm_uuid.replaceAll('-', '')))?.status;
}
const set = (vm_uuid: string, change: Record<string, unknown>) =>
  server.services.db
    .updateTable('cvms')
    .set(change as never)
    .where('vm_uuid', '=', vm_uuid)
    .execute();
const kinds = async (vm_uuid: string) => {
  const { rows } = await sql<{ kind: string }>`
    select kind from events where cvm_id = (select id from cvms where vm_uuid = ${vm_uuid}::uuid) order by id`.execute(
    server.services.db,
  );
  return rows.map((one) => one.kind);
};

describe('a deleted CVM', () => {
  let vm_uuid: string;

  it('disappears for everyone immediately and stays stopped in the bin', async () => {
    vm_uuid = await deploy('bin-one');
    const before = await held(vm_uuid);
    expect((await remove(vm_uuid)).status).toBe(204);
    expect((await read(vm_uuid)).status).toBe(404);
    expect((await person.call('getCvm', { path: { cvm_id: 'bin-one' } })).status).toBe(404);
    expect(JSON.stringify((await person.call('listApps')).body)).not.toContain(vm_uuid);
    const found = await inBin(vm_uuid);
    expect(found).toMatchObject({
      name: 'bin-one',
      status: 'stopped',
      hourly_rate: '0.002',
      running_hourly_rate: '0.058',
      starts: true,
      name_taken: false,
      deleted_by: { username: expect.any(String) },
      lost: { disk_gb: 20, secrets: [], public_urls: [expect.stringContaining('-80.')] },
    } satisfies Partial<RecycledCvm> | object);
    expect(new Date(found.purge_at).getTime() - new Date(found.deleted_at).getTime()).toBe(24 * 3_600_000);
    // Its disk is kept; vCPU and memory are released.
    expect(await held(vm_uuid)).toEqual({ vcpu: 0, memory_mb: 0, disk_gb: before?.disk_gb });
    expect(await onHost(vm_uuid)).toMatch(/stopped|exited/);
    // Host events arrive at any time, so only Teehouse's own are compared.
    expect((await kinds(vm_uuid)).filter((kind) => !kind.startsWith('host.')).slice(-3)).toEqual([
      'delete.requested',
      'delete.succeeded',
      'cvm.recycled',
    ]);
    // The final event has the duration, so lists need not reach back to the request.
    const { body } = await person.call('listEvents', { query: { kind: 'delete.succeeded' } });
    expect(body).toMatchObject({ data: [{ data: { took_ms: expect.any(Number) as number } }] });
  });

  it("can't be deleted, started or read by its ID", async () => {
    expect((await remove(vm_uuid)).status).toBe(404);
    expect((await person.call('startCvm', { path: { cvm_id: vm_uuid } })).status).toBe(404);
  });

  it('is invisible to other teams', async () => {
    expect(await bin(stranger)).toEqual([]);
    for (const id of ['restoreCvm', 'purgeRecycledCvm'] as const)
      expect((await stranger.call(id, { path: { cvm_id: vm_uuid } })).body).toMatchObject({
        code: 'ERR-03-001',
      });
  });

  it('is restored as it was', async () => {
    const back = await person.call('restoreCvm', { path: { cvm_id: vm_uuid } });
    expect(back).toMatchObject({ status: 200, body: { name: 'bin-one', status: 'starting' } });
    const cvm = await settled(vm_uuid, 'running');
    expect(cvm.name).toBe('bin-one');
    expect(await held(vm_uuid)).toMatchObject({ vcpu: cvm.resource.vcpu });
    expect(await bin()).toEqual([]);
    // One operation, whose result says what it did.
    const { rows } = await sql<{
      kind: string;
      message: string;
      operation_id: number | null;
      restores: string | null;
    }>`
      select kind, message, operation_id, data ->> 'restores' as restores from events
      where cvm_id = (select id from cvms where vm_uuid = ${vm_uuid}::uuid)
        and (kind like 'start.%' or kind = 'cvm.restored') order by id`.execute(server.services.db);
    expect(new Set(rows.map(({ operation_id }) => operation_id)).size, JSON.stringify(rows)).toBe(1);
    expect(rows.map(({ kind, message }) => [kind, message])).toEqual([
      ['start.requested', 'Restore requested'],
      ['cvm.restored', 'Restored from the recycle bin'],
      ['start.succeeded', 'Restored from the recycle bin'],
    ]);
    expect(rows.at(-1)?.restores, 'pages recognize its end by it').toBe('true');
    const { app_id } = cvm;
    expect((await person.call('getApp', { path: { app_id: app_id ?? '' } })).body).toMatchObject({
      archived_at: null,
    });
    expect((await person.call('restoreCvm', { path: { cvm_id: vm_uuid } })).status).toBe(404);
  });

  it('is restored stopped if it was stopped', async () => {
    await person.call('stopCvm', { path: { cvm_id: vm_uuid } });
    await settled(vm_uuid, 'stopped');
    await remove(vm_uuid);
    expect(await inBin(vm_uuid)).toMatchObject({ starts: false });
    await person.call('restoreCvm', { path: { cvm_id: vm_uuid } });
    expect((await settled(vm_uuid, 'stopped')).desired_status).toBe('stopped');
    await person.call('startCvm', { path: { cvm_id: vm_uuid } });
    await settled(vm_uuid, 'running');
  });

  it('needs another name when its own is taken', async () => {
    await remove(vm_uuid);
    const lying = await inBin(vm_uuid);
    const other = await deploy('bin-one');
    expect((await bin())[0]).toMatchObject({ name: 'bin-one', name_taken: true });
    const refused = await person.call('restoreCvm', { path: { cvm_id: lying.id } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'ERR-01-004' } });
    expect(
      (await person.call('restoreCvm', { path: { cvm_id: lying.id }, body: { name: 'x' } })).body,
    ).toMatchObject({
      code: 'ERR-02-008',
    });
    const back = await person.call('restoreCvm', { path: { cvm_id: lying.id }, body: { name: 'bin-two' } });
    expect(back).toMatchObject({ status: 200, body: { name: 'bin-two', hostname: 'bin-one' } });
    await settled(vm_uuid, 'running');
    expect((await read(other)).status).toBe(200);
    await remove(other, { permanently: true });
  });

  it('reports that its host has no capacity for it', async () => {
    await remove(vm_uuid);
    await inBin(vm_uuid);
    const { db } = server.services;
    const { max_vcpu } = await db.selectFrom('teepods').select('max_vcpu').executeTakeFirstOrThrow();
    await db.updateTable('teepods').set({ max_vcpu: 0 }).execute();
    const refused = await person.call('restoreCvm', { path: { cvm_id: vm_uuid } });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'ERR-02-003', detail: { message: expect.stringContaining('no longer has capacity') } },
    });
    await db.updateTable('teepods').set({ max_vcpu }).execute();
    await db.updateTable('teams').set({ max_cvms: 0 }).execute();
    expect((await person.call('restoreCvm', { path: { cvm_id: vm_uuid } })).body).toMatchObject({
      code: 'ERR-02-015',
    });
    await db.updateTable('teams').set({ max_cvms: 1000 }).execute();
    expect((await bin()).map((one) => one.vm_uuid)).toEqual([vm_uuid]);
  });

  it('is destroyed immediately when a user confirms', async () => {
    await sql`update sessions set confirmed_at = now() - interval '1 hour'`.execute(server.services.db);
    expect((await person.call('purgeRecycledCvm', { path: { cvm_id: vm_uuid } })).body).toMatchObject({
      code: 'ERR-00-031',
    });
    await person.call('stepUp', { body: { method: 'password', secret: PASSWORD } });
    expect((await person.call('purgeRecycledCvm', { path: { cvm_id: vm_uuid } })).status).toBe(204);
    await eventually('its VM is gone', async () => (await onHost(vm_uuid)) === undefined);
    expect(await row(vm_uuid)).toMatchObject({
      status: 'deleted',
      purge_at: null,
      deleted_at: expect.any(Date),
    });
    expect(await held(vm_uuid)).toBeUndefined();
    expect(await kinds(vm_uuid)).toContain('purge.succeeded');
    expect((await person.call('restoreCvm', { path: { cvm_id: vm_uuid } })).status).toBe(404);
  });
});

describe('CVMs that are not kept', () => {
  it('are destroyed immediately on a permanent deletion', async () => {
    const vm_uuid = await deploy('for-good');
    expect((await remove(vm_uuid, { permanently: true })).status).toBe(204);
    expect((await read(vm_uuid)).status).toBe(404);
    await eventually('its VM is gone', async () => (await onHost(vm_uuid)) === undefined);
    expect((await bin()).map((one) => one.vm_uuid)).not.toContain(vm_uuid);
  });

  it('are destroyed immediately if their deployment never finished', async () => {
    const vm_uuid = await deploy('half-made');
    await sql`update operations set state = 'failed' where type = 'deploy'
      and cvm_id = (select id from cvms where vm_uuid = ${vm_uuid}::uuid)`.execute(server.services.db);
    await remove(vm_uuid);
    await eventually('it is deleted', async () => (await row(vm_uuid)).status === 'deleted');
    expect(await onHost(vm_uuid)).toBeUndefined();
  });
});

describe('the end of the 24 hours', () => {
  it('destroys disk and secrets, once', async () => {
    const vm_uuid = await deploy('outlived');
    await remove(vm_uuid);
    await inBin(vm_uuid);
    await set(vm_uuid, { purge_at: new Date(Date.now() - 1000) });
    await eventually('it is destroyed', async () => (await row(vm_uuid)).status === 'deleted');
    expect(await onHost(vm_uuid)).toBeUndefined();
    expect((await kinds(vm_uuid)).filter((kind) => kind.startsWith('purge.'))).toEqual([
      'purge.requested',
      'purge.succeeded',
    ]);
  });

  it('comes sooner when the team is deleted', async () => {
    const owner = await server.register();
    const { db } = server.services;
    const vm_uuid = await deploy('orphaned');
    await remove(vm_uuid);
    await inBin(vm_uuid);
    const { team_id } = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('team_id')
      .where('email', '=', owner.email)
      .executeTakeFirstOrThrow();
    await db.updateTable('teams').set({ deleted_at: new Date() }).where('id', '=', team_id).execute();
    await set(vm_uuid, { team_id });
    await eventually('it is destroyed', async () => (await row(vm_uuid)).status === 'deleted');
  });
});

describe('a CVM in the bin that its host starts again', () => {
  it('is stopped, and stays restorable', async () => {
    const vm_uuid = await deploy('sleepwalker');
    await remove(vm_uuid);
    await inBin(vm_uuid);
    const teepod = await server.services.db.selectFrom('teepods').selectAll().executeTakeFirstOrThrow();
    const { host_vm_id } = await row(vm_uuid);
    await server.services.vmm.get(teepod).startVm(host_vm_id ?? '');
    await eventually('it was started', async () => (await kinds(vm_uuid)).includes('cvm.repair'));
    await inBin(vm_uuid);
    await eventually('it is stopped', async () => (await onHost(vm_uuid)) !== 'running');
    expect((await person.call('restoreCvm', { path: { cvm_id: vm_uuid } })).status).toBe(200);
    await settled(vm_uuid, 'running');
    await remove(vm_uuid, { permanently: true });
  });
});

describe('the schedule', () => {
  it('stops a CVM on time, once, with a warning before', async () => {
    const vm_uuid = await deploy('night-off');
    const in90 = new Date(Date.now() + 90 * 60_000).toISOString();
    const answer = await person.call('scheduleCvmStop', {
      path: { cvm_id: vm_uuid },
      body: { scheduled_stop_at: in90 },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { scheduled_stop_at: in90, scheduled_delete_at: null },
    });
    expect((await read(vm_uuid)).body).toMatchObject({ scheduled_stop_at: in90 });
    expect(await kinds(vm_uuid)).not.toContain('cvm.schedule_warning');
    await set(vm_uuid, { scheduled_stop_at: new Date(Date.now() + 59 * 60_000) });
    await eventually('it is warned', async () => (await kinds(vm_uuid)).includes('cvm.schedule_warning'));
    await set(vm_uuid, { scheduled_stop_at: new Date(Date.now() - 1000) });
    await settled(vm_uuid, 'stopped');
    const all = await kinds(vm_uuid);
    expect(all.filter((kind) => kind === 'cvm.schedule_warning')).toHaveLength(1);
    expect(all.filter((kind) => kind === 'shutdown.requested')).toHaveLength(1);
    expect((await read(vm_uuid)).body).toMatchObject({ scheduled_stop_at: null });
    await remove(vm_uuid, { permanently: true });
  });

  it('deletes a CVM on time, into the bin', async () => {
    const vm_uuid = await deploy('week-long');
    await person.call('scheduleCvmDelete', {
      path: { cvm_id: vm_uuid },
      body: { scheduled_delete_at: new Date(Date.now() + 60_000).toISOString() },
    });
    await set(vm_uuid, { scheduled_delete_at: new Date(Date.now() - 1000) });
    await inBin(vm_uuid);
    expect((await kinds(vm_uuid)).filter((kind) => kind === 'delete.requested')).toHaveLength(1);
  });

  it('waits for a busy CVM', async () => {
    const vm_uuid = await deploy('busy-bee');
    const { id, team_id } = await row(vm_uuid);
    const { db } = server.services;
    const busy = await db
      .insertInto('operations')
      .values({
        correlation_id: crypto.randomUUID(),
        team_id,
        cvm_id: id,
        type: 'restart',
        state: 'running',
        target: 'running',
        requested_by: null,
        lease_owner: 'test',
        lease_until: new Date(Date.now() + 600_000),
        deadline_at: new Date(Date.now() + 600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await set(vm_uuid, { scheduled_stop_at: new Date(Date.now() - 1000) });
    // The round skips the busy one, so another CVM's later time is kept.
    const free = await deploy('free-bird');
    await set(free, { scheduled_stop_at: new Date(Date.now() - 1000) });
    await settled(free, 'stopped');
    expect(await kinds(vm_uuid)).not.toContain('shutdown.requested');
    await db.updateTable('operations').set({ state: 'succeeded' }).where('id', '=', busy.id).execute();
    await settled(vm_uuid, 'stopped');
  });
});
