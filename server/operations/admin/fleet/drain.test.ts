import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminDrain, AdminDrainCvm } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/schema';
import { uuidOfVmName } from '../../../domain/vmName';
import { runningCvm } from '../../../testing/hostedCvm';
import { eventually } from '../../../testing/server';
import { problemOf } from '../testing/admin';
import { startFleet, type Fleet } from './testing/fleet';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const source = () => fleet.hosts[0]!;
const target = () => fleet.hosts[1]!;
const cvmRow = (id: number) =>
  db().selectFrom('cvms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function hosted(name: string, change: Partial<Omit<CvmRow, 'id' | 'endpoints'>> = {}): Promise<CvmRow> {
  const { cvm } = await runningCvm(fleet.server.services, { host: source().host, ...fleet.who, name });
  return db()
    .updateTable('cvms')
    .set({ name, updated_at: new Date(), ...change })
    .where('id', '=', cvm.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const drain = (body: Record<string, unknown>) =>
  fleet.admin.call('drainAdminTeepod', {
    path: { id: source().host.teepod.id },
    body: { reason: 'Memory is being replaced.', ...body },
  });

async function itemsOf(id: number): Promise<Record<string, AdminDrainCvm>> {
  const reply = await fleet.admin.call('listAdminDrainCvms', {
    query: { filter: JSON.stringify({ drain_id: id }) },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const rows = reply.body as AdminDrainCvm[];
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

const reservationsOf = (cvm: CvmRow) =>
  db().selectFrom('reservations').select(['teepod_id', 'moving']).where('cvm_id', '=', cvm.id).execute();

const uuidsOn = async ({ host }: Fleet['hosts'][number]) =>
  (await fleet.server.services.vmm.get(host.teepod).status({ brief: true })).vms
    .filter((vm) => vm.status !== 'removing')
    .map((vm) => uuidOfVmName(vm.name));

async function inService() {
  for (const { host } of fleet.hosts)
    await db().updateTable('teepods').set({ state: 'online' }).where('id', '=', host.teepod.id).execute();
}

describe('a drain', () => {
  it('moves what may be moved, stops with notice, says what blocks it, and ends when a person decides', async () => {
    const movable = await hosted('movable', { movable: true });
    const keeper = await hosted('keeper');
    const stuck = await hosted('stuck', { movable: true, os_image: 'dstack-elsewhere' });
    const stop_at = new Date(Date.now() + 2_500).toISOString();
    const began = await drain({ stop_at });
    expect(began.status).toBe(202);
    const { id } = began.body as AdminDrain;

    // Told before anything is done to it.
    const told = await eventually('the owner of what is stopped is told', async () => {
      const item = (await itemsOf(id)).keeper;
      return item?.notified_at ? item : null;
    });
    expect(told).toMatchObject({ action: 'stop', state: 'waiting' });
    expect((await cvmRow(keeper.id)).status).toBe('running');
    await eventually('it is in the notifications of the owner', async () => {
      const { body } = await fleet.member.call('listNotifications');
      return JSON.stringify(body).includes('keeper will be stopped');
    });

    await eventually('the drain is blocked by one CVM alone', async () => {
      const { body } = await fleet.admin.call('getAdminDrain', { path: { id } });
      return body.state === 'blocked' && body.waiting_cvms === 0 ? body : null;
    });
    const items = await itemsOf(id);
    expect(items.movable).toMatchObject({ action: 'move', state: 'moved' });
    expect(items.keeper).toMatchObject({ action: 'stop', state: 'stopped' });
    expect(items.stuck).toMatchObject({ state: 'blocked' });
    expect(items.stuck?.message).toContain('dstack-elsewhere');
    const blocked = await fleet.admin.call('getAdminDrain', { path: { id } });
    expect(blocked.body).toMatchObject({ total_cvms: 3, moved_cvms: 1, stopped_cvms: 1, blocked_cvms: 1 });
    expect(blocked.body.message).toMatch(/“stuck”: .*dstack-elsewhere/);

    // Nothing half-moved: one VM, one reservation, on the host the row names.
    const moved = await cvmRow(movable.id);
    expect(moved).toMatchObject({ teepod_id: target().host.teepod.id, status: 'running' });
    expect(await reservationsOf(movable)).toEqual([{ teepod_id: target().host.teepod.id, moving: false }]);
    expect(await uuidsOn(target())).toContain(movable.vm_uuid);
    expect(await uuidsOn(source())).not.toContain(movable.vm_uuid);
    expect(await cvmRow(keeper.id)).toMatchObject({ status: 'stopped', teepod_id: source().host.teepod.id });
    expect(await uuidsOn(source())).toContain(keeper.vm_uuid);

    const again = await drain({});
    expect(again.status).toBe(409);
    expect(problemOf(again.body).detail.message).toContain(`drain ${id}`);
    const set = (state: string) =>
      fleet.admin.call('updateAdminTeepod', { path: { id: source().host.teepod.id }, body: { state } });
    expect((await set('online')).status, 'nor by writing the state').toBe(409);
    const early = await fleet.admin.call('uncordonAdminTeepod', {
      path: { id: source().host.teepod.id },
      body: {},
    });
    expect(early.status).toBe(409);

    const decided = await fleet.admin.call('decideAdminDrainCvm', {
      path: { id: items.stuck?.id ?? 0 },
      body: { action: 'stop' },
    });
    expect(decided.body).toMatchObject({ action: 'stop', state: 'waiting' });
    await eventually('the drain has ended', async () => {
      const { body } = await fleet.admin.call('getAdminDrain', { path: { id } });
      return body.state === 'succeeded' ? body : null;
    });
    expect((await cvmRow(stuck.id)).status).toBe('stopped');

    // Back in service: what the drain stopped runs again, where its disk is.
    const back = await fleet.admin.call('uncordonAdminTeepod', {
      path: { id: source().host.teepod.id },
      body: {},
    });
    expect(back.body).toMatchObject({ state: 'online' });
    await eventually('it runs again', async () => (await cvmRow(keeper.id)).status === 'running');
    const trail = await fleet.audits('teepod', source().host.teepod.id);
    expect(trail.map(({ action }) => action)).toEqual(['teepod.drain', 'teepod.uncordon']);
    expect((await set('draining')).status, 'a state alone drains nothing').toBe(422);
  }, 60_000);

  it('leaves a CVM running where it was when the other host cannot boot it', async () => {
    await inService();
    const cvm = await hosted('returns', { movable: true });
    target().fake.on('/prpc/CreateVm', (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no more memory"}'),
    );
    const { id } = (await drain({ others: 'leave' })).body as AdminDrain;
    const item = await eventually('the move has failed', async () => {
      const one = (await itemsOf(id)).returns;
      return one?.state === 'blocked' ? one : null;
    });
    target().fake.on('/prpc/CreateVm', () => 'pass');
    expect(item.message).toContain('no more memory');
    expect(await cvmRow(cvm.id)).toMatchObject({
      status: 'running',
      teepod_id: source().host.teepod.id,
      host_vm_id: cvm.host_vm_id,
    });
    expect(await reservationsOf(cvm)).toEqual([{ teepod_id: source().host.teepod.id, moving: false }]);
    await eventually(
      'nothing is left on the other host',
      async () => !(await uuidsOn(target())).includes(cvm.vm_uuid),
    );

    const cancelled = await fleet.admin.call('cancelAdminDrain', { path: { id } });
    expect(cancelled.body).toMatchObject({ state: 'cancelled' });
    expect((await fleet.admin.call('cancelAdminDrain', { path: { id } })).status).toBe(409);
    const pod = await fleet.admin.call('getAdminTeepod', { path: { id: source().host.teepod.id } });
    expect(pod.body).toMatchObject({ state: 'cordoned' });
    expect((await itemsOf(id)).returns).toMatchObject({ state: 'cancelled' });
  }, 60_000);

  it('does not move what its owner has not allowed, and takes no more than 30 days', async () => {
    await inService();
    const cvm = await hosted('precious');
    const exceptions = [{ vm_uuid: cvm.vm_uuid, action: 'move' }];
    const refused = await drain({ exceptions });
    expect(refused.status).toBe(422);
    expect(problemOf(refused.body).detail.message).toContain('has not allowed it');
    expect((await drain({ stop_at: new Date(Date.now() + 31 * 86_400_000).toISOString() })).status).toBe(422);
    expect((await drain({ exceptions: [{ vm_uuid: crypto.randomUUID(), action: 'stop' }] })).status).toBe(
      422,
    );
    const allowed = await fleet.member.call('setCvmMovable', {
      path: { cvm_id: cvm.vm_uuid },
      body: { movable: true },
    });
    expect(allowed.status).toBe(204);
    const { body } = await fleet.member.call('getCvm', { path: { cvm_id: cvm.vm_uuid } });
    expect(body).toMatchObject({ movable: true });
    const began = await drain({ exceptions, others: 'leave', movable: 'stop' });
    expect(began.status).toBe(202);
    const { id } = began.body as AdminDrain;
    await eventually('it is moved', async () => (await itemsOf(id)).precious?.state === 'moved');
    await fleet.admin.call('cancelAdminDrain', { path: { id } });
  }, 60_000);
});
