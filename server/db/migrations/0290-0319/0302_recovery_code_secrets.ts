import { sql, type Kysely } from 'kysely';

/**
 * Identifies the secret that hashed each recovery code, so that an operator who rotates TEEHOUSE_SECRET learns how many
 * users still rely on the old one. Null for codes from before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recovery_codes add hashed_with text`.execute(db);
}
