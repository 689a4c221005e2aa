import { sql, type Kysely } from 'kysely';

/** What the host, guest or evidence check reported about the reason of a rollout's CVM. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rollout_items add column detail text`.execute(db);
}
