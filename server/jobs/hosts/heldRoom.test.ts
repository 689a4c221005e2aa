import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { countFreeGpus, publicGpuStock, takeGpusAgain } from '../../db/hosts/gpus';
import { teepodCapacities, teepodsWithRoom } from '../../db/hosts/reservations';
import { gpuStock } from '../../db/hosts/waits/heldRoom';
import { leaveSizeLine, waitForSize } from '../../db/hosts/waits/sizeWaits';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startWaitlist, UNIT, type Team, type Waitlist } from './testing/waitlist';

/* Offered room is held on its host for the team that was offered it. */

let list: Waitlist;
beforeAll(async () => {
  list = await startWaitlist();
});
afterAll(() => list.drop());
beforeEach(() => list.reset());

/** Other sessions that are in a transaction, or that wait for a lock. */
const sessions = async (state: 'idle in transaction' | 'active') => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = ${state}
      and (state <> 'active' or wait_event_type = 'Lock')`.execute(list.db);
  return rows[0]?.n;
};

describe('offered room', () => {
  const rejoin = (team: Team, user_id: number) =>
    withTransaction(list.db, (trx) =>
      waitForSize(trx, { team_id: list.ids[team], user_id, gpus: 0, ...UNIT }),
    );
  const seenBy = async (team: Team) => {
    const { policy, except, limit } = { policy: 'spread', except: new Set<number>(), limit: 64 } as const;
    const found = await teepodsWithRoom(list.db, {
      team_id: list.ids[team],
      wish: { size: UNIT },
      policy,
      except,
      limit,
    });
    return found.length;
  };

  it('is left to the team by every other deployment, and ends once the team has deployed it', async () => {
    await list.wait(['a1']);
    await list.room(1);
    expect(await list.offers()).toEqual(['a1']);
    expect([await seenBy('a'), await seenBy('b')]).toEqual([1, 0]);
    expect(await list.deploy('b')).toBe(false);
    await list.room(2);
    expect(await seenBy('b')).toBe(1);
    expect(await list.deploy('b')).toBe(true);
    expect(await list.deploy('b')).toBe(false);
    expect(await list.deploy('a')).toBe(true);
    expect(await list.open()).toBe(0);
    await list.room(3);
    expect(await list.deploy('b')).toBe(true);
  });

  it('is held again until its time is over if the deployment is abandoned', async () => {
    await list.wait(['a1']);
    await list.room(1);
    await list.offers();
    expect([await list.deploy('a'), await list.open()]).toEqual([true, 0]);
    await list.abandon();
    expect([await list.open(), await seenBy('b'), await list.deploy('b')]).toEqual([1, 0, false]);
    expect([await list.deploy('a'), await list.open()]).toEqual([true, 0]);
    await list.abandon();
    await list.holdsEnd();
    expect([await list.open(), await list.deploy('b')]).toEqual([0, true]);
  });

  it('stays held while a deployment on another host isn’t committed, and is used by the next on its own', async () => {
    await list.wait(['a1']);
    await list.room(1);
    await list.offers();
    const on = await insertHost(list.db, { name: 'elsewhere', kind: 'dstack_vmm' });
    const closed = list.db.updateTable('teepods').set({ max_cvms: 0 }).where('id', '=', on.teepod.id);
    onTestFinished(async () => void (await closed.execute()));
    expect(await list.deploy('a', { on })).toBe(true);
    expect([await list.open(), await list.deploy('b')]).toEqual([1, false]);
    expect([await list.deploy('a'), await list.open()]).toEqual([true, 0]);
  });

  it('is held although a deployment used an earlier offer, which an older server took back', async () => {
    await list.wait(['a1']);
    await list.room(2);
    await list.offers();
    expect(await list.deploy('a')).toBe(true);
    await sql`update gpu_waits set notified_at = null, teepod_id = null, held_until = null`.execute(list.db);
    expect(await list.offers()).toEqual(['a1']);
    expect([await list.open(), await list.deploy('b')]).toEqual([1, false]);
  });

  it('is named in the mail with the time until which it is held', async () => {
    await list.wait(['a1']);
    await list.room(1);
    await list.offers();
    const { rows } = await sql<{ held_until: Date; minutes: number }>`
      select held_until, round(extract(epoch from held_until - notified_at) / 60)::int as minutes from gpu_waits`.execute(
      list.db,
    );
    expect(rows[0]?.minutes).toBe(30);
    expect(list.mails[0]).toMatchObject({ template: 'room_free', data: { until: rows[0]?.held_until } });
  });

  it('is free for everyone when its time is over, by the clock of the database', async () => {
    await list.wait(['a1']);
    await list.room(1);
    await list.offers();
    await sql`update gpu_waits set held_until = now() + interval '1 hour'`.execute(list.db);
    expect(await list.deploy('b')).toBe(false);
    await list.holdsEnd();
    expect(await seenBy('b')).toBe(1);
    expect(await list.deploy('b')).toBe(true);
  });

  it('outlasts smaller deployments and moves of the team', async () => {
    await list.wait(['a1'], { ...UNIT, vcpu: 20, memory_mb: 20_480 });
    await list.room(4);
    await list.offers();
    expect(await list.deploy('a')).toBe(true);
    expect(await list.deploy('a', { units: 2, moving: true })).toBe(true);
    expect(await list.open()).toBe(1);
    await list.room(6);
    expect(await list.deploy('b')).toBe(true);
    expect(await list.deploy('b')).toBe(false);
    expect(await list.deploy('a', { units: 2 })).toBe(true);
    expect(await list.open()).toBe(0);
  });

  it('is given up by leaving the waitlist or joining it again', async () => {
    await list.wait(['a1', 'c1']);
    await list.room(2);
    await list.offers();
    expect(await list.deploy('b')).toBe(false);
    await rejoin('a', 1);
    expect(await list.deploy('b')).toBe(true);
    expect(await list.deploy('b')).toBe(false);
    await withTransaction(list.db, (trx) => leaveSizeLine(trx, { team_id: list.ids.c, user_id: 1 }));
    expect(await list.deploy('b')).toBe(true);
  });

  it.each([
    ['slots', { max_cvms: 1 }],
    ['vcpu', { max_vcpu: 2 * UNIT.vcpu - 1 }],
    ['memory', { max_memory_mb: 2 * UNIT.memory_mb - 1 }],
    ['disk', { max_disk_gb: 2 * UNIT.disk_gb - 1 }],
  ])('is left to the team in each resource: %s', async (_, limit) => {
    await list.wait(['a1']);
    await list.room(10);
    await list.db.updateTable('teepods').set(limit).where('id', '=', list.host.teepod.id).execute();
    expect(await list.offers()).toEqual(['a1']);
    expect([await seenBy('a'), await seenBy('b'), await list.deploy('b')]).toEqual([1, 0, false]);
    await list.holdsEnd();
    expect([await seenBy('b'), await list.deploy('b')]).toEqual([1, true]);
  });

  it('waits for a deployment in progress on the host', async () => {
    await list.wait(['a1']);
    await list.room(1);
    let commit!: () => void;
    const committing = new Promise<void>((resolve) => (commit = resolve));
    const deployed = list.deploy('b', { before_commit: () => committing });
    await vi.waitFor(async () => expect(await sessions('idle in transaction')).toBe(1));
    const offering = list.offers();
    await vi.waitFor(async () => expect(await sessions('active')).toBe(1));
    commit();
    expect([await deployed, await offering]).toEqual([true, []]);
  });

  it('is never offered or deployed twice, whatever happens at the same time', async () => {
    const members = Array.from({ length: 15 }, (_, i) => `${i % 2 === 0 ? 'a' : 'c'}${i + 1}`);
    await list.wait(members);
    await list.room(12);
    const deployed = Array.from({ length: 30 }, (_, i) => list.deploy(i % 3 === 0 ? 'd' : 'b'));
    const [taken] = await Promise.all([Promise.all(deployed), list.offers(), list.offers()]);
    const count = taken.filter(Boolean).length;
    expect(count + ((await list.open()) ?? 0)).toBe(12);
    const [left] = await teepodCapacities(list.db, {
      team_id: list.ids.b,
      teepod_id: list.host.teepod.id,
      held_by: 'everyone',
    });
    expect(left).toMatchObject({ vcpu: 0, memory_mb: 0, slots: 88 });
  });

  it('includes its GPUs, those reserved for the team first', async () => {
    await list.room(10);
    await list.gpus(2);
    await list.wait(['a1'], { ...UNIT, gpus: 1 });
    expect(await list.offers()).toEqual(['a1']);
    const free = async (team: Team) =>
      (await teepodCapacities(list.db, { team_id: list.ids[team], teepod_id: list.host.teepod.id }))[0]?.gpus;
    expect([await free('a'), await free('b')]).toEqual([2, 1]);
    const counted = async (team: Team) =>
      (await countFreeGpus(list.db, list.ids[team], [list.host.teepod.id])).map(({ reserved, count }) => [
        reserved,
        count,
      ]);
    expect([await counted('a'), await counted('b')]).toEqual([[[false, 2]], [[false, 1]]]);
    // As the public page shows them.
    expect(await publicGpuStock(list.db)).toEqual([{ model: 'H200', all: 2, free: 1 }]);
    // As a drain sees them.
    const stock = (team: Team) => gpuStock(list.db, [list.host.teepod.id], list.ids[team]);
    expect(await stock('a')).toMatchObject([{ all: 2, free: 2, kept: 0 }]);
    expect(await stock('b')).toMatchObject([{ all: 2, free: 1, kept: 1 }]);
    expect(await list.deploy('b', { gpus: 2 })).toBe(false);
    expect(await list.deploy('b', { gpus: 1 })).toBe(true);
    expect(await list.deploy('b', { gpus: 1 })).toBe(false);
    expect(await stock('b')).toMatchObject([{ all: 2, free: 0, used: 1, kept: 1 }]);
    expect(await list.deploy('a', { gpus: 1 })).toBe(true);
    expect(await list.open()).toBe(0);
  });

  it('takes none of the GPUs that others have reserved, and offers the team’s own only once', async () => {
    await list.room(10);
    await list.gpus(2);
    await sql`update gpus set reserved_team_id = ${list.ids.a} where slot like '0000:1%'`.execute(list.db);
    await list.wait(['a1', 'a2', 'a3'], { ...UNIT, gpus: 1 });
    expect(await list.offers()).toEqual(['a1', 'a2']);
    const free = async (team: Team) =>
      (await teepodCapacities(list.db, { team_id: list.ids[team], teepod_id: list.host.teepod.id }))[0]?.gpus;
    // One offer is met by the reserved GPU, so that only one more is held.
    expect([await free('a'), await free('b')]).toEqual([2, 0]);
    await sql`update gpus set reserved_team_id = ${list.ids.b} where slot like '0000:2%'`.execute(list.db);
    expect(await free('b')).toBe(1);
    const counts = await countFreeGpus(list.db, list.ids.b, [list.host.teepod.id]);
    expect(counts).toMatchObject([{ reserved: true, count: 1 }]);
    expect(await publicGpuStock(list.db)).toMatchObject([{ all: 2, free: 0 }]);
    expect(await list.deploy('b', { gpus: 1 })).toBe(true);
  });

  it('is left to the team by a CVM that gets its GPUs again', async () => {
    await list.room(10);
    await list.gpus(1);
    await list.wait(['a1'], { ...UNIT, gpus: 1 });
    await list.offers();
    const app = await insertApp(list.db, { team_id: list.ids.b, host: list.host, name: 'restored' });
    const cvm = await insertCvm(list.db, { ...app, host: list.host, change: { gpus: 1 } });
    const teepod_id = list.host.teepod.id;
    await list.db
      .insertInto('reservations')
      .values({ teepod_id, team_id: list.ids.b, cvm_id: cvm.id, vcpu: 0, memory_mb: 0, disk_gb: 10 })
      .execute();
    const restore = () =>
      withTransaction(list.db, async (trx) => {
        const [free] = await teepodCapacities(trx, { team_id: list.ids.b, teepod_id });
        return takeGpusAgain(trx, cvm, free?.gpus ?? 0);
      });
    expect(await restore()).toBe(false);
    await list.holdsEnd();
    expect(await restore()).toBe(true);
  });
});
