import { sql, type Kysely } from 'kysely';

/** Periodic work that one process at a time does for the whole installation. Rows are added by the workers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table periodic_leases (
      name text primary key,
      lease_owner text,
      lease_until timestamptz,
      check ((lease_owner is null) = (lease_until is null))
    )`.execute(db);
}
