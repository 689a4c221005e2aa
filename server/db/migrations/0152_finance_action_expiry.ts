import { sql, type Kysely } from 'kysely';

/** When the requester of an expired finance action was notified. Earlier expiries are old news. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table finance_actions add column expiry_told_at timestamptz`.execute(db);
  await sql`update finance_actions set expiry_told_at = expires_at where state = 'pending' and expires_at <= now()`.execute(
    db,
  );
}
