import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { countFreeGpus, takeGpusAgain } from '../../db/hosts/gpus';
import { offerRefusal } from '../../db/hosts/waits/offerRefusal';
import { reserve, teepodCapacities, teepodsWithRoom } from '../../db/hosts/reservations';
import { firstInLine, leaveSizeLine, lineQuery, waitForSize } from '../../db/hosts/waits/sizeWaits';
import type { Mail } from '../../domain/notifications/mail';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import { offerRoom } from './offerRoom';

/* Room is offered to waiting teams in turn, and held on its host for the team that was offered it. */

const UNIT = { vcpu: 10, memory_mb: 10_240, disk_gb: 10 };
const TEAMS = ['a', 'b', 'c', 'd'] as const;
type Team = (typeof TEAMS)[number];

let database: TestDatabase;
let host: TestHost;
let ids: Record<Team, number>;
let mails: Mail[] = [];
const db = () => database.db;

beforeAll(async () => {
  database = await createTestDatabase();
  host = await insertHost(db(), { name: 'offering', kind: 'dstack_vmm' });
  await sql`insert into os_images (name, slug, version, requires_gpu) values ('gpu', 'gpu', '0.6.0', true)`.execute(
    db(),
  );
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db(),
  );
  const made = await Promise.all(TEAMS.map((slug) => insertTeam(db(), slug)));
  ids = Object.fromEntries(made.map(({ slug, id }) => [slug, id])) as Record<Team, number>;
  await sql`
    insert into users (public_id, email, username, email_verified_at)
    select 'usr_' || n, 'u' || n || '@example.test', 'u' || n, now() from generate_series(1, 20) n`.execute(
    db(),
  );
  await sql`
    insert into memberships (team_id, user_id, role) select t.id, u.id, 'member' from teams t, users u`.execute(
    db(),
  );
  await sql`
    insert into provisions (team_id, compose_hash, app_compose, docker_compose_file, name, vcpu, memory_mb, disk_gb, os_image,
      teepod_id, public_logs, public_sysinfo, public_tcbinfo, listed, expires_at)
    select ${ids.b}, '', '', '', 'p-' || n, 1, 1024, 10, '', ${host.teepod.id}, true, true, true, true, now() + interval '1 day'
    from generate_series(1, 200) n`.execute(db());
});
afterAll(() => database.drop());
beforeEach(async () => {
  mails = [];
  await sql`delete from gpu_waits`.execute(db());
  await sql`delete from gpus`.execute(db());
  await sql`delete from reservations`.execute(db());
  await sql`update teams set room_offered_at = null, max_vcpu = 1000`.execute(db());
  await room(0);
});

/** Gives the host room for this many units. */
const room = (units: number) =>
  sql`update teepods set max_cvms = 100, max_vcpu = ${units * UNIT.vcpu}, max_memory_mb = ${units * UNIT.memory_mb},
    max_disk_gb = 1000 where id = ${host.teepod.id}`.execute(db());
const gpus = (n: number) =>
  sql`insert into gpus (teepod_id, slot, product_id, description, reported)
    select ${host.teepod.id}, '0000:' || n || '0:00.0', '10de:2335', 'H200', true from generate_series(1, ${n}::int) n`.execute(
    db(),
  );
/** Puts members in line, the earliest first: "a1" is user 1 of team a. */
async function wait(members: readonly string[], wanted: object = UNIT, hours_ago = 10): Promise<void> {
  for (const [i, name] of members.entries())
    await db()
      .insertInto('gpu_waits')
      .values({
        team_id: ids[name[0] as Team],
        user_id: Number(name.slice(1)),
        gpus: 0,
        ...wanted,
        created_at: new Date(Date.now() - hours_ago * 3_600_000 + i * 1000),
      })
      .execute();
}
const offers = async (billingEnforced = false) => {
  mails = [];
  await offerRoom({
    db: db(),
    outbox: { enqueue: async (_trx, mail) => void mails.push(mail) },
    billingEnforced,
  });
  return mails.map(({ team_id, user_id }) => `${TEAMS.find((name) => ids[name] === team_id)}${user_id}`);
};
const holdsEnd = () =>
  sql`update gpu_waits set held_until = now() - interval '1 second' where held_until is not null`.execute(
    db(),
  );
/** Offers were made this long ago. */
const offered = (team: Team, interval: string) =>
  sql`update teams set room_offered_at = now() - ${interval}::interval where id = ${ids[team]}`.execute(db());

let provision = 0;
const deploy = (team: Team, { gpus: count = 0, moving = false, units = 1 } = {}) =>
  withTransaction(db(), async (trx) => {
    const { id } = await trx
      .selectFrom('provisions')
      .select('id')
      .where('name', '=', `p-${++provision}`)
      .executeTakeFirstOrThrow();
    return reserve(trx, {
      teepod_id: host.teepod.id,
      team_id: ids[team],
      size: { vcpu: UNIT.vcpu * units, memory_mb: UNIT.memory_mb * units, disk_gb: UNIT.disk_gb },
      gpus: count,
      moving,
      provision_id: id,
    });
  });
const open = async () => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from gpu_waits where held_until > now()`.execute(db());
  return rows[0]?.n;
};

describe('turns', () => {
  it('makes every waiting team one offer before any team gets its second', async () => {
    await wait(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
    await room(3);
    expect(await offers()).toEqual(['a1', 'b1', 'c1']);
    await room(4);
    expect(await offers()).toEqual(['a2']);
    await room(10);
    expect(await offers()).toEqual(['a3', 'a4']);
  });

  it('gives a team its second offer in the same run once every other team has one', async () => {
    await wait(['a1', 'a2', 'a3', 'b1', 'b2']);
    await room(4);
    expect(await offers()).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('starts with the team that was offered room longest ago, not with the longest wait', async () => {
    await wait(['a1', 'b1', 'c1', 'd1']);
    await offered('a', '1 hour');
    await offered('b', '3 hours');
    await offered('c', '2 hours');
    for (const [i, next] of ['d1', 'b1', 'c1', 'a1'].entries()) {
      await room(i + 1);
      expect(await offers()).toEqual([next]);
    }
  });

  it('remembers a turn for a week, so that new teams don’t keep a team waiting forever', async () => {
    await wait(['a1'], UNIT, 20);
    await wait(['b1'], UNIT, 2);
    await offered('a', '6 days 23 hours');
    await room(1);
    expect(await offers()).toEqual(['b1']);
    await sql`delete from gpu_waits where team_id = ${ids.b}`.execute(db());
    await sql`update teams set room_offered_at = null`.execute(db());
    await wait(['b1'], UNIT, 2);
    await offered('a', '7 days 1 hour');
    expect(await offers()).toEqual(['a1']);
  });

  it('remembers a turn also if the member leaves the line or joins it again', async () => {
    await wait(['a1', 'a2', 'b1']);
    await room(1);
    expect(await offers()).toEqual(['a1']);
    await withTransaction(db(), (trx) => leaveSizeLine(trx, { team_id: ids.a, user_id: 1 }));
    expect(await offers()).toEqual(['b1']);
  });

  it('goes by waiting time within a team, and skips what no host has room for', async () => {
    await wait(['a1'], { ...UNIT, vcpu: 900 });
    await wait(['a3', 'a2'], UNIT, 5);
    await room(1);
    expect(await offers()).toEqual(['a3']);
  });

  it('passes over teams that couldn’t deploy, until they can', async () => {
    await wait(['a1', 'b1']);
    await room(1);
    await sql`update teams set max_vcpu = 9 where id = ${ids.a}`.execute(db());
    expect(await offers()).toEqual(['b1']);
    await sql`update teams set max_vcpu = 10 where id = ${ids.a}`.execute(db());
    await room(2);
    expect(await offers()).toEqual(['a1']);
  });

  it('holds no more for a team than its quota allows', async () => {
    await sql`update teams set max_vcpu = 20 where id = ${ids.a}`.execute(db());
    await wait(['a1', 'a2', 'a3']);
    await room(10);
    expect(await offers()).toEqual(['a1', 'a2']);
    await holdsEnd();
    expect(await offers()).toEqual(['a3']);
  });

  it('offers nothing to a team without funds while billing is enforced', async () => {
    await wait(['a1']);
    await room(1);
    const need = { size: UNIT, gpus: 0, type: null };
    const asking = { team_id: ids.a, need, billingEnforced: true };
    expect(await offerRefusal(db(), asking)).toBe('funds');
    expect(await offers(true)).toEqual([]);
    await sql`update teams set post_paid_cap_micros = 1000000000 where id = ${ids.a}`.execute(db());
    expect(await offerRefusal(db(), asking)).toBeNull();
    expect(await offers(true)).toEqual(['a1']);
    await sql`update teams set post_paid_cap_micros = 0`.execute(db());
  });
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

it('reads one row per team and size, however many members wait, and misses none', async () => {
  await fill(db(), async (trx) => {
    await sql`
      insert into users (public_id, email, username, email_verified_at)
      select 'usr_m' || n, 'm' || n || '@example.test', 'm' || n, now() from generate_series(1, 12000) n`.execute(
      trx,
    );
    await sql`
      insert into memberships (team_id, user_id, role)
      select t.id, u.id, 'member' from teams t, users u where u.username like 'm%' and t.id in (${ids.a}, ${ids.b})`.execute(
      trx,
    );
    await sql`
      insert into gpu_waits (team_id, user_id, gpus, vcpu, memory_mb, disk_gb, created_at)
      select m.team_id, m.user_id, 0, case when u.id % 2 = 0 then 900 else 901 end, 2048, 10, now() - interval '1 day'
      from memberships m join users u on u.id = m.user_id where u.username like 'm%'`.execute(trx);
  });
  await wait(['c1'], UNIT, 1);
  await sql`analyze users, teams, memberships, gpu_waits`.execute(db());
  // 24,000 members of other teams are before the last in line.
  await room(1);
  expect(await offers()).toEqual(['c1']);
  expect((await firstInLine(db())).map(({ team_id, vcpu }) => [team_id, vcpu]).sort()).toEqual(
    [
      [ids.a, 900],
      [ids.a, 901],
      [ids.b, 900],
      [ids.b, 901],
    ].sort(),
  );
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (analyze, format json) ${lineQuery()}`.execute(db());
  const readBy = ({ Plans = [], ...node }: PlanNode): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
    Plans.reduce((sum, part) => sum + readBy(part), 0);
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  expect(plan && readBy(plan.Plan)).toBeLessThan(1_000);
  await sql`delete from gpu_waits`.execute(db());
});

describe('offered room', () => {
  const rejoin = (team: Team, user_id: number) =>
    withTransaction(db(), (trx) => waitForSize(trx, { team_id: ids[team], user_id, gpus: 0, ...UNIT }));
  const seenBy = async (team: Team) => {
    const { policy, except, limit } = { policy: 'spread', except: new Set<number>(), limit: 64 } as const;
    const found = await teepodsWithRoom(db(), {
      team_id: ids[team],
      wish: { size: UNIT },
      policy,
      except,
      limit,
    });
    return found.length;
  };

  it('is left to the team by every other deployment, and ends once the team has deployed it', async () => {
    await wait(['a1']);
    await room(1);
    expect(await offers()).toEqual(['a1']);
    expect([await seenBy('a'), await seenBy('b')]).toEqual([1, 0]);
    expect(await deploy('b')).toBe(false);
    await room(2);
    expect(await seenBy('b')).toBe(1);
    expect(await deploy('b')).toBe(true);
    expect(await deploy('b')).toBe(false);
    expect(await deploy('a')).toBe(true);
    expect(await open()).toBe(0);
    await room(3);
    expect(await deploy('b')).toBe(true);
  });

  it('is named in the mail with the time until which it is held', async () => {
    await wait(['a1']);
    await room(1);
    await offers();
    const { rows } = await sql<{ held_until: Date; minutes: number }>`
      select held_until, round(extract(epoch from held_until - notified_at) / 60)::int as minutes from gpu_waits`.execute(
      db(),
    );
    expect(rows[0]?.minutes).toBe(30);
    expect(mails[0]).toMatchObject({ template: 'room_free', data: { until: rows[0]?.held_until } });
  });

  it('is free for everyone when its time is over, by the clock of the database', async () => {
    await wait(['a1']);
    await room(1);
    await offers();
    await sql`update gpu_waits set held_until = now() + interval '1 hour'`.execute(db());
    expect(await deploy('b')).toBe(false);
    await holdsEnd();
    expect(await seenBy('b')).toBe(1);
    expect(await deploy('b')).toBe(true);
  });

  it('outlasts smaller deployments and moves of the team', async () => {
    await wait(['a1'], { ...UNIT, vcpu: 20, memory_mb: 20_480 });
    await room(4);
    await offers();
    expect(await deploy('a')).toBe(true);
    expect(await deploy('a', { units: 2, moving: true })).toBe(true);
    expect(await open()).toBe(1);
    await room(6);
    expect(await deploy('b')).toBe(true);
    expect(await deploy('b')).toBe(false);
    expect(await deploy('a', { units: 2 })).toBe(true);
    expect(await open()).toBe(0);
  });

  it('is given up by leaving the waitlist or joining it again', async () => {
    await wait(['a1', 'c1']);
    await room(2);
    await offers();
    expect(await deploy('b')).toBe(false);
    await rejoin('a', 1);
    expect(await deploy('b')).toBe(true);
    expect(await deploy('b')).toBe(false);
    await withTransaction(db(), (trx) => leaveSizeLine(trx, { team_id: ids.c, user_id: 1 }));
    expect(await deploy('b')).toBe(true);
  });

  it('is never offered or deployed twice, whatever happens at the same time', async () => {
    const members = Array.from({ length: 15 }, (_, i) => `${TEAMS[i % 2 === 0 ? 0 : 2]}${i + 1}`);
    await wait(members);
    await room(12);
    const deployed = Array.from({ length: 30 }, (_, i) => deploy(i % 3 === 0 ? 'd' : 'b'));
    const [taken] = await Promise.all([Promise.all(deployed), offers(), offers()]);
    const count = taken.filter(Boolean).length;
    expect(count + ((await open()) ?? 0)).toBe(12);
    const [left] = await teepodCapacities(db(), {
      team_id: ids.b,
      teepod_id: host.teepod.id,
      held_by: 'everyone',
    });
    expect(left).toMatchObject({ vcpu: 0, memory_mb: 0, slots: 88 });
  });

  it('includes its GPUs, those reserved for the team first', async () => {
    await room(10);
    await gpus(2);
    await wait(['a1'], { ...UNIT, gpus: 1 });
    expect(await offers()).toEqual(['a1']);
    const free = async (team: Team) =>
      (await teepodCapacities(db(), { team_id: ids[team], teepod_id: host.teepod.id }))[0]?.gpus;
    expect([await free('a'), await free('b')]).toEqual([2, 1]);
    const counted = async (team: Team) =>
      (await countFreeGpus(db(), ids[team], [host.teepod.id])).map(({ reserved, count }) => [
        reserved,
        count,
      ]);
    expect([await counted('a'), await counted('b')]).toEqual([[[false, 2]], [[false, 1]]]);
    expect(await deploy('b', { gpus: 2 })).toBe(false);
    expect(await deploy('b', { gpus: 1 })).toBe(true);
    expect(await deploy('b', { gpus: 1 })).toBe(false);
    expect(await deploy('a', { gpus: 1 })).toBe(true);
    expect(await open()).toBe(0);
  });

  it('takes none of the GPUs that others have reserved, and offers the team’s own only once', async () => {
    await room(10);
    await gpus(2);
    await sql`update gpus set reserved_team_id = ${ids.a} where slot like '0000:1%'`.execute(db());
    await wait(['a1', 'a2', 'a3'], { ...UNIT, gpus: 1 });
    expect(await offers()).toEqual(['a1', 'a2']);
    const free = async (team: Team) =>
      (await teepodCapacities(db(), { team_id: ids[team], teepod_id: host.teepod.id }))[0]?.gpus;
    // One offer is met by the reserved GPU, so that only one more is held.
    expect([await free('a'), await free('b')]).toEqual([2, 0]);
    await sql`update gpus set reserved_team_id = ${ids.b} where slot like '0000:2%'`.execute(db());
    expect(await free('b')).toBe(1);
    const counts = await countFreeGpus(db(), ids.b, [host.teepod.id]);
    expect(counts).toMatchObject([{ reserved: true, count: 1 }]);
    expect(await deploy('b', { gpus: 1 })).toBe(true);
  });

  it('is left to the team by a CVM that gets its GPUs again', async () => {
    await room(10);
    await gpus(1);
    await wait(['a1'], { ...UNIT, gpus: 1 });
    await offers();
    const app = await insertApp(db(), { team_id: ids.b, host, name: 'restored' });
    const cvm = await insertCvm(db(), { ...app, host, change: { gpus: 1 } });
    const teepod_id = host.teepod.id;
    await db()
      .insertInto('reservations')
      .values({ teepod_id, team_id: ids.b, cvm_id: cvm.id, vcpu: 0, memory_mb: 0, disk_gb: 10 })
      .execute();
    const restore = () =>
      withTransaction(db(), async (trx) => {
        const [free] = await teepodCapacities(trx, { team_id: ids.b, teepod_id });
        return takeGpusAgain(trx, cvm, free?.gpus ?? 0);
      });
    expect(await restore()).toBe(false);
    await holdsEnd();
    expect(await restore()).toBe(true);
  });
});
