import { sql, type Kysely } from 'kysely';

/** Signed receipts of AI requests: hashes of what was received and returned, never the bodies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ai_requests add column receipt_id text unique, add column receipt jsonb`.execute(db);
  await sql`create index ai_requests_public_id on ai_requests (public_id)`.execute(db);
}
