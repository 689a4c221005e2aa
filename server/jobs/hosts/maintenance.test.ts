import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../db/core/schema';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import { runMaintenance } from './maintenance';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('notifies the teams of thousands of CVMs with a few statements, once', async () => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'crowd');
  const host = await insertHost(db);
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
      from cvms, generate_series(1, 2500) n where id = ${cvm.id}`.execute(trx),
  );
  await sql`
    insert into maintenance_windows (node_id, starts_at, ends_at, notice_hours, reason)
    values (${host.teepod.node_id}, now() + interval '1 hour', now() + interval '2 hours', 24, 'New firmware.')`.execute(
    db,
  );

  const statements: string[] = [];
  const counted = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  await runMaintenance(counted);
  expect(statements.filter((text) => text.startsWith('insert into "events"'))).toHaveLength(3);

  await runMaintenance(db);
  const { rows } = await sql<{ cvms: number; events: number }>`
    select count(distinct cvm_id)::int as cvms, count(*)::int as events from events
    where kind = 'cvm.maintenance_planned' and message like '%New firmware.'`.execute(db);
  expect(rows).toEqual([{ cvms: 2501, events: 2501 }]);
});
