import { sql, type Kysely } from 'kysely';

/**
 * Finds lost CVMs by `missing_since`. An index whose condition names `status` makes PostgreSQL write every index of the
 * table whenever a CVM's status changes, several times per deployment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index cvms_lost`.execute(db);
  await sql`create index cvms_missing on cvms (teepod_id) where missing_since is not null`.execute(db);
}
