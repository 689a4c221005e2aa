import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLLUPS, slotOf, stepOf } from '../../domain/metrics/metricLevels';
import { measure } from '../../domain/metrics/metrics';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { forgetMetrics, rollUp, saveSamples, type Sample } from './metrics';
import type { CvmRow } from '../cvms/cvmsTable';

const GB = 2 ** 30;
/** Values are stored with seven digits. */
const closeTo = (value: number) => expect.closeTo(value, -4) as number;

let database: TestDatabase;
let team_id: number;
let made = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const team = await database.db
    .insertInto('teams')
    .values({ public_id: 'tea_rings', slug: 'rings', name: 'Rings', wallet_address: `0x${'1'.repeat(40)}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  team_id = team.id;
});
afterAll(() => database.drop());

async function world(count: number): Promise<{ cvms: CvmRow[] }> {
  const host = await insertHost(database.db);
  const app = await insertApp(database.db, { team_id, host, name: `rings-${(made += 1)}` });
  const cvms: CvmRow[] = [];
  for (let i = 0; i < count; i += 1) cvms.push(await insertCvm(database.db, { host, ...app }));
  return { cvms };
}

const samplesOf = (cvms: readonly CvmRow[]) =>
  database.db
    .selectFrom('cvm_metric_samples')
    .select('cvm_id')
    .where(
      'cvm_id',
      'in',
      cvms.map(({ id }) => id),
    )
    .execute();

/**
 * Start of two hours that ended at least two hours ago. The latest two hours are not finished in every level during the
 * grace period after they end.
 */
const at = stepOf(Date.now() / 1000, 7200) - 2 * 7200;
const sample = (cvm: CvmRow, load: number | null, used: number): Sample => {
  const one = { id: cvm.id, team_id, app_id: cvm.app_id, host_vm_id: '', vcpu: 4, state: null };
  if (load === null) return { cvm: one, missing: 'host' };
  const system = {
    num_cpus: 4,
    total_memory: 4 * GB,
    used_memory: used,
    total_swap: 0,
    used_swap: 0,
    uptime: 1,
    loadavg_one: load * 100,
    disks: [],
    cpu_time_us: null,
    measured: null,
  };
  const reading = { at: new Date(), system, interfaces: [], containers: null, vcpu: 4 };
  return { cvm: one, missing: null, ...measure(null, reading) };
};
const rows = (cvm: CvmRow, step: number) =>
  database.db
    .selectFrom('cvm_metric_rollups')
    .selectAll()
    .where('cvm_id', '=', cvm.id)
    .where('step', '=', step)
    .orderBy('at')
    .execute();
const [five, half, two] = ROLLUPS;
const again = (step: number) =>
  database.db
    .updateTable('metric_progress')
    .set({ through: new Date(at * 1000) })
    .where('step', '=', step)
    .execute();
const all = async () => {
  for (const level of ROLLUPS) while ((await rollUp(database.db, level, 50)) > 0);
};

it('keeps a value when a later round in the same 30 seconds gets no response', async () => {
  const { cvms } = await world(1);
  const cvm = cvms[0]!;
  const begin = at + 600;
  const stored = () =>
    database.db
      .selectFrom('cvm_metric_samples')
      .select(['at', 'missing', 'load'])
      .where('cvm_id', '=', cvm.id)
      .execute();
  await saveSamples(database.db, new Date(begin * 1000), [sample(cvm, 1, GB)]);
  await saveSamples(database.db, new Date((begin + 10) * 1000), [sample(cvm, null, 0)]);
  expect(await stored()).toEqual([{ at: new Date(begin * 1000), missing: null, load: 1 }]);
  await saveSamples(database.db, new Date((begin + 20) * 1000), [sample(cvm, 2, GB)]);
  expect(await stored()).toEqual([{ at: new Date((begin + 20) * 1000), missing: null, load: 2 }]);
});

it('keeps average, minimum and maximum, weights by samples, records why data is missing, and is idempotent', async () => {
  const { cvms } = await world(1);
  const cvm = cvms[0]!;
  // Ten samples of the last complete five minutes: 0…8 and one missing.
  const begin = stepOf(Date.now() / 1000 - 60, 300) - 300;
  for (let i = 0; i < 10; i += 1)
    await saveSamples(database.db, new Date((begin + i * 30) * 1000), [
      sample(cvm, i === 9 ? null : i, (1 + i) * GB),
    ]);
  // The five minutes before have no data.
  for (let i = 0; i < 10; i += 1)
    await saveSamples(database.db, new Date((begin - 300 + i * 30) * 1000), [sample(cvm, null, 0)]);
  await all();
  const first = await rows(cvm, 300);
  expect(first.map(({ at, samples, missing }) => [at.getTime() / 1000, samples, missing])).toEqual([
    [begin - 300, 0, 'host'],
    [begin, 9, null],
  ]);
  expect(first[1]).toMatchObject({
    load: 4,
    load_min: 0,
    load_max: 8,
    memory: closeTo(5 * GB),
    memory_max: closeTo(9 * GB),
  });
  await again(300);
  await all();
  expect(await rows(cvm, 300)).toEqual(first);
});

it('leaves nothing half done when a process dies midway', async () => {
  const { cvms } = await world(1);
  const cvm = cvms[0]!;
  const begin = stepOf(Date.now() / 1000 - 60, 300) - 300;
  await saveSamples(database.db, new Date(begin * 1000), [sample(cvm, 2, GB)]);
  await again(300);
  const through = () =>
    database.db
      .selectFrom('metric_progress')
      .select('through')
      .where('step', '=', 300)
      .executeTakeFirstOrThrow();
  const before = await through();
  await sql`create function die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(
    database.db,
  );
  await sql`create trigger die before update on metric_progress for each row execute function die()`.execute(
    database.db,
  );
  await expect(rollUp(database.db, five!, 50)).rejects.toThrow();
  expect([await rows(cvm, 300), await through()]).toEqual([[], before]);
  await sql`drop trigger die on metric_progress`.execute(database.db);
  // Of two concurrent runs, one does it.
  await Promise.all([all(), all()]);
  expect(await rows(cvm, 300)).toHaveLength(1);
});

it('builds a coarse step from the finer ones, weighted by their sample counts', async () => {
  const { cvms } = await world(1);
  const cvm = cvms[0]!;
  const insert = (level: (typeof ROLLUPS)[number], time: number, samples: number, value: number) =>
    sql`insert into cvm_metric_rollups (step, slot, cvm_id, at, samples, load, load_min, load_max)
        values (${level.step}, ${slotOf(time, level)}, ${cvm.id}, to_timestamp(${time}), ${samples}, ${value}, ${value - 1}, ${value + 1})`.execute(
      database.db,
    );
  await insert(five!, at, 10, 2);
  await insert(five!, at + 300, 5, 5);
  await insert(five!, at + 1800, 10, 1);
  await again(1800);
  await again(7200);
  await all();
  expect((await rows(cvm, 1800)).map((row) => [row.samples, row.load, row.load_min, row.load_max])).toEqual([
    [15, 3, 1, 6],
    [10, 1, 0, 2],
  ]);
  const [whole] = await rows(cvm, 7200);
  expect([whole?.samples, whole?.load_min, whole?.load_max]).toEqual([25, 0, 6]);
  expect(whole?.load).toBeCloseTo((15 * 3 + 10) / 25, 5);
  expect([half?.step, two?.step]).toEqual([1800, 7200]);
});

it('skips a long time without rows in one run', async () => {
  const { cvms } = await world(1);
  const cvm = cvms[0]!;
  const level = ROLLUPS[0]!;
  const late = stepOf(Date.now() / 1000 - 60, level.step) - 2 * level.step;
  await sql`truncate cvm_metric_samples`.execute(database.db);
  await saveSamples(database.db, new Date(late * 1000), [sample(cvm, 1, GB)]);
  await again(level.step);
  await rollUp(database.db, level, 50);
  expect((await rows(cvm, level.step)).map((row) => row.at)).toEqual([new Date(late * 1000)]);
});

it('deletes the metrics of a deleted CVM and keeps the others', async () => {
  const { cvms } = await world(2);
  const now = new Date(stepOf(Date.now() / 1000, 30) * 1000);
  await saveSamples(database.db, now, [sample(cvms[0]!, null, 0), sample(cvms[1]!, 1, GB)]);
  await sql`update cvms set status = 'deleted', deleted_at = now() - interval '2 hours' where id = ${cvms[0]!.id}`.execute(
    database.db,
  );
  expect(await forgetMetrics(database.db)).toBe(1);
  expect((await samplesOf(cvms)).map(({ cvm_id }) => cvm_id)).toEqual([cvms[1]!.id]);
});
