import { sql } from 'kysely';
import { createDb, type Db } from '../db/core/client';
import { cvmsToMeasure, rollUp, saveSamples, type MeasuredCvm, type Sample } from '../db/metrics/metrics';
import { ROLLUPS, SAMPLES, stepOf, type MetricLevel } from '../domain/metrics/metricLevels';
import { measure } from '../domain/metrics/metrics';
import { median, ms, quantile, type Options, type Part, type Row } from './report';
import { seed, type Seeded } from './seed';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const GB = 2 ** 30;
/** CVMs of one host, written together. */
const OF_A_HOST = 100;
const ROUND_SECONDS = 30;

/** Cost of storing every CVM's usage: disk, writing a round, rolling up, and reading it for a chart. */
export async function metrics(options: Options): Promise<Part> {
  const cvms = options.quick ? 500 : 10_000;
  const dataDir = await temporaryDir();
  try {
    // Only the benchmark writes: the seeded hosts are offline and rounds are rare.
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off', METRICS_SECONDS: '300' });
    const database = await server.database();
    try {
      const db = createDb(database.pool);
      const seeded = await seed(server.url, db, cvms);
      options.say(`filling the metric tables of ${cvms} CVMs`);
      // One connection without a statement timeout.
      await db.connection().execute(fill);
      const rows = [
        ...(await room(db, cvms)),
        ...(await writing(db, cvms)),
        ...(await reading(server.url, seeded)),
      ];
      return {
        title: 'Metrics',
        how: `${cvms} CVMs with full history: 30 s for 2 h, 5 min for 26 h, 30 min for 8 days, 2 h for 40 days. A round writes one sample of every CVM, ${OF_A_HOST} at a time as of ${OF_A_HOST} CVMs per host; it is due every ${ROUND_SECONDS} s. Reading: sequential requests with an API token, over 200 CVMs.`,
        rows,
      };
    } finally {
      await database.stop();
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

async function fill(db: Db): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await sql`set statement_timeout = 0`.execute(db);
  await sql`insert into cvm_metric_state (cvm_id, sampled_at, uptime_seconds, counters, source, num_cpus, memory_total, swap_total, disk_total, disk_name, containers_total)
    select id, now() - interval '30 seconds', 100000, '{"eth0":[1,1,0]}', 'guest', 2, ${2 * GB}::bigint, 0, ${20 * GB}::bigint, '/dev/vdb', 2 from cvms`.execute(
    db,
  );
  const values = sql.raw(
    `null, random(), 1e9 + 1e8 * random(), null, 5e9 + 1e8 * random(), 1e5 * random(), 1e5 * random(), 0`,
  );
  await sql`insert into cvm_metric_samples (slot, cvm_id, at, cpu, load, memory, swap, disk, network_in, network_out, network_errors, containers)
    select (i % ${SAMPLES.places})::int, id, to_timestamp(i * 30), ${values}, 2
    from generate_series(${Math.floor(now / 30) - SAMPLES.places + 1}::bigint, ${Math.floor(now / 30) - 1}::bigint) i, cvms order by i, id`.execute(
    db,
  );
  for (const level of ROLLUPS) await fillLevel(db, level, now);
  await sql`vacuum (analyze) cvm_metric_samples, cvm_metric_rollups, cvm_metric_state`.execute(db);
}

async function fillLevel(db: Db, { step, places }: MetricLevel, now: number): Promise<void> {
  const names = ['load', 'memory', 'disk', 'network_in', 'network_out', 'network_errors'];
  const last = Math.floor(now / step) - 1;
  await sql`insert into cvm_metric_rollups (step, slot, cvm_id, at, samples, containers, ${sql.raw(names.flatMap((n) => [n, `${n}_min`, `${n}_max`]).join(', '))})
    select ${step}::int, (i % ${places}::int)::int, id, to_timestamp(i * ${step}::int), ${step / 30}::int, 2, ${sql.raw(names.map(() => 'random(), 0, 2 * random()').join(', '))}
    from generate_series(${last - places + 2}::bigint, ${last}::bigint) i, cvms order by i, id`.execute(db);
  await sql`update metric_progress set through = to_timestamp(${stepOf(now, step)}) where step = ${step}`.execute(
    db,
  );
}

async function room(db: Db, cvms: number): Promise<Row[]> {
  const tables = ['cvm_metric_samples', 'cvm_metric_rollups', 'cvm_metric_state'];
  const rows: Row[] = [];
  let bytes = 0;
  for (const table of tables) {
    const { rows: found } = await sql<{ rows: number; bytes: number }>`
      select (select count(*) from ${sql.table(table)}) as rows, pg_total_relation_size(${table}::regclass) as bytes`.execute(
      db,
    );
    const [size] = found;
    bytes += size?.bytes ?? 0;
    rows.push({ what: table, figures: `${count(size?.rows ?? 0)} rows, ${megabytes(size?.bytes ?? 0)}` });
  }
  rows.push({ what: 'total per CVM', figures: `${Math.round(bytes / cvms / 1000)} KB` });
  return rows;
}

async function writing(db: Db, cvms: number): Promise<Row[]> {
  const { teepod_id } = await db.selectFrom('cvms').select('teepod_id').limit(1).executeTakeFirstOrThrow();
  const all = await cvmsToMeasure(db, teepod_id);
  const rounds: number[] = [];
  let transactions = 0;
  for (let n = 0; n < 4; n += 1) {
    const at = new Date((stepOf(Date.now() / 1000, ROUND_SECONDS) + n * ROUND_SECONDS) * 1000);
    const began = performance.now();
    for (let i = 0; i < all.length; i += OF_A_HOST) {
      await saveSamples(
        db,
        at,
        all.slice(i, i + OF_A_HOST).map((cvm) => sampleOf(cvm, at)),
      );
      transactions += 1;
    }
    rounds.push(performance.now() - began);
  }
  const statements = (transactions / rounds.length) * 4;
  const rolled: Row[] = [];
  for (const level of ROLLUPS) {
    const back = new Date((stepOf(Date.now() / 1000, level.step) - 2 * level.step) * 1000);
    await db.updateTable('metric_progress').set({ through: back }).where('step', '=', level.step).execute();
    const began = performance.now();
    const steps = await rollUp(db, level, 0);
    if (steps > 0)
      rolled.push({
        what: `roll up ${level.step / 60} min`,
        figures: `${ms((performance.now() - began) / steps)} every ${level.step} s`,
      });
  }
  return [
    {
      what: `a round of ${count(cvms)} CVMs`,
      figures: `${ms(median(rounds))} of ${ROUND_SECONDS} s; ${(statements / ROUND_SECONDS).toFixed(0)} statements/s with begin and commit`,
    },
    ...rolled,
  ];
}

function sampleOf(cvm: MeasuredCvm, at: Date): Sample {
  const system = {
    num_cpus: 2,
    total_memory: 2 * GB,
    used_memory: GB,
    total_swap: 0,
    used_swap: 0,
    uptime: 100_030,
    loadavg_one: 42,
    disks: [{ name: '/dev/vdb', mount_point: '/data', total_size: 20 * GB, free_size: 15 * GB }],
    cpu_time_us: null,
    measured: null,
  };
  const interfaces = [{ name: 'eth0', rx_bytes: 5e6, tx_bytes: 5e6, rx_errors: 0, tx_errors: 0 }];
  return {
    cvm,
    missing: null,
    ...measure(cvm.state, { at, system, interfaces, containers: [{ state: 'running' }], vcpu: cvm.vcpu }),
  };
}

async function reading(url: string, { token, vm_uuids }: Seeded): Promise<Row[]> {
  const paths = [
    ...(['hour', 'day', 'week', 'month'] as const).map((range) => [range, `metrics?range=${range}`] as const),
    ['cost this month', 'usage'] as const,
  ];
  const rows: Row[] = [];
  for (const [name, path] of paths) {
    const times: number[] = [];
    for (const uuid of vm_uuids) {
      const began = performance.now();
      const reply = await fetch(`${url}/api/v1/cvms/${uuid}/${path}`, { headers: { 'x-api-key': token } });
      await reply.arrayBuffer();
      if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`);
      times.push(performance.now() - began);
    }
    rows.push({
      what: `GET ${name}`,
      figures: `${ms(median(times))}, p95 ${ms(quantile(times, 0.95))}`,
      aim: 'p95 < 100 ms',
    });
  }
  return rows;
}

const count = (n: number) => n.toLocaleString('en').replaceAll(',', ' ');
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
