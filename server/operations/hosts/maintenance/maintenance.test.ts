import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminFleet, AdminTeepod } from '../../../../generated/api/types.gen';
import { findHosts } from '../../../db/catalog/catalog';
import { teepodCapacities } from '../../../db/hosts/reservations';
import { runMaintenance } from '../../../jobs/hosts/maintenance';
import { sendMaintenanceNotices } from '../../../jobs/hosts/maintenanceNotices';
import { runningCvm } from '../../../testing/hostedCvm';
import { problemOf } from '../../core/admin/testing/admin';
import { startFleet, type Fleet } from '../testing/fleet';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
  await runningCvm(fleet.server.services, { host: fleet.hosts[0]!.host, ...fleet.who, name: 'announced' });
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const pod = () => fleet.hosts[0]!.host.teepod;

it('maintenance of a node is announced, blocks new CVMs while active, and ends', async () => {
  const node_id = pod().node_id;
  const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const backwards = await fleet.admin.call('createAdminMaintenanceWindow', {
    body: { node_id, starts_at: soon(7200), ends_at: soon(3600), reason: 'New firmware.' },
  });
  expect(backwards.status).toBe(422);
  expect(problemOf(backwards.body).detail.details[0]?.field).toBe('ends_at');
  const made = await fleet.admin.call('createAdminMaintenanceWindow', {
    body: { node_id, starts_at: soon(3600), ends_at: soon(7200), reason: 'New firmware.' },
  });
  expect(made.status).toBe(201);
  const { id } = made.body as { id: number };
  const events = async () =>
    (
      await db()
        .selectFrom('events')
        .select('kind')
        .where('kind', 'like', 'cvm.maintenance%')
        .orderBy('id')
        .execute()
    ).map(({ kind }) => kind);
  /** Also waits for mail that the server's own round is sending. */
  const sent = async () => {
    await expect.poll(() => sendMaintenanceNotices(db())).toBe(false);
    await expect.poll(() => db().selectFrom('maintenance_notices').select('id').execute()).toEqual([]);
    return events();
  };
  await runMaintenance(db());
  await expect.poll(async () => new Set(await sent())).toEqual(new Set(['cvm.maintenance_planned']));
  const notifiedCount = (await events()).length;
  await runMaintenance(db());
  expect(await sent()).toHaveLength(notifiedCount);
  const announced = await fleet.admin.call('getAdminMaintenanceWindow', { path: { id } });
  expect(announced.body).toMatchObject({ state: 'announced' });

  // Already notified teams are notified immediately when the window moves, even beyond the notice period, because the
  // original window no longer applies.
  const week = { starts_at: soon(7 * 86_400), ends_at: soon(7 * 86_400 + 3600) };
  await fleet.admin.call('updateAdminMaintenanceWindow', { path: { id }, body: week });
  expect(await sent()).toHaveLength(notifiedCount * 2);
  await runMaintenance(db());
  expect(await sent()).toHaveLength(notifiedCount * 2);
  expect((await fleet.admin.call('getAdminMaintenanceWindow', { path: { id } })).body).toMatchObject({
    ...announced.body,
    ...week,
    updated_at: expect.any(String),
  });

  const places = async () =>
    (await teepodCapacities(db(), { team_id: fleet.who.team_id })).map(({ teepod_id }) => teepod_id);
  expect(await places()).toContain(pod().id);
  await fleet.admin.call('updateAdminMaintenanceWindow', { path: { id }, body: { starts_at: soon(-5) } });
  await runMaintenance(db());
  // The server's own round may hold the window at that moment and finish it instead.
  await expect.poll(places).not.toContain(pod().id);
  const nodeStates = async () => [
    ((await fleet.admin.call('getAdminTeepod', { path: { id: pod().id } })).body as AdminTeepod).node_state,
    (await findHosts(db(), fleet.who.team_id, [pod().id]))[0]?.node_state,
  ];
  expect(await nodeStates()).toEqual(['maintenance', 'maintenance']);
  expect((await fleet.admin.call('deleteAdminMaintenanceWindow', { path: { id } })).status).toBe(409);
  const map = await fleet.admin.call('getAdminFleet');
  expect((map.body as AdminFleet).nodes.find((node) => node.id === node_id)?.maintenance).toMatchObject({
    id,
    state: 'active',
  });
  await sql`update maintenance_windows set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second'
    where id = ${id}`.execute(db());
  await runMaintenance(db());
  await expect.poll(async () => (await sent()).at(-1)).toBe('cvm.maintenance_over');
  await expect.poll(places).toContain(pod().id);
  expect(await nodeStates()).toEqual(['online', 'online']);
});
