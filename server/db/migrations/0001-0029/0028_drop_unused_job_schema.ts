import { sql, type Kysely } from 'kysely';

/**
 * Earlier releases ran pg-boss in the schema `jobs`, which is no longer read. It is dropped only if its
 * `version` table has the columns of pg-boss, so another program's schema of that name stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ is_boss: boolean }>`
    select count(*) = 3 as is_boss from information_schema.columns
    where table_schema = 'jobs' and (table_name, column_name) in
      (('version', 'version'), ('version', 'cron_on'), ('queue', 'retry_limit'))`.execute(db);
  if (rows[0]?.is_boss) await sql`drop schema jobs cascade`.execute(db);
}
