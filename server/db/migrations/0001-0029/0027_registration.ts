import { sql, type Kysely } from 'kysely';

/**
 * Teams name their creator, which counts against the limit of teams per user even after a transfer of
 * ownership.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table teams add column created_by bigint references users`.execute(db);
  await sql`create index teams_created_by on teams (created_by) where deleted_at is null`.execute(db);
}
