import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Db } from '../db/core/client';

/**
 * Fills a table of the benchmark's own database without per-row overhead such as the usage lines' exclusion
 * constraint: indexes and constraints are recreated afterward from the catalog's definitions. Foreign keys and
 * triggers are off during `fill`, which must produce what they would.
 *
 * @param db a single connection, since the settings are per connection
 */
export async function fillWithoutIndexes(
  db: Db,
  table: string,
  { fill, say }: { fill: () => Promise<void>; say: (line: string) => void },
): Promise<void> {
  const { rows: constraints } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype = 'x'`.execute(db);
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
    where indrelid = ${table}::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(
    db,
  );
  for (const { name } of constraints)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db);
  await sql`set session_replication_role = replica`.execute(db);
  await fill();
  await sql`set session_replication_role = default`.execute(db);
  await sql`set maintenance_work_mem = '256MB'`.execute(db);
  for (const { name, definition } of indexes)
    await timed(say, `index ${name}`, () => sql.raw(definition).execute(db));
  for (const { name, definition } of constraints)
    await timed(say, `constraint ${name}`, () =>
      sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db),
    );
  await sql`reset maintenance_work_mem`.execute(db);
}

/** Prints when a phase starts, and how long it took when it ends. */
export async function timed<T>(
  say: (line: string) => void,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  say(`${what}…`);
  const result = await work();
  say(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}
