import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminDrain, AdminDrainCvm, AdminGpu } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { readGpus } from '../../../jobs/hosts/testing/everyHost';
import { identityOf } from '../../../testing/cvmFixtures';
import { runningCvm } from '../../../testing/hostedCvm';
import { eventually } from '../../../testing/server';
import { startFleet, type Fleet } from '../testing/fleet';

/** Draining a host with GPU CVMs. Unlike dstack-vmm, these fake hosts refuse to give one GPU to two VMs. */
const H200 = { product_id: '10de:2335', description: 'NVIDIA H200' };
const L40 = { product_id: '10de:26b5', description: 'NVIDIA L40' };
const OWN = ['0000:10:00.0', '0000:11:00.0'];
const [BROKEN, OTHERS, ANOTHER_KIND] = ['0000:20:00.0', '0000:21:00.0', '0000:22:00.0'] as const;

let fleet: Fleet;
let other_team: number;
beforeAll(async () => {
  fleet = await startFleet({}, [
    OWN.map((slot) => ({ slot, ...H200 })),
    [
      { slot: BROKEN, ...H200 },
      { slot: OTHERS, ...H200 },
      { slot: ANOTHER_KIND, ...L40 },
    ],
  ]);
  await readGpus(fleet.server.services);
  other_team = (await identityOf(db(), fleet.admin.email ?? '')).team_id;
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const source = () => fleet.hosts[0]!;
const target = () => fleet.hosts[1]!;
const gpu = async (slot: string) =>
  (
    (await fleet.admin.call('listAdminGpus', { query: { filter: JSON.stringify({ slot }) } }))
      .body as AdminGpu[]
  )[0]!;
const eventKinds = async ({ id }: AdminGpu) =>
  (await db().selectFrom('gpu_events').select('kind').where('gpu_id', '=', id).orderBy('id').execute()).map(
    ({ kind }) => kind,
  );
const cvmRow = (id: number) =>
  db().selectFrom('cvms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Slots assigned to the host's VMs, as the host reports them. */
const assignedSlots = async ({ host }: Fleet['hosts'][number]) =>
  (await fleet.server.services.vmm.get(host.teepod).listGpus()).gpus
    .filter(({ is_free }) => !is_free)
    .map(({ slot }) => slot);

/** Creates a CVM that runs on the first host with this GPU and that its owner allows to be moved. */
async function withGpu(name: string, slot: string): Promise<CvmRow> {
  const { cvm } = await runningCvm(fleet.server.services, { host: source().host, ...fleet.who, name });
  await db().updateTable('cvms').set({ name, movable: true }).where('id', '=', cvm.id).execute();
  const path = { cvm_id: cvm.vm_uuid };
  const settled = (status: string) =>
    eventually(`${name} is ${status}`, async () => {
      const { body } = await fleet.member.call('getCvm', { path });
      return body.status === status && !body.in_progress;
    });
  expect((await fleet.member.call('stopCvm', { path })).status).toBe(200);
  await settled('stopped');
  const { id } = await gpu(slot);
  const attached = await fleet.admin.call('attachAdminGpu', { path: { id }, body: { cvm_id: cvm.vm_uuid } });
  expect(attached.status, JSON.stringify(attached.body)).toBe(200);
  expect((await fleet.member.call('startCvm', { path })).status).toBe(200);
  await settled('running');
  expect(await assignedSlots(source())).toContain(slot);
  return cvmRow(cvm.id);
}

async function startDrain(): Promise<number> {
  const started = await fleet.admin.call('drainAdminTeepod', {
    path: { id: source().host.teepod.id },
    body: { reason: 'A fan is being replaced.', others: 'leave' },
  });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return (started.body as AdminDrain).id;
}
const item = async (drain_id: number, name: string) =>
  (
    (await fleet.admin.call('listAdminDrainCvms', { query: { filter: JSON.stringify({ drain_id }) } }))
      .body as AdminDrainCvm[]
  ).find((one) => one.name === name);

describe('draining a host with GPUs', () => {
  it('reports which GPU is missing elsewhere, and moves the CVM once a matching one is free', async () => {
    const [kept] = OWN as [string, string];
    const reserve = (id: number, team_id: number) =>
      fleet.admin.call('reserveAdminGpu', { path: { id }, body: { team_id } });
    expect((await reserve((await gpu(kept)).id, fleet.who.team_id)).status).toBe(200);
    expect((await reserve((await gpu(OTHERS)).id, other_team)).status).toBe(200);
    const faulty = { path: { id: (await gpu(BROKEN)).id }, body: { reason: 'Xid 79' } };
    expect((await fleet.admin.call('markAdminGpuFaulty', faulty)).status).toBe(200);
    const cvm = await withGpu('trains', kept);

    const id = await startDrain();
    const blocked = await eventually('the move is blocked', async () => {
      const one = await item(id, 'trains');
      return one?.state === 'blocked' && one;
    });
    expect(blocked).toMatchObject({
      action: 'move',
      message: `It needs 1 × NVIDIA H200. The closest host, ${target().host.teepod.name}, has 2: 1 reserved for other teams, 1 out of service.`,
    });
    expect(await cvmRow(cvm.id)).toMatchObject({ status: 'running', teepod_id: source().host.teepod.id });
    expect(await gpu(kept)).toMatchObject({ state: 'attached', cvm_id: cvm.vm_uuid, reserved: true });
    expect(await assignedSlots(source())).toEqual([kept]);

    const free = await gpu(OTHERS);
    expect((await fleet.admin.call('releaseAdminGpu', { path: { id: free.id } })).status).toBe(200);
    const decided = { path: { id: blocked.id }, body: { action: 'move' } };
    expect((await fleet.admin.call('decideAdminDrainCvm', decided)).status).toBe(200);
    await eventually('the CVM is moved', async () => (await item(id, 'trains'))?.state === 'moved');
    expect(await cvmRow(cvm.id)).toMatchObject({
      status: 'running',
      teepod_id: target().host.teepod.id,
      gpus: 1,
    });
    expect(await gpu(OTHERS)).toMatchObject({ state: 'attached', cvm_id: cvm.vm_uuid });
    expect(await assignedSlots(target())).toEqual([OTHERS]);
    expect(await gpu(ANOTHER_KIND)).toMatchObject({ state: 'free' });
    // On the old host the GPU is still reserved for the team, and no CVM has it.
    expect(await gpu(kept)).toMatchObject({ state: 'reserved', cvm_id: null, team_id: fleet.who.team_id });
    expect((await eventKinds(await gpu(kept))).slice(-2)).toEqual(['attached', 'freed']);
    await eventually(
      'the old host reports the GPU as free',
      async () => (await assignedSlots(source())).length === 0,
    );
    const held = await db().selectFrom('reservations').selectAll().where('cvm_id', '=', cvm.id).execute();
    expect(held).toMatchObject([{ teepod_id: target().host.teepod.id, moving: false }]);
    await eventually('the drain has ended', async () => {
      const { body } = await fleet.admin.call('getAdminDrain', { path: { id } });
      return body.state === 'succeeded';
    });
  });

  it("keeps a CVM's GPU when the other host cannot boot it, and frees the one there", async () => {
    const [, slot] = OWN as [string, string];
    const path = { id: (await gpu(BROKEN)).id };
    expect((await fleet.admin.call('repairAdminGpu', { path })).status).toBe(200);
    await db()
      .updateTable('teepods')
      .set({ state: 'online' })
      .where('id', '=', source().host.teepod.id)
      .execute();
    const cvm = await withGpu('returns', slot);
    target().fake.on('/prpc/CreateVm', (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no more memory"}'),
    );
    const id = await startDrain();
    const failed = await eventually('the move has failed', async () => {
      const one = await item(id, 'returns');
      return one?.state === 'blocked' && one;
    });
    expect(failed.message).toContain('no more memory');
    expect((await fleet.admin.call('cancelAdminDrain', { path: { id } })).status).toBe(200);
    expect(await cvmRow(cvm.id)).toMatchObject({ status: 'running', teepod_id: source().host.teepod.id });
    expect(await gpu(slot)).toMatchObject({ state: 'attached', cvm_id: cvm.vm_uuid });
    expect(await assignedSlots(source())).toEqual([slot]);
    expect(await gpu(BROKEN)).toMatchObject({ state: 'free' });
    expect((await eventKinds(await gpu(BROKEN))).slice(-2)).toEqual(['attached', 'freed']);
  });
});
