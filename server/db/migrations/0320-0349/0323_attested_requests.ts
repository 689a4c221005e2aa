import { sql, type Kysely } from 'kysely';

/** Finds since when a model's servers were verified without reading the requests of other models. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ai_requests_attested on ai_requests (model, created_at)
    where gateway is not null and outcome = 'completed'`.execute(db);
}
