import { sql, type RawBuilder } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import type { Db } from '../../db/core/client';
import { isIn } from '../../db/core/states';

/**
 * Metrics of the whole installation, read from the database on each scrape: all processes serve the same, so
 * alert rules take their maximum. The file server/packaging/prometheus/teehouse.rules.yml names them.
 */

type Row = { value: number } & Record<string, string | number>;

interface Figure {
  name: string;
  help: string;
  labels: readonly string[];
  /** Rows with a text for each label and the number as `value`. */
  rows: RawBuilder<unknown>;
}

/** A process that hasn't been seen for this long is gone: heartbeats are ten seconds apart. */
const SEEN_SECONDS = 30;

export function addInstallationMetrics(registry: Registry, db: Db): void {
  const describe = ({ name, help, labels }: Figure) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  async function collect(into: Gauge | Counter, { rows }: Figure): Promise<void> {
    const read = await (rows as RawBuilder<Row>).execute(db);
    // In one step with the numbers: those of a concurrent scrape would be added to them.
    into.reset();
    for (const { value, ...labels } of read.rows) into.inc(labels, value);
  }
  const gauge = (figure: Figure) =>
    new Gauge({
      ...describe(figure),
      async collect() {
        await collect(this, figure);
      },
    });
  const counter = (figure: Figure) =>
    new Counter({
      ...describe(figure),
      async collect() {
        await collect(this, figure);
      },
    });

  gauge({
    name: 'teehouse_cvms',
    help: 'CVMs by status.',
    labels: ['status'],
    rows: sql`select status, count(*)::int as value from cvms where deleted_at is null group by 1`,
  });
  gauge({
    name: 'teehouse_operations_live',
    help: 'Unfinished operations, by state.',
    labels: ['state'],
    rows: sql`select state, count(*)::int as value from operations where ${isIn('state', LIVE_OPERATION)} group by 1`,
  });
  gauge({
    name: 'teehouse_teepods',
    help: 'TEE hosts by state and reachability.',
    labels: ['state'],
    rows: sql`select case when reachable then state else state || '_unreachable' end as state, count(*)::int as value
      from teepods group by 1`,
  });
  gauge({
    name: 'teehouse_host_shards',
    help: 'Host shards by whether a worker holds them. Hosts in a free shard are not polled.',
    labels: ['state'],
    rows: sql`select case when lease_until >= now() then 'held' else 'free' end as state, count(*)::int as value
      from host_shards group by 1`,
  });
  gauge({
    name: 'teehouse_alerts',
    help: 'Unresolved alerts by kind, severity and whether staff acknowledged them.',
    labels: ['kind', 'severity', 'state'],
    rows: sql`select kind, severity, case when acknowledged_at is null then 'open' else 'acknowledged' end as state,
      count(*)::int as value from alerts where resolved_at is null group by 1, 2, 3`,
  });
  gauge({
    name: 'teehouse_audit_export_lag_seconds',
    help: 'Age in seconds of the oldest audit entry that an active destination has not received yet; 0 if none is waiting.',
    labels: ['destination'],
    rows: sql`select d.name as destination, coalesce((
        select extract(epoch from greatest(now() - l.at, interval '0')) from audit_log l
        where l.id > d.delivered_id order by l.id limit 1), 0)::float8 as value
      from audit_destinations d where d.state = 'active'`,
  });
  gauge({
    name: 'teehouse_processes',
    help: 'Processes of this installation seen in the last half minute, by role.',
    labels: ['role'],
    rows: sql`select role, count(*)::int as value from workers
      where seen_at > now() - make_interval(secs => ${SEEN_SECONDS}) group by 1`,
  });
  gauge({
    name: 'teehouse_task_last_run_timestamp_seconds',
    help: 'Start time of the last run of a periodic task, in seconds since 1970.',
    labels: ['task'],
    rows: sql`select id as task, extract(epoch from last_run_at)::float8 as value from schedule_runs
      where last_run_at is not null`,
  });
  gauge({
    name: 'teehouse_task_period_seconds',
    help: 'Seconds between two runs of a periodic task.',
    labels: ['task'],
    rows: sql`select id as task, every_seconds::float8 as value from schedule_runs`,
  });
  counter({
    name: 'teehouse_task_failures_total',
    help: 'Failed runs of periodic tasks.',
    labels: ['task'],
    rows: sql`select id as task, failures::float8 as value from schedule_runs`,
  });
  counter({
    name: 'teehouse_runs_cut_short_total',
    help: 'Runs of periodic tasks that ended at a limit and left hosts for the next one.',
    labels: ['task'],
    rows: sql`select id as task, cut_short::float8 as value from schedule_runs`,
  });
}
