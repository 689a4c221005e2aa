import { sql, type Kysely } from 'kysely';

/**
 * Records which processes support a divided events table. A worker divides it once it is large and every
 * process does: a migration would lock the table for as long as reading all of it takes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workers add column divides_events boolean not null default false`.execute(db);
}
