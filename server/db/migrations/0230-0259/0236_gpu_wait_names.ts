import { sql, type Kysely } from 'kysely';

/** The API's usual name for the time a mail was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gpu_waits rename column told_at to notified_at`.execute(db);
}
