import { sql, type Kysely } from 'kysely';

/** The payers' consent to saving their card with a payment. Null: the card was saved on a separate page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- By who started the payment, when they started it.
alter table payments add column card_consent text;
alter table team_cards
  add column consent text,
  add column consented_by bigint references users,
  add column consented_at timestamptz,
  add constraint team_cards_consent check ((consent is null) = (consented_at is null));
`;
