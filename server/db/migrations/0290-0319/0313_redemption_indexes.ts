import { sql, type Kysely } from 'kysely';

/**
 * Finds a card's redemptions and teams: the welcome offer on the billing page reads them, however many teams
 * have redeemed the code.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index promotion_redemptions_card on promotion_redemptions (card_fingerprint, code_id)
    where card_fingerprint is not null`.execute(db);
  await sql`create index team_cards_fingerprint on team_cards (fingerprint) where fingerprint is not null`.execute(
    db,
  );
}
