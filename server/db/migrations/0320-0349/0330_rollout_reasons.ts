import { sql, type Kysely } from 'kysely';

/** Why a CVM of a rollout ended as it did, by ID. Rows of earlier versions keep only the message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rollout_items add column reason text`.execute(db);
}
