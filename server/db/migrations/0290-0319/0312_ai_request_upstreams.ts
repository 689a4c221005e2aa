import { sql, type Kysely } from 'kysely';

/**
 * Requests keep the ID of a removed upstream. The reference made its removal write every request that it ever
 * answered, which fails after 30 seconds for a busy one, and made each new request lock its upstream's row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ai_requests drop constraint ai_requests_upstream_id_fkey`.execute(db);
  await sql`drop index ai_requests_upstream`.execute(db);
}
