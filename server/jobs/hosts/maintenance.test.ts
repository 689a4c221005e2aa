import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { MaintenanceWindowRow } from '../../db/hosts/maintenanceWindowsTable';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import { runMaintenance, notifyRescheduled, notifyCanceled } from './maintenance';
import { sendMaintenanceNotices } from './maintenanceNotices';

let database: TestDatabase;
let node_id: number;
const CVMS = 2501;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'crowd');
  const host = await insertHost(db);
  node_id = host.teepod.node_id;
  const app = await insertApp(db, { team_id, host, name: 'crowd' });
  const cvm = await insertCvm(db, { host, ...app });
  await fill(db, (trx) =>
    sql`
      insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, kms_id, name, status, host_vm_id,
        instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey,
        public_logs, public_sysinfo, public_tcbinfo, storage_fs)
      select 'cvm_crowd' || n, gen_random_uuid(), team_id, app_id, revision_id, teepod_id, kms_id, 'crowd-' || n, status,
        'vm-' || n, instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey,
        public_logs, public_sysinfo, public_tcbinfo, storage_fs
      from cvms, generate_series(1, ${CVMS - 1}::int) n where id = ${cvm.id}`.execute(trx),
  );
});
afterAll(() => database.drop());
beforeEach(() =>
  sql`truncate maintenance_notices, maintenance_windows, event_feed, events`.execute(database.db),
);

/** Schedules a window that starts in an hour and leaves its announcement pending. */
async function claimedWindow(): Promise<MaintenanceWindowRow> {
  const { db } = database;
  await sql`
    insert into maintenance_windows (node_id, starts_at, ends_at, notice_hours, reason)
    values (${node_id}, now() + interval '1 hour', now() + interval '2 hours', 24, 'New firmware.')`.execute(
    db,
  );
  await runMaintenance(db);
  return db.selectFrom('maintenance_windows').selectAll().executeTakeFirstOrThrow();
}

const sendAll = async () => {
  while (await sendMaintenanceNotices(database.db));
};

async function told(): Promise<{ kind: string; cvms: number; events: number }[]> {
  const { rows } = await sql<{ kind: string; cvms: number; events: number }>`
    select replace(kind, 'cvm.maintenance_', '') as kind, count(distinct cvm_id)::int as cvms, count(*)::int as events
    from events group by kind order by min(id)`.execute(database.db);
  return rows;
}

it('announces a window to each CVM once, at most 1,000 per transaction', async () => {
  const { db } = database;
  await claimedWindow();
  expect(await told()).toEqual([]);

  const batches: number[] = [];
  let written = 0;
  while (await sendMaintenanceNotices(db)) {
    const total = (await told())[0]?.events ?? 0;
    batches.push(total - written);
    written = total;
  }
  expect(batches).toEqual([1000, 1000, 501]);

  await runMaintenance(db);
  await sendAll();
  expect(await told()).toEqual([{ kind: 'planned', cvms: CVMS, events: CVMS }]);
  const { rows } = await sql<{ message: string }>`select distinct message from events`.execute(db);
  expect(rows).toEqual([{ message: expect.stringContaining('New firmware.') }]);
});

it('continues after a process that died between two batches or during one', async () => {
  const { db } = database;
  await claimedWindow();
  await sendMaintenanceNotices(db);
  await expect(
    db.transaction().execute(async (trx) => {
      await sendMaintenanceNotices(trx);
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  expect(await told()).toEqual([{ kind: 'planned', cvms: 1000, events: 1000 }]);
  await sendAll();
  expect(await told()).toEqual([{ kind: 'planned', cvms: CVMS, events: CVMS }]);
});

it('leaves a window to the process that announces it', async () => {
  const { db } = database;
  await claimedWindow();
  await db.transaction().execute(async (trx) => {
    expect(await sendMaintenanceNotices(trx)).toBe(true);
    expect(await sendMaintenanceNotices(db)).toBe(false);
  });
  await sendAll();
  expect(await told()).toEqual([{ kind: 'planned', cvms: CVMS, events: CVMS }]);
});

it("notifies only CVMs that received a window's notice that it was canceled", async () => {
  const { db } = database;
  const window = await claimedWindow();
  await sendMaintenanceNotices(db);
  await db.transaction().execute(async (trx) => {
    await notifyCanceled(trx, window);
    await trx.deleteFrom('maintenance_windows').where('id', '=', window.id).execute();
  });
  await sendAll();
  expect(await told()).toEqual([
    { kind: 'planned', cvms: 1000, events: 1000 },
    { kind: 'over', cvms: 1000, events: 1000 },
  ]);
});

it('notifies nobody of a window that was canceled before any notice', async () => {
  const { db } = database;
  const window = await claimedWindow();
  await db.transaction().execute((trx) => notifyCanceled(trx, window));
  await sendAll();
  expect(await told()).toEqual([]);
});

it('notifies all CVMs of the new times of a moved window, and those notified of any that it was canceled', async () => {
  const { db } = database;
  const window = await claimedWindow();
  await sendMaintenanceNotices(db);
  await sendMaintenanceNotices(db);
  const moved = {
    starts_at: new Date(window.starts_at.getTime() + 86_400_000),
    ends_at: new Date(window.ends_at.getTime() + 86_400_000),
    reason: window.reason,
  };
  await db.transaction().execute((trx) => notifyRescheduled(trx, window, moved));
  await sendMaintenanceNotices(db);
  expect(await told()).toEqual([{ kind: 'planned', cvms: 2000, events: 3000 }]);
  await db.transaction().execute((trx) => notifyCanceled(trx, { ...window, ...moved }));
  await sendAll();
  expect(await told()).toEqual([
    { kind: 'planned', cvms: 2000, events: 3000 },
    { kind: 'over', cvms: 2000, events: 2000 },
  ]);
});

it('announces the start to all CVMs, and the end too, once the start was announced', async () => {
  const { db } = database;
  const window = await claimedWindow();
  await sendMaintenanceNotices(db);
  const start = (starts: string, ends: string) =>
    sql`update maintenance_windows set starts_at = now() + ${starts}::interval, ends_at = now() + ${ends}::interval
      where id = ${window.id}`.execute(db);
  await start('-1 minute', '1 hour');
  await runMaintenance(db);
  await sendAll();
  await start('-1 hour', '-1 second');
  await runMaintenance(db);
  await sendAll();
  expect(await told()).toEqual([
    { kind: 'planned', cvms: 1000, events: 1000 },
    { kind: 'began', cvms: CVMS, events: CVMS },
    { kind: 'over', cvms: CVMS, events: CVMS },
  ]);
});
