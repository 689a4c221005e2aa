import { sql, type Kysely } from 'kysely';

/**
 * Stored replies name the API version of their shape. Existing ones are in 2026-01-21, like those stored during
 * an upgrade by a server of the previous release. API tokens have a default version, null for the server's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column api_version text not null default '2026-01-21'`.execute(
    db,
  );
  await sql`alter table api_tokens add column default_version text
    check (default_version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')`.execute(db);
}
