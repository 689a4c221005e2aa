import { sql, type Kysely } from 'kysely';

/** The explorer reads published CVMs only, of all teams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cvms_published on cvms (app_id) where listed and deleted_at is null`.execute(db);
}
