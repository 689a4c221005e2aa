import { sql, type Kysely } from 'kysely';

/** Finds the AI upstreams that are due for a check, however many there are, and sorts their list by the last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ai_upstreams_checked on ai_upstreams (checked_at nulls first)`.execute(db);
}
