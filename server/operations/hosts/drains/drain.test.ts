import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminDrain, AdminDrainCvm } from '../../../../generated/api/types.gen';
import type { CvmChange, CvmRow } from '../../../db/cvms/cvmsTable';
import { uuidOfVmName } from '../../../domain/cvms/vmName';
import { runningCvm } from '../../../testing/hostedCvm';
import { eventually } from '../../../testing/server';
import { problemOf } from '../../core/admin/testing/admin';
import { startFleet, type Fleet } from '../testing/fleet';

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

async function hosted(name: string, change: CvmChange = {}): Promise<CvmRow> {
  const { cvm } = await runningCvm(fleet.server.services, { host: source().host, ...fleet.who, name });
  return db()
    .updateTable('cvms')
    .set({ name, updated_at: new Date(), ...change })
    .where('id', '=', cvm.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

it('previews what happens to each CVM, and why', async () => {
  const moves = await hosted('plan-moves', { movable: true });
  const stays = await hosted('plan-stays', { movable: true, protected: true });
  const { body } = await fleet.admin.call('getAdminDrainPlan', { path: { id: source().host.teepod.id } });
  const planOf = (uuid: string) => body.cvms.find(({ vm_uuid }) => vm_uuid === uuid);
  expect(planOf(moves.vm_uuid)).toMatchObject({ name: 'plan-moves', can_move: true });
  expect(planOf(stays.vm_uuid)).toMatchObject({ can_move: false, reason: expect.stringMatching(/./) });
  const { team_id } = moves;
  const team = await db().selectFrom('teams').selectAll().where('id', '=', team_id).executeTakeFirstOrThrow();
  expect(planOf(moves.vm_uuid)).toMatchObject({ team_name: team.name, team_slug: team.slug });
  expect(body.total).toBe(body.cvms.length);
  const deleted = { deleted_at: new Date() };
  for (const { id } of [moves, stays])
    await db().updateTable('cvms').set(deleted).where('id', '=', id).execute();
});

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

async function resetHosts() {
  for (const { host } of fleet.hosts)
    await db().updateTable('teepods').set({ state: 'online' }).where('id', '=', host.teepod.id).execute();
}

describe('a drain', () => {
  it("moves or stops CVMs as planned, reports the blocked one, and ends after an administrator's decision", async () => {
    const movable = await hosted('movable', { movable: true });
    const keeper = await hosted('keeper');
    await hosted('idle', { status: 'stopped', desired: 'stopped' });
    const stuck = await hosted('stuck', { movable: true, os_image: 'dstack-elsewhere' });
    const stop_at = new Date(Date.now() + 3_600_000).toISOString();
    const started = await drain({ stop_at });
    expect(started.status).toBe(202);
    const { id } = started.body as AdminDrain;

    // Notified before anything changes.
    const keeperItem = await eventually('the stopped CVM’s owner is notified', async () => {
      const item = (await itemsOf(id)).keeper;
      return item?.notified_at ? item : null;
    });
    expect(keeperItem).toMatchObject({
      action: 'stop',
      state: 'waiting',
      stop_at,
      cvm_id: keeper.vm_uuid,
      team_id: keeper.team_id,
    });
    const host = { id: source().host.teepod.id };
    const teepod = await fleet.admin.call('getAdminTeepod', { path: host });
    expect(teepod.body).toMatchObject({ state: 'draining', drain_id: id });
    expect(started.body).toMatchObject({ title: `Drain of ${teepod.body.name}` });
    expect((await cvmRow(keeper.id)).status).toBe('running');
    await eventually('the owner sees the notification', async () => {
      const { body } = await fleet.member.call('listNotifications');
      return JSON.stringify(body).includes('keeper will be stopped');
    });

    // The hour has passed.
    const now = new Date();
    await db().updateTable('drains').set({ stop_at: now }).where('id', '=', id).execute();
    await db().updateTable('drain_cvms').set({ look_at: now }).where('id', '=', keeperItem.id).execute();
    await eventually('only one CVM blocks the drain', async () => {
      const { body } = await fleet.admin.call('getAdminDrain', { path: { id } });
      return body.state === 'blocked' && body.waiting_cvms === 0 ? body : null;
    });
    const items = await itemsOf(id);
    expect(items.movable).toMatchObject({ action: 'move', state: 'moved' });
    expect(items.keeper).toMatchObject({ action: 'stop', state: 'stopped', stop_at: null });
    expect(items.stuck).toMatchObject({ state: 'blocked' });
    expect(items.stuck?.message).toContain('dstack-elsewhere');
    expect(items.stuck?.message_keys).toEqual([
      { id: 'no_image_host', params: { image: 'dstack-elsewhere' } },
    ]);
    const blocked = await fleet.admin.call('getAdminDrain', { path: { id } });
    expect(blocked.body).toMatchObject({
      total_cvms: 4,
      moved_cvms: 1,
      stopped_cvms: 1,
      already_stopped_cvms: 1,
      blocked_cvms: 1,
    });
    expect(blocked.body.message).toMatch(/“stuck”: .*dstack-elsewhere/);
    expect(blocked.body.message_keys).toMatchObject([
      { id: 'cvm_named', params: { name: 'stuck' } },
      { id: 'no_image_host' },
    ]);

    // No partial move: one VM, one reservation, on the host the row names.
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
    expect((await set('online')).status, 'setting the state during a drain').toBe(409);
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
    const { body: over } = await fleet.admin.call('getAdminDrain', { path: { id } });
    expect(over).toMatchObject({ stopped_cvms: 2, already_stopped_cvms: 1 });
    expect(over.message, 'earlier stops aren’t counted').toContain('1 moved, 2 stopped');
    expect((await cvmRow(stuck.id)).status).toBe('stopped');
    const drained = await fleet.admin.call('getAdminTeepod', { path: host });
    expect(drained.body, 'the drain is over').toMatchObject({ state: 'draining', drain_id: null });

    // Back in service: CVMs stopped by the drain run again on the host with their disk.
    const back = await fleet.admin.call('uncordonAdminTeepod', {
      path: { id: source().host.teepod.id },
      body: {},
    });
    expect(back.body).toMatchObject({ state: 'online' });
    await eventually(
      'the stopped CVM runs again',
      async () => (await cvmRow(keeper.id)).status === 'running',
    );
    const trail = await fleet.audits('teepod', source().host.teepod.id);
    expect(trail.map(({ action }) => action)).toEqual(['teepod.drain', 'teepod.uncordon']);
    expect((await set('draining')).status, 'setting the state to draining').toBe(422);
  });

  it('keeps a CVM running on its host when the other host cannot boot it', async () => {
    await resetHosts();
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
    expect(item.message_keys).toMatchObject([
      { id: 'operation_failed', params: { operation: 'move' } },
      { id: 'host_refused', params: { text: 'no more memory' } },
      { id: 'old_host_runs' },
    ]);
    expect(await cvmRow(cvm.id)).toMatchObject({
      status: 'running',
      teepod_id: source().host.teepod.id,
      host_vm_id: cvm.host_vm_id,
    });
    expect(await reservationsOf(cvm)).toEqual([{ teepod_id: source().host.teepod.id, moving: false }]);
    await eventually(
      'the failed move is cleaned up',
      async () => !(await uuidsOn(target())).includes(cvm.vm_uuid),
    );

    const cancelled = await fleet.admin.call('cancelAdminDrain', { path: { id } });
    expect(cancelled.body).toMatchObject({ state: 'cancelled' });
    expect((await fleet.admin.call('cancelAdminDrain', { path: { id } })).status).toBe(409);
    const pod = await fleet.admin.call('getAdminTeepod', { path: { id: source().host.teepod.id } });
    expect(pod.body).toMatchObject({ state: 'cordoned' });
    expect((await itemsOf(id)).returns).toMatchObject({ state: 'cancelled' });
    const left = Object.values(await itemsOf(id)).filter(({ state }) => state === 'cancelled');
    expect((await fleet.admin.call('getAdminDrain', { path: { id } })).body).toMatchObject({
      blocked_cvms: 0,
      cancelled_cvms: left.length,
    });
  });

  it('releases the other host when a CVM is deleted during its move', async () => {
    await resetHosts();
    const cvm = await hosted('leaves', { movable: true });
    const here = [{ teepod_id: source().host.teepod.id, moving: false }];
    source().fake.on('/prpc/ShutdownVm', () => undefined);
    const { id } = (await drain({ others: 'leave' })).body as AdminDrain;
    await eventually('the move holds both hosts', async () => (await reservationsOf(cvm)).length === 2);
    source().fake.on('/prpc/ShutdownVm', () => 'pass');
    const path = { cvm_id: cvm.vm_uuid };
    expect((await fleet.member.call('deleteCvm', { path })).status).toBe(204);
    expect(await reservationsOf(cvm)).toEqual(here);
    const { state, message } = await eventually('the drain has looked at it', async () => {
      const item = (await itemsOf(id)).leaves;
      return item?.state === 'moving' ? null : item;
    });
    expect(state, message ?? '').toBe('gone');
    await fleet.admin.call('cancelAdminDrain', { path: { id } });
    await eventually('it is in the recycle bin', async () => (await cvmRow(cvm.id)).status === 'stopped');
    expect((await fleet.member.call('restoreCvm', { path })).status).toBe(200);
    expect(await reservationsOf(cvm)).toEqual(here);
  });

  it("does not move CVMs without their owner's permission, and is limited to 30 days", async () => {
    await resetHosts();
    const cvm = await hosted('precious');
    const exceptions = [{ vm_uuid: cvm.vm_uuid, action: 'move' }];
    const refused = await drain({ exceptions });
    expect(refused.status).toBe(422);
    expect(problemOf(refused.body).detail.message).toContain('hasn’t allowed moving it');
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
    const started = await drain({ exceptions, others: 'leave', movable: 'stop' });
    expect(started.status).toBe(202);
    const { id } = started.body as AdminDrain;
    await eventually('the CVM is moved', async () => (await itemsOf(id)).precious?.state === 'moved');
    await fleet.admin.call('cancelAdminDrain', { path: { id } });
  });
});
