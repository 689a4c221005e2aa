import { sql, type Kysely } from 'kysely';

/** When payers were notified that a credit expires soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credit_grants add column expiry_told_at timestamptz`.execute(db);
}
