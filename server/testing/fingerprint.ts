import { sql } from 'kysely';
import type { Db } from '../db/core/client';

/** Tables that change without a write by the caller: times of last use, host reports, counters of attempts. */
const TABLES_THAT_LIVE = [
  'rate_limits',
  'ai_key_minutes',
  'workers',
  'teepods',
  'nodes',
  'teepod_os_images',
  'os_images',
  'kms',
  'event_feed',
  'cvm_metric_samples',
  'cvm_metric_rollups',
  'cvm_metric_state',
  'metric_rounds',
  'metric_progress',
  'schedule_runs',
  'periodic_leases',
  'host_shards',
];
const COLUMNS_THAT_LIVE = ['last_seen_at', 'last_used_at', 'last_used_ip', 'observed_at', 'boot_progress'];

/** Digest of each table, and the number of its writes that the digest is known to include. */
type Known = Map<string, { writes: string | null; digest: string }>;
const knownOf = new WeakMap<Db, Promise<Known>>();

/**
 * A digest of everything a user could notice in the database: equal values mean that nothing changed. The first
 * call adds triggers that count writes per table, so that later calls read only tables written since.
 */
export async function fingerprint(db: Db): Promise<string> {
  const starting = knownOf.get(db) ?? countWrites(db);
  knownOf.set(db, starting);
  const known = await starting;
  // Before the tables: a write counted later makes the next call read the table again.
  const { rows: counts } = await sql<{ name: string; writes: string | null }>`
    select relname as name, pg_sequence_last_value(oid)::text as writes from pg_class
    where relnamespace = ${COUNTS}::regnamespace and relkind = 'S' order by relname`.execute(db);
  const written = counts.filter(({ name, writes }) => known.get(name)?.writes !== writes);
  const found = new Map(written.length > 0 ? await digests(db, written) : []);
  return counts.map(({ name }) => `${name} ${found.get(name) ?? known.get(name)?.digest}`).join('\n');

  async function digests(from: Db, tables: typeof counts): Promise<[string, string][]> {
    // An open transaction may have counted a write the digests don't include yet, so the tables are read again.
    const { rows: open } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid() limit 1`.execute(
      from,
    );
    const parts = tables.map(
      ({ name }) => sql`
        select ${name}::text as name,
          count(*) || ' ' || md5(coalesce(string_agg(row_text, '|' order by row_text), '')) as digest
        from (select (to_jsonb(t) - ${COLUMNS_THAT_LIVE}::text[])::text as row_text from ${sql.table(name)} t) x`,
    );
    const { rows } = await sql<{ name: string; digest: string }>`
      ${sql.join(parts, sql` union all `)}`.execute(from);
    const read = new Map(rows.map(({ name, digest }) => [name, digest]));
    if (open.length === 0)
      for (const { name, writes } of tables) known.set(name, { writes, digest: read.get(name) ?? '' });
    return [...read];
  }
}

const COUNTS = 'fingerprint_counts';

/** Sequences, because they count regardless of commits and never block. */
async function countWrites(db: Db): Promise<Known> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all(${TABLES_THAT_LIVE})`.execute(
    db,
  );
  await sql`create schema ${sql.id(COUNTS)}`.execute(db);
  await sql`
    create function ${sql.id(COUNTS)}.count_write() returns trigger language plpgsql as
    $$ begin perform nextval(tg_argv[0]::regclass); return null; end $$`.execute(db);
  for (const { name } of tables) {
    const counter = `${COUNTS}.${name}`;
    await sql`create sequence ${sql.table(counter)}`.execute(db);
    await sql`
      create trigger count_writes after insert or update or delete or truncate on ${sql.table(name)}
      for each statement execute function ${sql.id(COUNTS)}.count_write(${sql.lit(counter)})`.execute(db);
  }
  return new Map();
}
