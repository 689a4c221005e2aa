import { sql, type Kysely } from 'kysely';

/**
 * Metrics of running CVMs, kept for charts.
 *
 * Round-robin, like RRDtool: a row's slot is its time modulo the length of the ring, and is overwritten in the
 * next cycle. So the tables are bounded by the number of CVMs alone, nothing is ever deleted to make room, and
 * a collector round writes adjacent rows. Readers use only rows whose `at` is recent.
 *
 * The rings have no foreign key to cvms: it would lock, and so rewrite, a row of cvms for every sample.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const AVERAGES = ['cpu', 'load', 'memory', 'swap', 'disk', 'network_in', 'network_out', 'network_errors'];

const DDL = `
-- One per 30 seconds: two hours of them, 240 places.
create table cvm_metric_samples (
  slot smallint not null,
  cvm_id bigint not null,
  -- Begin of the collector's round.
  at timestamptz not null,
  -- Why there is nothing: the host was not reached, or its guest did not answer. Then all values are null.
  missing text check (missing in ('host', 'guest')),
  -- Percent of the CVM's vCPUs; only where CPU time is known.
  cpu real,
  -- Load average of one minute.
  load real,
  -- Bytes.
  memory real,
  swap real,
  disk real,
  -- Bytes per second through the CVM's network cards, and errors per second.
  network_in real,
  network_out real,
  network_errors real,
  containers smallint,
  primary key (slot, cvm_id)
) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.5);

-- 5 minutes for 26 hours (312 places), 30 minutes for 8 days (384), 2 hours for 40 days (480): what the day, the week
-- and the month show, no finer and no coarser.
create table cvm_metric_rollups (
  step integer not null check (step in (300, 1800, 7200)),
  slot smallint not null,
  cvm_id bigint not null,
  at timestamptz not null,
  -- How many samples it is made of; 0 and a reason when all of them were missing.
  samples smallint not null,
  missing text check (missing in ('host', 'guest')),
  ${AVERAGES.map((name) => `${name} real, ${name}_min real, ${name}_max real,`).join('\n  ')}
  containers smallint,
  primary key (step, slot, cvm_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.5);

-- What the next sample is compared with: counters of the guest, and which warnings have been given.
create table cvm_metric_state (
  cvm_id bigint primary key references cvms on delete cascade,
  sampled_at timestamptz not null,
  uptime_seconds integer not null,
  -- Of all CPUs together, since some moment; null where the guest knows only its load.
  cpu_time_us bigint,
  -- {interface: [received bytes, sent bytes, errors]}; null where the guest did not answer for them.
  counters jsonb,
  -- Who is measured: the guest, its containers (local teepod on Docker), or this machine (simulated engine).
  source text not null check (source in ('guest', 'containers', 'machine')),
  num_cpus integer not null,
  memory_total bigint not null,
  swap_total bigint not null,
  -- Of the largest disk; 0 when none was reported.
  disk_total bigint not null,
  disk_name text,
  containers_total smallint,
  -- {disk: 0, 85 or 95}: the limit it is above, with hysteresis.
  disk_levels jsonb not null default '{}',
  memory_high_since timestamptz,
  memory_warned boolean not null default false
) with (fillfactor = 50);

-- Who collects from a host in which round. A round is claimed once, so no two processes ever do the same one.
create table metric_rounds (
  teepod_id bigint primary key references teepods on delete cascade,
  round_at timestamptz not null,
  owner text not null,
  finished_at timestamptz,
  cvms integer,
  answered integer
);

-- Until when each step is rolled up.
create table metric_progress (
  step integer primary key,
  through timestamptz not null
);
insert into metric_progress (step, through) values (300, 'epoch'), (1800, 'epoch'), (7200, 'epoch');

-- What metering and the bands under the charts read: the changes around a window of time.
create index cvm_state_changes_at on cvm_state_changes (cvm_id, at);
`;
