import { sql, type Kysely } from 'kysely';

/**
 * Notes which processes can work with a divided table of events. It is divided by a worker, once it is large and every
 * process can: a migration would hold the table for as long as reading all of it takes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workers add column divides_events boolean not null default false`.execute(db);
}
