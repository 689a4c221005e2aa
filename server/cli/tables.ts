import type pg from 'pg';

/** What of the database a backup holds, learnt from the database itself so that a new table cannot be forgotten. */

export interface TableInfo {
  name: string;
  columns: string[];
  /** Identity columns, whose counters must go on where they were. */
  identities: string[];
}

/** True only while processes run; worthless after, and no sign that a database is in use. */
const TRANSIENT = ['workers', 'rate_limits', 'metric_rounds', 'metric_progress', 'cvm_metric_samples'];
/** Migrations put the first rows there; in a database without people nobody can have changed them. */
export const SEEDED: ReadonlySet<string> = new Set(['instance_types']);
/** kysely's own: the header of a backup says which migrations it was made with. */
const MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Every table of the schema, those that others refer to first. The job queue's schema is left out: jobs only wake
 * workers up, and the sweep finds every operation that nobody was woken for.
 */
export async function listTables(client: pg.PoolClient): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo & { refers_to: string[] }>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> '') as identities,
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as refers_to
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     order by c.relname`,
    [[...TRANSIENT, ...MIGRATIONS]],
  );
  const ordered: TableInfo[] = [];
  let left = rows;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const ready = left.filter((table) => !table.refers_to.some((name) => waiting.has(name)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...waiting].join(', ')}`);
    ordered.push(...ready.map(({ name, columns, identities }) => ({ name, columns, identities })));
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** Names of the migrations the database has; none when it is new. */
export async function appliedMigrations(client: pg.PoolClient | pg.Pool): Promise<string[]> {
  const { rows: exists } = await client.query<{ found: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as found`,
  );
  if (!exists[0]?.found) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}
