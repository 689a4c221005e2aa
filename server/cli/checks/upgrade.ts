import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import type { Config } from '../../config';
import { migrations } from '../../db/migrations';
import { ownValue } from '../../../console/lib/ownValue';
import { appliedMigrations } from '../tables';
import { fail, ok, warn, type Finding } from './finding';
import { MIGRATION_FACTS } from './migrationFacts';

const GB = 1e9;
/** Free disk without which PostgreSQL itself is at risk. */
const MIN_FREE_GB = 0.5;
const BACKUP_HOURS = 24;
/** A process without a heartbeat for this long is gone: heartbeats are ten seconds apart. */
const SEEN_SECONDS = 30;
const MAX_PROCESSES = 500;
const MIN_POSTGRES = 15;

export interface PendingMigration {
  name: string;
  /** Null if only described in its source. */
  about: string | null;
  /** Effect on processes of earlier versions running alongside; null for none. */
  older_processes: { effect: 'stop' | 'degraded'; why: string } | null;
}

export interface RunningProcess {
  id: string;
  hostname: string;
  role: string;
  version: string;
}

export interface DatabaseState {
  postgres: string;
  postgres_major: number;
  applied: string[];
  /** Applied migrations that this version doesn't have. */
  newer: string[];
  pending: PendingMigration[];
  processes: RunningProcess[];
  last_backup_at: Date | null;
  size_bytes: number;
  largest_table_bytes: number;
}

/** Reads everything in one read-only transaction. */
export async function readDatabaseState(pool: pg.Pool): Promise<DatabaseState> {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    const { rows } = await client.query<{ v: string; major: number; size: number; largest: number | null }>(
      `select current_setting('server_version') as v, current_setting('server_version_num')::int / 10000 as major,
         pg_database_size(current_database()) as size,
         (select max(size)::bigint from (
            select sum(pg_total_relation_size(c.oid)) as size from pg_class c left join pg_inherits i on i.inhrelid = c.oid
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
            group by coalesce(i.inhparent, c.oid)) one) as largest`,
    );
    const [row] = rows;
    const applied = await appliedMigrations(client);
    return {
      postgres: row?.v.split(' ')[0] ?? '',
      postgres_major: row?.major ?? 0,
      applied,
      newer: applied.filter((name) => !Object.hasOwn(migrations, name)),
      pending: pendingAfter(applied),
      processes: applied.length === 0 ? [] : await processesOf(client),
      last_backup_at: applied.length === 0 ? null : await lastBackup(client),
      size_bytes: Number(row?.size ?? 0),
      largest_table_bytes: Number(row?.largest ?? 0),
    };
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

const pendingAfter = (applied: readonly string[]): PendingMigration[] =>
  Object.keys(migrations)
    .filter((name) => !applied.includes(name))
    .map((name): PendingMigration => {
      const facts = ownValue(MIGRATION_FACTS, name);
      if (facts) return { name, about: facts.about, older_processes: facts.older ?? null };
      return {
        name,
        about: null,
        older_processes: { effect: 'stop', why: "This version doesn't know whether they can." },
      };
    });

async function processesOf(client: pg.PoolClient): Promise<RunningProcess[]> {
  const { rows } = await client.query<RunningProcess>(
    `select id, hostname, role, version from workers where seen_at > now() - make_interval(secs => $1) order by hostname, id limit $2`,
    [SEEN_SECONDS, MAX_PROCESSES],
  );
  return rows;
}

async function lastBackup(client: pg.PoolClient): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `select max(at) as at from audit_log where action = 'database.backup'`,
  );
  return rows[0]?.at ?? null;
}

export function checkSchema({ newer, pending, applied }: DatabaseState, version: string): Finding {
  if (newer.length > 0)
    return fail(
      'schema',
      `the database is newer than this program: it has ${newer.join(', ')}`,
      'Install the version that created it, or a later one.',
    );
  if (applied.length === 0) return ok('schema', 'the database is empty; the first start creates everything');
  if (pending.length === 0) return ok('schema', `up to date for Teehouse ${version}`);
  return ok('schema', `${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} to run`);
}

export function checkPostgres({ postgres, postgres_major }: DatabaseState): Finding {
  return postgres_major >= MIN_POSTGRES
    ? ok('postgresql', postgres)
    : fail('postgresql', `${postgres} is too old`, `Upgrade PostgreSQL to ${MIN_POSTGRES} or newer first.`);
}

/** Returns whether the running processes can keep running on the migrated database. */
export function checkProcesses({ processes, pending, newer }: DatabaseState): Finding[] {
  if (newer.length > 0) return [];
  if (processes.length === 0) return [ok('processes', 'none running')];
  const named = processes.map(({ hostname, role, version }) => `${hostname} (${role}, ${version})`);
  const text = `${processes.length} running: ${someOf(named)}`;
  if (pending.length === 0) return [ok('processes', text)];
  const stopping = pending.filter(({ older_processes }) => older_processes?.effect === 'stop');
  if (stopping.length > 0)
    return [
      fail(
        'processes',
        text,
        'Stop all of them, web and worker, on all machines. Then run this check again.',
      ),
      ...stopping.map(({ name, older_processes }) =>
        fail(
          'processes',
          `none may run alongside ${name}: ${older_processes?.why ?? ''}`,
          'These run an earlier version.',
        ),
      ),
    ];
  const degraded = pending.filter(({ older_processes }) => older_processes?.effect === 'degraded');
  return [
    ok('processes', `${text}; they can keep running alongside the new version`),
    ...degraded.map(({ name, older_processes }) =>
      warn('processes', `alongside ${name}: ${older_processes?.why ?? ''}`, 'Replace them soon.'),
    ),
  ];
}

const MAX_NAMED = 5;
const someOf = (names: readonly string[]) =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ');

/** Migrations only move forward, so a backup is the only way back. Snapshots by other tools are unknown here. */
export function checkBackup({ last_backup_at, pending, applied }: DatabaseState, now: Date): Finding {
  if (applied.length === 0) return ok('backup', 'nothing to back up yet');
  const advice = 'teehouse backup --to FILE';
  if (!last_backup_at)
    return pending.length > 0
      ? warn('backup', 'none created with `teehouse backup` yet', advice)
      : ok('backup', 'none created with `teehouse backup` yet');
  const hours = (now.getTime() - last_backup_at.getTime()) / 3_600_000;
  const text = `the last one is from ${last_backup_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return pending.length > 0 && hours > BACKUP_HOURS ? warn('backup', text, advice) : ok('backup', text);
}

const gigabytes = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`;

/**
 * Migrations run in one transaction. One that rewrites a table needs as much disk again until it commits.
 *
 * @param free_bytes on the database's disk; null if on another machine
 */
export function checkSpace(
  { pending, size_bytes, largest_table_bytes }: DatabaseState,
  free_bytes: number | null,
): Finding {
  const sizes = `the database uses ${gigabytes(size_bytes)}, its largest table ${gigabytes(largest_table_bytes)}`;
  if (free_bytes === null) return ok('disk', `${sizes}; free disk on the database server is unknown`);
  const text = `${gigabytes(free_bytes)} free; ${sizes}`;
  if (pending.length === 0 && free_bytes >= MIN_FREE_GB * GB) return ok('disk', text);
  const advice = 'Free up space, or move DATA_DIR to a larger disk.';
  if (free_bytes < Math.max(MIN_FREE_GB * GB, largest_table_bytes)) return fail('disk', text, advice);
  return free_bytes < size_bytes ? warn('disk', text, advice) : ok('disk', text);
}

/** Returns the free bytes on a managed database's disk; null for an external one. */
export async function freeBytes({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<number | null> {
  if (databaseUrl) return null;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}
