import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { drainLeases } from '../../db/hosts/drains';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { sweepDrains } from './drains';
import { takeTarget } from './drainTarget';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const world = (owner: string) => ({
  db: database.db,
  jobs: { enqueueOperation: async () => undefined, enqueueMail: async () => undefined },
  log: createLogger('silent'),
  owner,
  stopping: new AbortController().signal,
});

it("moves an app's CVMs from two hosts that are drained together to different hosts", async () => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'apart');
  const hosts = [];
  for (const name of ['first', 'second', 'large', 'small']) hosts.push(await insertHost(db, { name }));
  const { kms } = hosts[0]!;
  const [first, second, large, small] = hosts.map(({ teepod }) => teepod.id);
  await sql`update teepods set kms_id = ${kms.id},
    state = case when id in (${first}, ${second}) then 'draining' else 'online' end,
    max_memory_mb = case when id = ${large} then 500000 else max_memory_mb end`.execute(db);
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i`.execute(db);
  const app = await insertApp(db, { team_id, host: hosts[0]!, name: 'apart' });
  const targets = await Promise.all(
    hosts.slice(0, 2).map(async ({ teepod }) => {
      const cvm = await insertCvm(db, { ...app, host: { kms, teepod } });
      return withTransaction(db, (trx) => takeTarget(trx, cvm, teepod));
    }),
  );
  const taken = targets.map((target) => ('why' in target ? target.why.text : target.teepod_id));
  expect(taken.sort()).toEqual([large, small].sort());
});

it('moves CVMs to the fullest host with room if placement packs', async () => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'packed');
  const source = await insertHost(db, { name: 'source' });
  const small = await insertHost(db, { name: 'packed-small' });
  const large = await insertHost(db, { name: 'packed-large' });
  const ids = [source, small, large].map(({ teepod }) => teepod.id);
  await sql`update teepods set kms_id = ${source.kms.id}, max_vcpu = 1000,
    max_memory_mb = case when id = ${large.teepod.id} then 500000 else 50000 end
    where id = any(${ids}::bigint[])`.execute(db);
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i where t.id = any(${ids}::bigint[])`.execute(db);
  const app = await insertApp(db, { team_id, host: source, name: 'packed' });
  const targetOf = async (placement: 'spread' | 'pack') => {
    await db.updateTable('platform_settings').set({ placement }).execute();
    const cvm = await insertCvm(db, { ...app, host: source });
    const target = await withTransaction(db, (trx) => takeTarget(trx, cvm, source.teepod));
    await db.deleteFrom('reservations').where('cvm_id', '=', cvm.id).execute();
    await db.updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
    return 'why' in target ? target.why.text : target.name;
  };
  expect(await targetOf('pack')).toBe('packed-small');
  expect(await targetOf('spread')).toBe('packed-large');
});

it.each([
  ['behind', -60_000],
  ['ahead', 60_000],
])('stops CVMs and checks them again in time if its clock is a minute %s', async (which, skew_ms) => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, `clock-${which}`);
  const drained = async (name: string, others: 'leave' | 'stop', stop_in: string) => {
    const host = await insertHost(db, { name: `${name}-${which}` });
    const app = await insertApp(db, { team_id, host, name: `${name}-${which}` });
    await insertCvm(db, { ...app, host });
    const { id } = await db
      .insertInto('drains')
      .values({
        teepod_id: host.teepod.id,
        movable: 'move',
        others,
        stop_at: sql<Date>`now() + ${stop_in}::interval`,
        reason: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id };
  };
  const stays = await drained('stays', 'leave', '0 s');
  const soon = await drained('soon', 'stop', '30 s');
  const due = await drained('due', 'stop', '-1 s');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew_ms });
  try {
    await sweepDrains(world('skewed-1-x'));
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await sql<{ drain_id: number; state: string; pause: number }>`
    select drain_id, state, extract(epoch from look_at - now())::float8 as pause from drain_cvms
    where drain_id = any(${[stays.id, soon.id, due.id]}::bigint[])`.execute(db);
  const of = ({ id }: { id: number }) => rows.find(({ drain_id }) => drain_id === id)!;
  expect(of(stays).state).toBe('blocked');
  expect(of(soon).state).toBe('waiting');
  expect(of(due).state).toBe('stopping');
  expect(Math.abs(of(stays).pause - 5)).toBeLessThan(5);
  expect(Math.abs(of(soon).pause - 10)).toBeLessThan(10);
  await db.updateTable('drains').set({ state: 'cancelled' }).execute();
});

it('continues behind any number of drains that are blocked', async () => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'blocking');
  const drainOf = async (number: number) => {
    const host = await insertHost(db, { name: `rack-${number}` });
    const { id } = await db
      .insertInto('drains')
      .values({
        teepod_id: host.teepod.id,
        movable: 'move',
        others: 'leave',
        stop_at: new Date(),
        reason: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, host };
  };
  for (let number = 0; number < 25; number++) {
    const { host } = await drainOf(number);
    await insertCvm(db, {
      ...(await insertApp(db, { team_id, host, name: `stays-${number}` })),
      host,
    });
  }
  const { id: last } = await drainOf(25);
  const claimed = await drainLeases.claim(db, 'somewhere-1-x', 20);
  expect(claimed, 'many at a time, but not all').toHaveLength(20);
  for (const { id } of claimed) await drainLeases.release(db, id, 'somewhere-1-x');
  await sweepDrains(world('elsewhere-1-x'));
  const drains = await db
    .selectFrom('drains')
    .select(['id', 'state'])
    .where('state', '<>', 'cancelled')
    .orderBy('id')
    .execute();
  expect(drains.map(({ id, state }) => [id === last, state])).toEqual([
    ...Array(25).fill([false, 'blocked']),
    [true, 'succeeded'],
  ]);
});
