import { sql, type Kysely } from 'kysely';

/** When the requester of an expired finance action was notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table finance_actions add column expiry_told_at timestamptz`.execute(db);
}
