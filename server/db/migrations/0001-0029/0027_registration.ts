import { sql, type Kysely } from 'kysely';

/** Teams name who created them, which counts against the limit on teams per user even after the ownership has moved. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table teams add column created_by bigint references users`.execute(db);
  await sql`create index teams_created_by on teams (created_by) where deleted_at is null`.execute(db);
}
