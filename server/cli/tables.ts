import type pg from 'pg';

/** Decides what a backup holds by asking the database, so that a new table can't be forgotten. */

export interface TableInfo {
  name: string;
  columns: string[];
  /** Identity columns, whose counters must continue from their last value. */
  identities: string[];
}

/** Holds rows only while processes run: not worth saving, and no indication that the database is in use. */
const TRANSIENT = [
  'workers',
  'periodic_leases',
  'host_shards',
  'rate_limits',
  'ai_key_minutes',
  'metric_rounds',
  'metric_progress',
  'cvm_metric_samples',
];
/** Migrations insert the first rows; without users, nobody can have changed them. */
export const SEEDED: ReadonlySet<string> = new Set([
  'ai_catalog',
  'billing_settings',
  'instance_types',
  'platform_settings',
]);
/** Belongs to Kysely: a backup's header names its migrations. */
const MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns every table that a backup holds, referenced tables first. Partitions' rows belong to their table. */
export async function listTables(client: pg.PoolClient): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo & { refers_to: string[] }>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> '') as identities,
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as refers_to
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1)
     order by c.relname`,
    [[...TRANSIENT, ...MIGRATIONS]],
  );
  const ordered: TableInfo[] = [];
  let left = rows;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const ready = left.filter((table) => !table.refers_to.some((name) => waiting.has(name)));
    if (ready.length === 0)
      throw new Error(`tables reference each other in a cycle: ${[...waiting].join(', ')}`);
    ordered.push(...ready.map(({ name, columns, identities }) => ({ name, columns, identities })));
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

export interface SequenceInfo {
  name: string;
  last: string | null;
}

/** Returns the sequences that belong to no identity column, which several tables or none may use. */
export async function listSequences(client: pg.PoolClient): Promise<SequenceInfo[]> {
  const { rows } = await client.query<SequenceInfo>(
    `select c.relname as name, pg_sequence_last_value(c.oid)::text as last from pg_class c
     where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace and not exists (
       select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
     order by c.relname`,
  );
  return rows;
}

/** Returns the names of applied migrations; none for a new database. */
export async function appliedMigrations(client: pg.PoolClient | pg.Pool): Promise<string[]> {
  const { rows: exists } = await client.query<{ found: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as found`,
  );
  if (!exists[0]?.found) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}
