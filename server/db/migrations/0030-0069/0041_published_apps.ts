import { sql, type Kysely } from 'kysely';

/** An index for the explorer, which reads only published CVMs, of all teams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cvms_published on cvms (app_id) where listed and deleted_at is null`.execute(db);
}
