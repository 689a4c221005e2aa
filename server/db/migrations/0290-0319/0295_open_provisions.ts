import { sql, type Kysely } from 'kysely';

/** Every on-chain provision checks which other teams wait for a contract with the same compose hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index provisions_rivals on provisions (compose_hash) where app_id is null')
    .execute(db);
}
