import { sql, type Kysely } from 'kysely';

/**
 * Stored replies name the API version whose shape they have. Those from before are in 2026-01-21, as are those that a
 * server of the previous release stores during an upgrade. API tokens have a default version, null for the server's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column api_version text not null default '2026-01-21'`.execute(
    db,
  );
  await sql`alter table api_tokens add column default_version text
    check (default_version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')`.execute(db);
}
