import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdminDrain,
  AdminDrainCvm,
  Problem,
  Provision,
  Rollout,
} from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { COMPOSE } from '../../testing/cvmFixtures';
import { endedOperation } from '../../testing/hostedCvm';
import { eventually, type TestClient } from '../../testing/server';
import { startFleet, type Fleet } from './testing/fleet';
import { hostRound } from './testing/hostRound';

/** Host ports over a CVM's life: each belongs to at most one CVM of a host at a time, and only to an eligible one. */
let fleet: Fleet;
let other: TestClient;
let port = 8100;

beforeAll(async () => {
  fleet = await startFleet();
  other = await fleet.server.register();
  await db()
    .updateTable('kms')
    .set({ url: `${a().fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey, ca_pubkey: 'ab'.repeat(45) })
    .where('id', '=', a().host.kms.id)
    .execute();
  // Hosts report in a round whether they map ports.
  for (const on of fleet.hosts) await round(on);
});
beforeEach(() => {
  port += 1;
});
afterEach(async () => {
  for (const { fake } of fleet.hosts) {
    fake.on('/prpc/CreateVm', () => 'pass');
    fake.hidden.clear();
  }
  await db().updateTable('teepods').set({ state: 'online' }).execute();
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const a = () => fleet.hosts[0]!;
const b = () => fleet.hosts[1]!;
const driverOf = ({ host }: Fleet['hosts'][number]) => fleet.server.services.vmm.get(host.teepod);
const mapping = () => ({ protocol: 'tcp' as const, host_port: port, vm_port: 80 });
const at = (cvm: CvmRow) => ({ cvm_id: cvm.vm_uuid });
const now = (cvm: CvmRow) =>
  db().selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();

const provision = (client: TestClient, on = a()) =>
  client.call('provisionCvm', {
    body: {
      name: `ports-${port}`,
      teepod_id: on.host.teepod.id,
      ports: [mapping()],
      compose_file: { docker_compose_file: COMPOSE },
    },
  });

/** A running CVM with the test's port. */
async function deployed(on = a(), client = fleet.member): Promise<CvmRow> {
  const provisioned = await provision(client, on);
  expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
  const { app_id, compose_hash } = provisioned.body as Provision;
  const created = await client.call('createCvm', { body: { app_id, compose_hash } });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  const { vm_uuid } = created.body as { vm_uuid: string };
  const cvm = await db()
    .selectFrom('cvms')
    .selectAll()
    .where('vm_uuid', '=', vm_uuid)
    .executeTakeFirstOrThrow();
  expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
  return now(cvm);
}

/** Whether the test's port is free on the host, by another team's deployment. */
async function isFree(on = a()): Promise<boolean> {
  const reply: { status: number; body: unknown } = await provision(other, on);
  if (reply.status === 200) {
    const { app_id } = reply.body as Provision;
    const { id } = await db()
      .selectFrom('provisions')
      .select('id')
      .where('app_id', '=', app_id)
      .executeTakeFirstOrThrow();
    await db().deleteFrom('reservations').where('provision_id', '=', id).execute();
    return true;
  }
  expect((reply.body as Problem).message).toContain(`Port ${port}/tcp`);
  return false;
}

const portsOf = async (host_vm_id: string | null, on = a()) =>
  (await driverOf(on).getInfo(host_vm_id ?? ''))?.configuration?.ports.map(({ host_port }) => host_port);

const round = (on = a()) => hostRound(fleet, on);

/** Puts the CVM in the state the reconciler sets after its host hasn't listed the VM for a while. */
async function lost(): Promise<CvmRow> {
  const cvm = await deployed();
  a().fake.hidden.add(cvm.host_vm_id!);
  await db()
    .updateTable('cvms')
    // Invalidates the result of a reconciler round in progress.
    .set({ status: 'lost', missing_since: new Date(Date.now() - 120_000), updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  return now(cvm);
}

const giveUp = (cvm: CvmRow) => fleet.member.call('giveUpCvm', { path: at(cvm), body: { name: cvm.name } });

async function givenUp(): Promise<{ cvm: CvmRow; old: string }> {
  const { host_vm_id: old, ...cvm } = await lost();
  expect((await giveUp(cvm as CvmRow)).status).toBe(200);
  expect(await endedOperation(db(), cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
  return { cvm: await now(cvm as CvmRow), old: old! };
}

async function destroyed(cvm: CvmRow): Promise<void> {
  const { status } = await fleet.member.call('deleteCvm', { path: at(cvm), query: { permanently: true } });
  expect(status).toBe(204);
  await eventually('it is deleted', async () => (await now(cvm)).status === 'deleted');
}

const eventsOf = async (cvm: CvmRow, kind: string) =>
  db()
    .selectFrom('events')
    .select(['message', 'data'])
    .where('cvm_id', '=', cvm.id)
    .where('kind', '=', kind)
    .execute();

describe('a lost CVM', () => {
  it('keeps its port until it is given up, and its new VM gets it', async () => {
    const cvm = await lost();
    expect(await isFree()).toBe(false);
    expect((await giveUp(cvm)).status).toBe(200);
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
    const { host_vm_id } = await now(cvm);
    expect(host_vm_id).not.toBe(cvm.host_vm_id);
    expect(await portsOf(host_vm_id)).toEqual([port]);
    expect(await isFree()).toBe(false);
  });

  it('gets it even if the host lists its old VM again before the new one is created', async () => {
    const cvm = await lost();
    a().fake.on('/prpc/CreateVm', (_request, response) => {
      a().fake.hidden.clear();
      a().fake.on('/prpc/CreateVm', () => 'pass');
      response.destroy();
    });
    expect((await giveUp(cvm)).status).toBe(200);
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
    expect(await driverOf(a()).getInfo(cvm.host_vm_id!)).toMatchObject({
      status: 'stopped',
      configuration: { ports: [], disk_size: cvm.disk_gb },
    });
  });

  it('keeps it when the start after giving up is canceled, and frees it when it is deleted', async () => {
    const cvm = await lost();
    a().fake.on('/prpc/CreateVm', (_request, response) => response.destroy());
    expect((await giveUp(cvm)).status).toBe(200);
    expect((await fleet.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBeLessThan(300);
    a().fake.on('/prpc/CreateVm', () => 'pass');
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'cancelled' });
    expect(await isFree()).toBe(false);
    expect((await fleet.member.call('startCvm', { path: at(cvm) })).status).toBe(200);
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
    await destroyed(cvm);
    expect(await isFree()).toBe(true);
  });

  it('frees it when it is deleted', async () => {
    const cvm = await lost();
    await destroyed(cvm);
    expect(await isFree()).toBe(true);
  });

  it('has replicas without ports, on its host and on others', async () => {
    const cvm = await lost();
    for (const on of [a(), b()]) {
      const made = await fleet.member.call('createCvmReplica', {
        path: at(cvm),
        body: { node_id: on.host.teepod.id },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const { vm_uuid } = made.body as { vm_uuid: string };
      const replica = await db()
        .selectFrom('cvms')
        .selectAll()
        .where('vm_uuid', '=', vm_uuid)
        .executeTakeFirstOrThrow();
      expect(await endedOperation(db(), replica)).toMatchObject({ state: 'succeeded' });
      expect(replica.ports).toEqual([]);
      expect(await portsOf((await now(replica)).host_vm_id, on)).toEqual([]);
    }
    // The ports still belong to the lost CVM, which may return with them.
    expect(await isFree()).toBe(false);
    a().fake.hidden.clear();
    await round();
    expect((await now(cvm)).status).toBe('running');
    expect(await portsOf(cvm.host_vm_id)).toEqual([port]);
  });
});

describe('a given-up VM that its host lists again', () => {
  it('is stopped and leaves its port to the new VM, with its disk kept', async () => {
    const { cvm, old } = await givenUp();
    a().fake.hidden.clear();
    await eventually('the old VM has no ports', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    expect(await driverOf(a()).getInfo(old)).toMatchObject({
      status: 'stopped',
      configuration: { disk_size: cvm.disk_gb },
    });
    expect(await driverOf(a()).getInfo(cvm.host_vm_id!)).toMatchObject({ status: 'running' });
    expect(await portsOf(cvm.host_vm_id)).toEqual([port]);
    expect(await eventsOf(cvm, 'cvm.vm_detached')).toMatchObject([
      { message: expect.stringContaining(`port ${port}/tcp`), data: { host_vm_id: old } },
    ]);
    // A restart by an administrator is not overruled.
    await driverOf(a()).startVm(old);
    await round();
    expect((await driverOf(a()).getInfo(old))?.status).toBe('running');
  });

  it('frees it for any CVM once its own is deleted', async () => {
    const { cvm, old } = await givenUp();
    await destroyed(cvm);
    expect(await isFree()).toBe(true);
    a().fake.hidden.clear();
    await eventually('the old VM has no ports', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    const next = await deployed(a(), other);
    expect(await portsOf(next.host_vm_id)).toEqual([port]);
    expect(await driverOf(a()).getInfo(old)).not.toBeNull();
  });

  it('is switched off when its guest does not shut down', async () => {
    const { old } = await givenUp();
    a().fake.hidden.clear();
    let asked = 0;
    a().fake.on('/prpc/ShutdownVm', (_request, response) => {
      asked += 1;
      response.writeHead(400).end('{"error":"Failed to connect to guest agent"}');
    });
    await eventually('the old VM has no ports', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    a().fake.on('/prpc/ShutdownVm', () => 'pass');
    expect(asked).toBeGreaterThan(0);
  });
});

describe('a CVM with a host port', () => {
  it('keeps it through a resize and an update', async () => {
    const cvm = await deployed();
    const resized = await fleet.member.call('patchCvm', { path: at(cvm), body: { vcpu: 2 } });
    expect(resized.status, JSON.stringify(resized.body)).toBe(202);
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
    const docker_compose_file = COMPOSE.replace('GREETING}', 'GREETING:-hello}');
    expect(
      (await fleet.member.call('patchCvm', { path: at(cvm), body: { docker_compose_file } })).status,
    ).toBe(202);
    expect(await endedOperation(db(), cvm)).toMatchObject({ type: 'update', state: 'succeeded' });
    const { host_vm_id, vcpu } = await now(cvm);
    expect({ host_vm_id, vcpu }).toEqual({ host_vm_id: cvm.host_vm_id, vcpu: 2 });
    expect(await portsOf(host_vm_id)).toEqual([port]);
    expect(await isFree()).toBe(false);
  });

  it('keeps it through a rollout, and its replica has none', async () => {
    const cvm = await deployed();
    const made = await fleet.member.call('createCvmReplica', {
      path: at(cvm),
      body: { node_id: a().host.teepod.id },
    });
    const { vm_uuid } = made.body as { vm_uuid: string };
    const replica = await db()
      .selectFrom('cvms')
      .selectAll()
      .where('vm_uuid', '=', vm_uuid)
      .executeTakeFirstOrThrow();
    expect(await endedOperation(db(), replica)).toMatchObject({ state: 'succeeded' });
    const { app_id } = await db()
      .selectFrom('apps')
      .select('app_id')
      .where('id', '=', cvm.app_id)
      .executeTakeFirstOrThrow();
    const begun = await fleet.member.call('createRollout', {
      path: { app_id },
      body: {
        docker_compose_file: COMPOSE.replace('GREETING}', 'GREETING:-rolled}'),
        settle_seconds: 0,
        health_timeout_seconds: 10,
      },
    });
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
    const { rollout_id } = begun.body as Rollout;
    await eventually(
      'the rollout has ended',
      async () => {
        const { body } = await fleet.member.call('getRollout', { path: { app_id, rollout_id } });
        return (body as Rollout).state === 'succeeded';
      },
      60,
    );
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
    expect(await portsOf((await now(replica)).host_vm_id)).toEqual([]);
    expect(await isFree()).toBe(false);
  });

  it('keeps it in the recycle bin, where it can be restored, and frees it when it is purged', async () => {
    const cvm = await deployed();
    expect((await fleet.member.call('deleteCvm', { path: at(cvm) })).status).toBe(204);
    expect(await endedOperation(db(), cvm)).toMatchObject({ type: 'delete', state: 'succeeded' });
    expect(await isFree()).toBe(false);
    expect((await fleet.member.call('restoreCvm', { path: at(cvm), body: {} })).status).toBe(200);
    expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
    expect((await fleet.member.call('deleteCvm', { path: at(cvm) })).status).toBe(204);
    expect(await endedOperation(db(), cvm)).toMatchObject({ type: 'delete', state: 'succeeded' });
    expect((await fleet.member.call('purgeRecycledCvm', { path: at(cvm) })).status).toBeLessThan(300);
    await eventually('it is purged', async () => (await now(cvm)).status === 'deleted');
    expect(await isFree()).toBe(true);
  });
});

describe('a move of a CVM with a host port', () => {
  const drain = async (): Promise<number> => {
    const { status, body } = await fleet.admin.call('drainAdminTeepod', {
      path: { id: a().host.teepod.id },
      body: { reason: 'Memory is being replaced.', others: 'leave', movable: 'move' },
    });
    expect(status, JSON.stringify(body)).toBe(202);
    return (body as AdminDrain).id;
  };
  const itemOf = async (id: number, cvm: CvmRow) => {
    const filter = JSON.stringify({ drain_id: id });
    const { body } = await fleet.admin.call('listAdminDrainCvms', { query: { filter, range: '[0,99]' } });
    return (body as AdminDrainCvm[]).find(({ name }) => name === cvm.name);
  };
  const movable = async (): Promise<CvmRow> => {
    const cvm = await deployed();
    const allowed = await fleet.member.call('setCvmMovable', { path: at(cvm), body: { movable: true } });
    expect(allowed.status).toBe(204);
    return cvm;
  };

  it('takes the other host’s port and frees its old one', async () => {
    const cvm = await movable();
    const id = await drain();
    await eventually('it is moved', async () => (await itemOf(id, cvm))?.state === 'moved', 60);
    await fleet.admin.call('cancelAdminDrain', { path: { id } });
    const moved = await now(cvm);
    expect(moved.teepod_id).toBe(b().host.teepod.id);
    expect(await portsOf(moved.host_vm_id, b())).toEqual([port]);
    expect(await isFree(b())).toBe(false);
    await db().updateTable('teepods').set({ state: 'online' }).execute();
    expect(await isFree(a())).toBe(true);
  });

  it('is refused while another CVM has the port there', async () => {
    const cvm = await movable();
    const neighbor = await deployed(b(), other);
    const id = await drain();
    const item = await eventually(
      'it is blocked',
      async () => {
        const found = await itemOf(id, cvm);
        return found?.state === 'blocked' ? found : null;
      },
      60,
    );
    expect(item.message).toContain(`Port ${port}/tcp of ${b().host.teepod.name} is mapped to another CVM`);
    await fleet.admin.call('cancelAdminDrain', { path: { id } });
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
    expect(await portsOf(neighbor.host_vm_id, b())).toEqual([port]);
  });
});
