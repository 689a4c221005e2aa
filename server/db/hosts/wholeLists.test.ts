import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import type { CvmRow } from '../cvms/cvmsTable';
import { addTeamEvents } from '../activity/eventFeed';
import { withTransaction } from '../core/client';
import { givenUpVms } from '../cvms/givenUpVms';
import { cvmsToMeasure } from '../metrics/metrics';
import { hostTroubles } from '../notifications/notificationTroubles';
import { sizedDuplicates } from './duplicateVms';
import { dueDrainCvms } from './drains';
import { fleetMap } from './fleet';

/* Host jobs read whole lists of any length: a row beyond a limit would silently count as absent. */

let database: TestDatabase;
let host: TestHost;
let cvm: CvmRow;

beforeAll(async () => {
  database = await createTestDatabase();
  const { id: team_id } = await insertTeam(database.db, 'whole');
  host = await insertHost(database.db);
  const app = await insertApp(database.db, { team_id, host, name: 'whole' });
  cvm = await insertCvm(database.db, { host, ...app });
  await fill(database.db, (trx) =>
    sql`
      insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, kms_id, name, status, host_vm_id,
        instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey,
        public_logs, public_sysinfo, public_tcbinfo, storage_fs)
      select 'cvm_many' || n, gen_random_uuid(), team_id, app_id, revision_id, teepod_id, kms_id, 'many-' || n, status,
        'vm-' || n, instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey,
        public_logs, public_sysinfo, public_tcbinfo, storage_fs
      from cvms, generate_series(1, 10000) n where id = ${cvm.id}`.execute(trx),
  );
});
afterAll(() => database.drop());

it('measures every CVM of a host', async () => {
  expect(await cvmsToMeasure(database.db, host.teepod.id)).toHaveLength(10_001);
});

it('reaches every CVM of a drain, even if a pass takes longer than the pauses between looks', async () => {
  const { db } = database;
  const drain = await db
    .insertInto('drains')
    .values({ teepod_id: host.teepod.id, movable: 'move', others: 'leave', stop_at: new Date(), reason: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await fill(db, (trx) =>
    sql`insert into drain_cvms (drain_id, cvm_id, action, look_at)
      select ${drain.id}, id, 'leave', now() - interval '1 hour' from cvms order by id`.execute(trx),
  );
  const reached = new Set<number>();
  for (let pass = 0; pass < 3; pass++) {
    const ids = (await dueDrainCvms(db, drain.id)).map(({ id }) => id);
    for (const id of ids) reached.add(id);
    await fill(db, (trx) =>
      sql`update drain_cvms set state = 'blocked', look_at = now() - interval '1 second' where id = any(${ids}::bigint[])`.execute(
        trx,
      ),
    );
  }
  expect(reached.size).toBe(10_001);
});

it('maps every node', async () => {
  await fill(database.db, (trx) =>
    sql`insert into nodes (name) select 'node-' || n from generate_series(1, 20000) n`.execute(trx),
  );
  const { nodes, teepods } = await fleetMap(database.db);
  expect(nodes).toHaveLength(20_001);
  expect(teepods).toHaveLength(1);
});

it('knows a VM that a CVM gave up before a thousand others', async () => {
  await fill(database.db, (trx) =>
    sql`insert into given_up_vms (cvm_id, teepod_id, host_vm_id)
      select ${cvm.id}, ${host.teepod.id}, 'old-' || n from generate_series(1, 1002) n`.execute(trx),
  );
  expect(await givenUpVms(database.db, cvm.id, ['old-1', 'old-1002', 'other'])).toEqual(
    new Set(['old-1', 'old-1002']),
  );
  expect(await givenUpVms(database.db, cvm.id, [])).toEqual(new Set());
});

it('knows the listed duplicates with a known size, among thousands', async () => {
  await fill(database.db, (trx) =>
    sql`insert into duplicate_vms (teepod_id, cvm_id, host_vm_id, status, uptime, disk_gb)
      select ${host.teepod.id}, ${cvm.id}, 'twin-' || n, 'stopped', '', case when n = 7 then null else 20 end
      from generate_series(1, 5002) n`.execute(trx),
  );
  expect(
    await sizedDuplicates(database.db, host.teepod.id, ['twin-1', 'twin-7', 'twin-5002', 'other']),
  ).toEqual(new Set(['twin-1', 'twin-5002']));
});

it('notifies every team with CVMs on silent hosts', async () => {
  const { db } = database;
  await fill(db, async (trx) => {
    await sql`insert into teams (public_id, slug, name, wallet_address)
      select 'wks_many' || n, 'many-' || n, 'many', wallet_address from teams, generate_series(1, 10000) n
      where slug = 'whole'`.execute(trx);
    await sql`update cvms set team_id = t.id from teams t where t.slug = cvms.name`.execute(trx);
    // As many as one transaction notifies of, and one more.
    await sql`insert into teepods (node_id, name, kind, url, reachable, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
      select node_id, name || '-' || n, kind, url || n, false, max_cvms, 0, 0, 0 from teepods, generate_series(1, 20) n
      where id = ${host.teepod.id}`.execute(trx);
    await sql`update teepods set reachable = false`.execute(trx);
    await sql`insert into host_troubles (teepod_id, since) select id, now() - interval '1 hour' from teepods
      on conflict do nothing`.execute(trx);
    await sql`update cvms set teepod_id = (select max(id) from teepods) where id = ${cvm.id}`.execute(trx);
  });
  const look = () =>
    withTransaction(db, async (trx) => {
      const { events, more } = await hostTroubles(trx);
      await addTeamEvents(trx, events);
      return more;
    });
  expect([await look(), await look(), await look()]).toEqual([true, false, false]);
  const { rows } = await sql<{ teams: number; events: number }>`
    select count(distinct team_id) as teams, count(*) as events from events where kind = 'host.unreachable'`.execute(
    db,
  );
  expect(rows).toEqual([{ teams: 10_001, events: 10_001 }]);
});
