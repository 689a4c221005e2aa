import { sql, type Kysely } from 'kysely';

/** The CVM of an AI gateway deployed from the admin area. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ai_gateways add column deployed_cvm_id bigint references cvms on delete set null`.execute(
    db,
  );
}
