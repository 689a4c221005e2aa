import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../../console/lib/attestation/testing/random';
import { rank, type PlacementPolicy, type Wish } from '../../domain/hosts/scheduler';
import { insertHost, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import { firstRoomQuery, reserve, teepodCapacities, teepodsWithRoom } from './reservations';

/* Placement reads the hosts' load, kept by triggers, and the first hosts with room, along an index. */

const PROVISIONS = 2_000;

let database: TestDatabase;
let team_id: number;
let host: TestHost;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ id: team_id } = await insertTeam(database.db, 'placing'));
  host = await insertHost(database.db, { name: 'first' });
  await addHosts('host', 7);
  // Reservations need a CVM or a provision.
  await sql`
    insert into provisions (team_id, compose_hash, app_compose, docker_compose_file, name, vcpu, memory_mb, disk_gb, os_image,
      teepod_id, public_logs, public_sysinfo, public_tcbinfo, listed, expires_at)
    select ${team_id}, '', '', '', 'p-' || n, 1, 1024, 10, '', ${host.teepod.id}, true, true, true, true, now() + interval '1 day'
    from generate_series(1, ${PROVISIONS}::int) n`.execute(database.db);
});
afterAll(() => database.drop());

const addHosts = (prefix: string, n: number) =>
  fill(database.db, async (trx) => {
    await sql`
      insert into teepods (node_id, kms_id, name, kind, url, reachable, version, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
      select node_id, kms_id, ${prefix} || '-' || n, kind, url || '/' || ${prefix} || n, true, version, 50, 64, 131072, 4000
      from teepods, generate_series(1, ${n}::int) n where id = ${host.teepod.id}`.execute(trx);
  });

/** The loads kept by triggers, and the expected ones, per host. */
async function loads() {
  const { rows } = await sql<{ kept: unknown; counted: unknown }>`
    select
      json_build_array(l.reservations, l.vcpu, l.memory_mb, l.disk_gb, l.free_vcpu, l.free_memory_mb,
        l.free_slots, l.free_disk_gb) as kept,
      json_build_array(count(r.id), coalesce(sum(r.vcpu), 0), coalesce(sum(r.memory_mb), 0), coalesce(sum(r.disk_gb), 0),
        t.max_vcpu - coalesce(sum(r.vcpu), 0), t.max_memory_mb - coalesce(sum(r.memory_mb), 0),
        least(t.max_cvms, nullif(t.host_cvms, 0)) - count(r.id), t.max_disk_gb - coalesce(sum(r.disk_gb), 0)) as counted
    from teepods t join teepod_loads l on l.teepod_id = t.id left join reservations r on r.teepod_id = t.id
    group by t.id, l.teepod_id order by t.id`.execute(database.db);
  return { kept: rows.map(({ kept }) => kept), counted: rows.map(({ counted }) => counted) };
}

it('knows the load of each host after any change of reservations and limits', async () => {
  const { db } = database;
  const random = new Random(305);
  const teepods = (await db.selectFrom('teepods').select('id').orderBy('id').execute()).map(({ id }) => id);
  const provisions = (await db.selectFrom('provisions').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  );
  const steps = [
    // Several rows of several hosts in one statement.
    () => sql`
      insert into reservations (teepod_id, team_id, provision_id, vcpu, memory_mb, disk_gb, expires_at)
      select ${random.pick(teepods)}, ${team_id}, id, id % 5, (id % 7) * 512, (id % 3) * 10, now() + interval '1 hour'
      from provisions p where id between ${random.pick(provisions)} and ${random.pick(provisions)}
        and not exists (select from reservations r where r.provision_id = p.id) limit 20`,
    () =>
      sql`update reservations set vcpu = vcpu + 1, memory_mb = memory_mb / 2 where id % 5 = ${random.below(5)}`,
    () =>
      sql`update reservations set teepod_id = ${random.pick(teepods)} where id % 11 = ${random.below(11)}`,
    () =>
      sql`update reservations set expires_at = now() - interval '1 minute' where id % 4 = ${random.below(4)}`,
    () => sql`delete from reservations where id % 9 = ${random.below(9)}`,
    () => sql`
      update teepods set max_vcpu = ${random.below(100)}, max_memory_mb = ${random.below(200_000)}
      where id = ${random.pick(teepods)}`,
    () => sql`
      update teepods set max_cvms = ${random.below(100)}, host_cvms = nullif(${random.below(100)}, 50),
        max_disk_gb = ${random.below(4000)}
      where id = ${random.pick(teepods)}`,
  ];
  for (let i = 0; i < 120; i++) {
    await random.pick(steps)().execute(db);
    if (i % 10 > 0) continue;
    const { kept, counted } = await loads();
    expect(kept, `after ${i} changes`).toEqual(counted);
  }
  await sql`delete from reservations`.execute(db);
  await sql`update teepods set max_vcpu = 64, max_memory_mb = 131072, max_cvms = 50, host_cvms = null,
    max_disk_gb = 4000`.execute(db);
  expect((await loads()).kept.slice(0, 2)).toEqual([
    [0, 0, 0, 0, 64, 131_072, 50, 4000],
    [0, 0, 0, 0, 64, 131_072, 50, 4000],
  ]);
});

it('counts a reservation until it expires, and not a moment longer', async () => {
  const { db } = database;
  const capacity = async () => {
    const [found] = await teepodCapacities(db, { team_id, teepod_id: host.teepod.id });
    return found && [found.slots, found.vcpu, found.memory_mb, found.disk_gb];
  };
  const before = (await capacity()) ?? [];
  await sql`
    insert into reservations (teepod_id, team_id, provision_id, vcpu, memory_mb, disk_gb, expires_at)
    select ${host.teepod.id}, ${team_id}, min(id), 2, 4096, 20, now() + interval '1 hour' from provisions`.execute(
    db,
  );
  expect(await capacity()).toEqual([before[0]! - 1, before[1]! - 2, before[2]! - 4096, before[3]! - 20]);
  await sql`update reservations set expires_at = now()`.execute(db);
  expect(await capacity()).toEqual(before);
  await sql`delete from reservations`.execute(db);
  expect(await capacity()).toEqual(before);
});

it.each<PlacementPolicy>(['spread', 'pack'])(
  'returns the hosts with room in scheduler order, those with GPUs last: %s',
  async (policy) => {
    const { db } = database;
    const random = new Random(64);
    const teepods = await db.selectFrom('teepods').select('id').orderBy('id').execute();
    for (const { id } of teepods)
      await sql`
      update teepods set max_vcpu = ${5 + random.below(3)}, max_memory_mb = ${2048 + 8192 * (1 + random.below(3))},
        max_disk_gb = ${5 + 20 * (1 + random.below(3))}, max_cvms = ${1 + random.below(3)} where id = ${id}`.execute(
        db,
      );
    const [first, second] = teepods;
    await sql`delete from reservations`.execute(db);
    await sql`
    insert into reservations (teepod_id, team_id, provision_id, vcpu, memory_mb, disk_gb, expires_at)
    select t.id, ${team_id}, p.id, 1, 2048, 5, now() + interval '1 hour'
    from teepods t join provisions p on p.id % 16 = t.id % 16 and p.id <= 16 where t.id % 3 > 0`.execute(db);
    await sql`delete from gpus`.execute(db);
    await sql`
    insert into gpus (teepod_id, slot, product_id, description, reported)
    select unnest(array[${first?.id}, ${second?.id}]::bigint[]), '0000:01:00.0', '10de:2330', 'H100', true`.execute(
      db,
    );
    const sizes = [1, 5, 6].flatMap((vcpu) =>
      [1024, 16_384].flatMap((memory_mb) => [10, 40].map((disk_gb) => ({ vcpu, memory_mb, disk_gb }))),
    );
    const wishes: Wish[] = sizes.flatMap((size) => [
      { size },
      { size, gpus: 1 },
      { size, region: 'nowhere' },
    ]);
    let found = 0;
    for (const wish of wishes) {
      const expected = rank(await teepodCapacities(db, { team_id }), wish, policy).map(
        ({ teepod_id }) => teepod_id,
      );
      const read = (limit: number, except: ReadonlySet<number> = new Set()) =>
        teepodsWithRoom(db, { team_id, wish, policy, except, limit });
      const all = (await read(64)).map(({ teepod_id }) => teepod_id);
      // Hosts with GPUs are returned only if no others fit.
      expect(all).toEqual(expected.slice(0, all.length));
      expect(all.length > 0).toBe(expected.length > 0);
      expect((await read(1)).map(({ teepod_id }) => teepod_id)).toEqual(expected.slice(0, 1));
      expect((await read(1, new Set(expected.slice(0, 1)))).map(({ teepod_id }) => teepod_id)).toEqual(
        expected.slice(1, 2),
      );
      found += all.length;
    }
    expect(found).toBeGreaterThan(20);
  },
);

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

it.each<PlacementPolicy>(['spread', 'pack'])(
  'reads only the first hosts with room, regardless of the fleet’s size: %s',
  async (policy) => {
    const { db } = database;
    await sql`delete from reservations`.execute(db);
    await sql`delete from gpus`.execute(db);
    await addHosts(`many-${policy}`, 5_000);
    // Most of the hosts with CVMs have no slot left, but much memory.
    await sql`
    insert into reservations (teepod_id, team_id, provision_id, vcpu, memory_mb, disk_gb, expires_at)
    select t.id, ${team_id}, p.id, 1, 2048, 5, now() + interval '1 hour'
    from (select id, row_number() over (order by id) as n from provisions) p
    join (select id, row_number() over (order by id desc) as n from teepods) t on t.n = p.n`.execute(db);
    await sql`
    update teepods set max_cvms = 1
    where id % 8 > 0 and id in (select teepod_id from reservations)`.execute(db);
    // The first hosts are held for other teams, and all of them were before.
    const other = await insertTeam(db, `other-${policy}`);
    await fill(db, async (trx) => {
      await sql`
      insert into users (public_id, email, username) select 'usr_' || n, n || '@example.test', 'u' || n
      from generate_series(1, 5000) n on conflict do nothing`.execute(trx);
      await sql`
    insert into gpu_waits (team_id, user_id, gpus, vcpu, notified_at, teepod_id, held_until, held_vcpu, held_memory_mb, held_disk_gb)
    select ${other.id}, u.id, 0, 64, now(), t.teepod_id, now() + (case when u.n <= 100 then 1 else -1 end) * interval '1 hour',
      64, 131072, 10
    from (select id, row_number() over (order by id) as n from users) u
    join (select teepod_id, row_number() over (order by free_memory_mb desc, free_vcpu desc, teepod_id) as n from teepod_loads) t
      on t.n = u.n`.execute(trx);
    });
    await sql`analyze teepods, teepod_loads, reservations, nodes, gpu_waits`.execute(db);
    const wish: Wish = { size: { vcpu: 1, memory_mb: 2048, disk_gb: 20 } };
    const query = firstRoomQuery({ team_id, wish, policy, except: new Set(), limit: 64 });
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (analyze, format json) ${query}`.execute(db);
    const readBy = ({ Plans = [], ...node }: PlanNode): number =>
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
      Plans.reduce((sum, part) => sum + readBy(part), 0);
    // Reads each host, its machine and a few rows of its own, and each held room a few times.
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    expect(plan && readBy(plan.Plan)).toBeLessThan((64 + 100) * 20);
    const found = await teepodsWithRoom(db, { team_id, wish, policy, except: new Set(), limit: 64 });
    const { rows: held } = await sql<{ teepod_id: number }>`
      select teepod_id from gpu_waits where held_until > now()`.execute(db);
    expect(held).toHaveLength(100);
    expect(found).toHaveLength(64);
    expect(held.filter(({ teepod_id }) => found.some((host) => host.teepod_id === teepod_id))).toEqual([]);
    await sql`delete from gpu_waits`.execute(db);
  },
);

it('lets two deployments that refer to a host reserve on it, one after the other', async () => {
  const { teepod } = await insertHost(database.db, { name: 'shared' });
  let missing = 2;
  let go!: () => void;
  const allRefer = new Promise<void>((resolve) => (go = resolve));
  const deploy = (name: string) =>
    database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: number }>`
        insert into provisions (team_id, compose_hash, app_compose, docker_compose_file, name, vcpu, memory_mb, disk_gb, os_image,
          teepod_id, public_logs, public_sysinfo, public_tcbinfo, listed, expires_at)
        values (${team_id}, '', '', '', ${name}, 1, 1024, 10, '', ${teepod.id}, true, true, true, true,
          now() + interval '1 day') returning id`.execute(trx);
      if (--missing === 0) go();
      await allRefer;
      return reserve(trx, {
        teepod_id: teepod.id,
        team_id,
        size: { vcpu: 1, memory_mb: 1024, disk_gb: 10 },
        provision_id: rows[0]!.id,
      });
    });
  expect(await Promise.all(['one', 'other'].map(deploy))).toEqual([true, true]);
});
