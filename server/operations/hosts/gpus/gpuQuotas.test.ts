import { afterAll, beforeAll, expect, it } from 'vitest';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test.server.stop());

it("counts a team's reserved GPUs as in use, misconfigured or remaining", async () => {
  const { admin, member, server } = test;
  const { db } = server.services;
  const host = await insertHost(db);
  const teepod_id = host.teepod.id;
  const quota = async () =>
    (await member.call('getWorkspaceQuotas', { path: { slug: member.slug ?? '' } })).body.reserved_gpu;
  expect(await quota()).toEqual({ gpus: { limit: 0, remaining: 0 }, in_use: 0, misconfigured: 0 });
  const { team_id } = await identityOf(db, member.email ?? '');
  const ids = await db
    .insertInto('gpus')
    .values(
      Array.from({ length: 8 }, (_, n) => ({
        teepod_id,
        slot: `0000:1${n}:00.0`,
        product_id: '10de:2335',
        description: 'NVIDIA H200',
        reported: true,
        reserved_team_id: team_id,
        last_seen_at: new Date(),
        reservation_id: null,
        fault: null,
      })),
    )
    .returning('id')
    .execute();
  const [foreign, faulty, own] = ids.map(({ id }) => id);
  /** Creates a stopped CVM that holds its capacity. */
  const cvmOf = async (team: number, name: string) => {
    const app = await insertApp(db, { team_id: team, host, name });
    const cvm = await insertCvm(db, {
      ...app,
      host,
      change: { status: 'stopped', desired: 'stopped', name },
    });
    const { id } = await db
      .insertInto('reservations')
      .values({ teepod_id, team_id: team, cvm_id: cvm.id, vcpu: 0, memory_mb: 0, disk_gb: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { vm_uuid: cvm.vm_uuid, reservation_id: id };
  };
  // Attached to another team's CVM before it was reserved for this one.
  const { reservation_id } = await cvmOf((await identityOf(db, admin.email ?? '')).team_id, 'of-others');
  await db
    .updateTable('gpus')
    .set({ reservation_id })
    .where('id', '=', foreign ?? 0)
    .execute();
  const mark = { path: { id: faulty ?? 0 }, body: { reason: 'Xid 79' } };
  expect((await admin.call('markAdminGpuFaulty', mark)).status).toBe(200);
  const { vm_uuid } = await cvmOf(team_id, 'of-theirs');
  const attach = { path: { id: own ?? 0 }, body: { cvm_id: vm_uuid } };
  const attached = await admin.call('attachAdminGpu', attach);
  expect(attached.status, JSON.stringify(attached.body)).toBe(200);
  expect(await quota()).toEqual({ gpus: { limit: 8, remaining: 5 }, in_use: 1, misconfigured: 2 });
  const team = await admin.call('getAdminWorkspace', { path: { id: team_id } });
  expect(team.body).toMatchObject({ reserved_gpus: 8, used_gpus: 1 });
  expect((await admin.call('detachAdminGpu', { path: attach.path })).status).toBe(200);
  expect(await quota()).toMatchObject({ gpus: { remaining: 6 }, in_use: 0, misconfigured: 2 });
});
