import { sql, type Kysely } from 'kysely';

/** When to try again to remove the card of a deleted team, after Stripe couldn't. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table team_cards add column remove_after timestamptz`.execute(db);
}
