import { sql, type Kysely } from 'kysely';

/** Sentences by ID beside their English text. Rows of earlier versions keep only the text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cvms add column status_reason_keys jsonb not null default '[]'`.execute(db);
  await sql`alter table operations add column error_keys jsonb not null default '[]'`.execute(db);
  await sql`alter table drains add column message_keys jsonb not null default '[]'`.execute(db);
  await sql`alter table drain_cvms add column message_keys jsonb not null default '[]'`.execute(db);
}
