import { sql, type RawBuilder } from 'kysely';
import type {
  Counters,
  DiskLevel,
  MetricAlert,
  MetricState,
  MetricValues,
  Missing,
} from '../../domain/metrics/metrics';
import {
  ROLLUPS,
  SAMPLES,
  slotOf,
  slotsBetween,
  stepOf,
  type MetricLevel,
} from '../../domain/metrics/metricLevels';
import { withTransaction, type Db, type Tx } from '../core/client';
import { addEvent } from '../activity/operations';
import { toJson } from '../core/json';

const AVERAGED = [
  'cpu',
  'load',
  'memory',
  'swap',
  'disk',
  'network_in',
  'network_out',
  'network_errors',
] as const;
type Averaged = (typeof AVERAGED)[number];

const raw = (text: string) => sql.raw(text);
const list = (names: readonly string[]) => raw(names.join(', '));
const overwrite = (names: readonly string[]) =>
  raw(names.map((name) => `${name} = excluded.${name}`).join(', '));

export interface MeasuredCvm {
  id: number;
  team_id: number;
  app_id: number;
  host_vm_id: string;
  vcpu: number;
  /** After its last sample; null before the first. */
  state: MetricState | null;
}

/** Returns a host's running CVMs, each with the state its next sample is compared with. */
export async function cvmsToMeasure(db: Db, teepod_id: number): Promise<MeasuredCvm[]> {
  const rows = await db
    .selectFrom('cvms as c')
    .leftJoin('cvm_metric_state as s', 's.cvm_id', 'c.id')
    .select(['c.id', 'c.team_id', 'c.app_id', 'c.host_vm_id', 'c.vcpu'])
    .select([
      's.sampled_at',
      's.uptime_seconds',
      's.cpu_time_us',
      's.counters',
      's.source',
      's.num_cpus',
      's.memory_total',
      's.swap_total',
      's.disk_total',
      's.disk_name',
      's.containers_total',
      's.disk_levels',
      's.memory_high_since',
      's.memory_warned',
    ])
    .where('c.teepod_id', '=', teepod_id)
    .where('c.deleted_at', 'is', null)
    .where('c.status', '=', 'running')
    .where('c.host_vm_id', 'is not', null)
    .orderBy('c.id')
    .execute();
  return rows.map(({ id, team_id, app_id, host_vm_id, vcpu, sampled_at, ...state }) => ({
    id,
    team_id,
    app_id,
    host_vm_id: host_vm_id ?? '',
    vcpu,
    state: sampled_at === null ? null : ({ sampled_at, ...state } as MetricState),
  }));
}

export type Sample = { cvm: MeasuredCvm } & (
  | { missing: Missing }
  | { missing: null; values: MetricValues; state: MetricState; alerts: MetricAlert[] }
);

const KEPT = ['missing', ...AVERAGED, 'containers'] as const;

/**
 * Writes part of a round: samples, states and resulting events, all or nothing. With several rounds per slot
 * the last values stay: a CVM that stops in between did use what was measured.
 */
export async function saveSamples(db: Db, at: Date, samples: readonly Sample[]): Promise<void> {
  const sorted = [...samples].sort((a, b) => a.cvm.id - b.cvm.id);
  const column = (name: keyof MetricValues) =>
    sorted.map((one) => (one.missing === null ? one.values[name] : null));
  await withTransaction(db, async (trx) => {
    await sql`
      insert into cvm_metric_samples (slot, cvm_id, at, ${list(KEPT)})
      select ${slotOf(at.getTime() / 1000, SAMPLES)}, cvm_id, ${at}, ${list(KEPT)}
      from unnest(${sorted.map(({ cvm }) => cvm.id)}::bigint[], ${sorted.map(({ missing }) => missing)}::text[],
        ${sql.join(AVERAGED.map((name) => sql`${column(name)}::real[]`))}, ${column('containers')}::smallint[])
        as s (cvm_id, ${list(KEPT)})
      on conflict (slot, cvm_id) do update set at = excluded.at, ${overwrite(KEPT)}
      where cvm_metric_samples.at <= excluded.at
        and (excluded.missing is null or cvm_metric_samples.missing is not null)`.execute(trx);
    // Even a CVM without data has a state, so that housekeeping finds a deleted one's rows.
    const silent = sorted.flatMap(({ cvm, missing }) =>
      missing !== null && cvm.state === null ? [cvm.id] : [],
    );
    if (silent.length > 0)
      await sql`
        insert into cvm_metric_state (cvm_id, sampled_at, uptime_seconds, source, num_cpus, memory_total, swap_total, disk_total)
        select id, to_timestamp(0), 0, 'guest', 0, 0, 0, 0 from unnest(${silent}::bigint[]) as s (id)
        on conflict (cvm_id) do nothing`.execute(trx);
    const answered = sorted.flatMap((one) => (one.missing === null ? [one] : []));
    if (answered.length === 0) return;
    const states = answered.map(({ cvm, state }) => ({
      cvm_id: cvm.id,
      ...state,
      counters: state.counters as Counters | null,
      disk_levels: state.disk_levels as Record<string, DiskLevel>,
    }));
    const { rows } = await sql<{ cvm_id: number }>`
      insert into cvm_metric_state (cvm_id, ${list(STATE)})
      select cvm_id, ${list(STATE)} from jsonb_populate_recordset(null::cvm_metric_state, ${toJson(states)}::jsonb)
      order by cvm_id
      on conflict (cvm_id) do update set ${overwrite(STATE)}
      where cvm_metric_state.sampled_at < excluded.sampled_at
      returning cvm_id`.execute(trx);
    // A rejected state is older than the one another process wrote, along with its events.
    const taken = new Set(rows.map(({ cvm_id }) => cvm_id));
    for (const { cvm, alerts } of answered)
      if (taken.has(cvm.id)) for (const alert of alerts) await addEvent(trx, { cvm, ...alert });
  });
}

const STATE = [
  'sampled_at',
  'uptime_seconds',
  'cpu_time_us',
  'counters',
  'source',
  'num_cpus',
  'memory_total',
  'swap_total',
  'disk_total',
  'disk_name',
  'containers_total',
  'disk_levels',
  'memory_high_since',
  'memory_warned',
] as const;

/** Steps rolled up in one transaction: after a long pause many may be pending. */
const MAX_STEPS = 6;

/**
 * Writes one level's finished rows from those of the level below. Idempotent, so a process may die at any
 * point. @returns the number of steps; also 0 while another process rolls up
 */
export async function rollUp(db: Db, level: MetricLevel, grace_seconds: number): Promise<number> {
  const below = ROLLUPS[ROLLUPS.indexOf(level) - 1] ?? SAMPLES;
  return withTransaction(db, async (trx) => {
    const progress = await trx
      .selectFrom('metric_progress')
      .select(['through', sql<number>`extract(epoch from now())::float8`.as('now')])
      .where('step', '=', level.step)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!progress) return 0;
    const { now } = progress;
    // Anything older than the ring below has been overwritten.
    const oldest = stepOf(now - below.step * below.places, level.step) + level.step;
    const end =
      below === SAMPLES
        ? now - grace_seconds
        : await trx
            .selectFrom('metric_progress')
            .select('through')
            .where('step', '=', below.step)
            .executeTakeFirstOrThrow()
            .then(({ through }) => through.getTime() / 1000);
    let step = Math.max(progress.through.getTime() / 1000, oldest);
    let done = 0;
    // After a long pause, and in a new database, most steps have no rows.
    if (step + level.step * MAX_STEPS < end) {
      const first = await firstSince(trx, step, below);
      const start = Math.min(stepOf(first ?? end, level.step), stepOf(end, level.step));
      done = Math.max(0, (start - step) / level.step);
      step += done * level.step;
    }
    const last = Math.min(end, step + level.step * MAX_STEPS);
    for (; step + level.step <= last; step += level.step, done += 1)
      await rollUpStep(step, level, below).execute(trx);
    if (done > 0)
      await trx
        .updateTable('metric_progress')
        .set({ through: new Date(step * 1000) })
        .where('step', '=', level.step)
        .execute();
    return done;
  });
}

/** Returns the time of a level's earliest row since another, in seconds since 1970; null if there is none. */
async function firstSince(trx: Tx, since: number, level: MetricLevel): Promise<number | null> {
  const fine = level === SAMPLES;
  const { rows } = await sql<{ first: number | null }>`
    select extract(epoch from min(at))::float8 as first
    from ${raw(fine ? 'cvm_metric_samples' : 'cvm_metric_rollups')}
    where at >= to_timestamp(${since}) ${fine ? sql`` : sql`and step = ${level.step}::int`}`.execute(trx);
  return rows[0]?.first ?? null;
}

function rollUpStep(at: number, level: MetricLevel, below: MetricLevel): RawBuilder<unknown> {
  const names = AVERAGED.flatMap((name) => [name, `${name}_min`, `${name}_max`]);
  const fine = below === SAMPLES;
  const values = AVERAGED.map((name) =>
    fine
      ? `avg(${name}), min(${name}), max(${name})`
      : `sum(${name}::float8 * samples) / nullif(sum(samples) filter (where ${name} is not null), 0), min(${name}_min), max(${name}_max)`,
  );
  const count = fine ? 'count(*) filter (where missing is null)' : 'sum(samples)';
  return sql`
    insert into cvm_metric_rollups (step, slot, cvm_id, at, samples, missing, ${list(names)}, containers)
    select ${level.step}::int, ${slotOf(at, level)}::int, cvm_id, to_timestamp(${at}), ${raw(count)},
      case when ${raw(count)} = 0 then max(missing) end, ${list(values)}, min(containers)
    from ${raw(fine ? 'cvm_metric_samples' : 'cvm_metric_rollups')}
    where slot = any(${slotsBetween(at, at + level.step, below)}::smallint[])
      and at >= to_timestamp(${at}) and at < to_timestamp(${at + level.step})
      ${fine ? sql`` : sql`and step = ${below.step}::int`}
    group by cvm_id order by cvm_id
    on conflict (step, slot, cvm_id) do update set at = excluded.at, samples = excluded.samples,
      missing = excluded.missing, ${overwrite(names)}, containers = excluded.containers`;
}

export type MetricPoint = {
  cvm_id: number;
  at: Date;
  /** Seconds it stands for. */
  step: number;
  samples: number;
  missing: Missing | null;
  containers: number | null;
} & Record<Averaged | `${Averaged}_min` | `${Averaged}_max`, number | null>;

/**
 * Returns these CVMs' metrics in [from, to), oldest first: from the level whose step is `step`, and from finer
 * levels for the time that isn't rolled up yet.
 */
export async function readMetrics(
  db: Db,
  cvm_ids: readonly number[],
  { step, from, to }: { step: number; from: Date; to: Date },
): Promise<MetricPoint[]> {
  if (cvm_ids.length === 0) return [];
  const progress = await db.selectFrom('metric_progress').selectAll().execute();
  const end = to.getTime() / 1000;
  let since = from.getTime() / 1000;
  const points: MetricPoint[] = [];
  for (const level of ROLLUPS.toReversed()) {
    if (level.step > step) continue;
    const rolledUp = (progress.find((row) => row.step === level.step)?.through.getTime() ?? 0) / 1000;
    const through = Math.min(rolledUp, end);
    if (through <= since) continue;
    points.push(...(await readLevel(db, cvm_ids, level, since, through)));
    since = through;
  }
  if (since < end) points.push(...(await readLevel(db, cvm_ids, SAMPLES, since, end)));
  return points;
}

async function readLevel(
  db: Db,
  cvm_ids: readonly number[],
  level: MetricLevel,
  from: number,
  to: number,
): Promise<MetricPoint[]> {
  const fine = level === SAMPLES;
  const values = AVERAGED.map((name) =>
    fine ? `${name}, ${name} as ${name}_min, ${name} as ${name}_max` : `${name}, ${name}_min, ${name}_max`,
  );
  // A ring longer than requested starts with the oldest rows not yet overwritten.
  const oldest = Math.max(from, to - level.step * level.places);
  const { rows } = await sql<MetricPoint>`
    select cvm_id, at, ${level.step}::int as step, missing, containers, ${list(values)},
      ${raw(fine ? '(missing is null)::int as samples' : 'samples')}
    from ${raw(fine ? 'cvm_metric_samples' : 'cvm_metric_rollups')}
    where slot = any(${slotsBetween(oldest, to, level)}::smallint[]) and cvm_id = any(${[...cvm_ids]}::bigint[])
      ${fine ? sql`` : sql`and step = ${level.step}::int`}
      and at >= to_timestamp(${oldest}) and at < to_timestamp(${to})
    order by at`.execute(db);
  return rows;
}

/** Returns the state after each CVM's last sample; omits CVMs that never responded. */
export async function readMetricStates(db: Db, cvm_ids: readonly number[]) {
  if (cvm_ids.length === 0) return [];
  return db
    .selectFrom('cvm_metric_state')
    .select([
      'cvm_id',
      'source',
      'num_cpus',
      'memory_total',
      'swap_total',
      'disk_total',
      'disk_name',
      'containers_total',
    ])
    .where('cvm_id', 'in', [...cvm_ids])
    .where('sampled_at', '>', new Date(0))
    .execute();
}

/** CVMs per transaction, and transactions per run: more than a region deletes in a minute. */
const FORGET_BATCH = 100;
const FORGET_BATCHES = 20;

/** Deletes deleted CVMs' metrics in batches, because nothing overwrites their rings. @returns how many CVMs' */
export async function forgetMetrics(db: Db): Promise<number> {
  let forgotten = 0;
  for (let batch = 0; batch < FORGET_BATCHES; batch++) {
    const some = await forgetSome(db);
    forgotten += some;
    if (some < FORGET_BATCH) break;
  }
  return forgotten;
}

function forgetSome(db: Db): Promise<number> {
  return withTransaction(db, async (trx) => {
    const gone = await trx
      .selectFrom('cvm_metric_state as s')
      .innerJoin('cvms as c', 'c.id', 's.cvm_id')
      .select('s.cvm_id')
      .where('c.deleted_at', '<', sql<Date>`now() - interval '1 hour'`)
      .where('c.status', '=', 'deleted')
      .orderBy('s.cvm_id')
      .limit(FORGET_BATCH)
      .forUpdate('s')
      .skipLocked()
      .execute();
    const ids = gone.map(({ cvm_id }) => cvm_id);
    if (ids.length === 0) return 0;
    const all = (places: number) => Array.from({ length: places }, (_, slot) => slot);
    await sql`delete from cvm_metric_samples where slot = any(${all(SAMPLES.places)}::smallint[])
      and cvm_id = any(${ids}::bigint[])`.execute(trx);
    for (const { step, places } of ROLLUPS)
      await sql`delete from cvm_metric_rollups where step = ${step} and slot = any(${all(places)}::smallint[])
        and cvm_id = any(${ids}::bigint[])`.execute(trx);
    await trx.deleteFrom('cvm_metric_state').where('cvm_id', 'in', ids).execute();
    return ids.length;
  });
}
