import { sql, type Kysely } from 'kysely';

/** Leases of periodic work done by one process at a time for the whole installation. Workers add the rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table periodic_leases (
      name text primary key,
      lease_owner text,
      lease_until timestamptz,
      check ((lease_owner is null) = (lease_until is null))
    )`.execute(db);
}
