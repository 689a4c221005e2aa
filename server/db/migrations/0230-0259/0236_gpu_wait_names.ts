import { sql, type Kysely } from 'kysely';

/** The name that the API uses elsewhere for when a mail was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gpu_waits rename column told_at to notified_at`.execute(db);
}
