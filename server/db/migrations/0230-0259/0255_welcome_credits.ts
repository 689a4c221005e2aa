import { sql, type Kysely } from 'kysely';

/** Promotion codes redeemed with a team's first payment, and the card used for a payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table promotion_codes
  add column welcome boolean not null default false,
  add check (not welcome or max_uses_per_team is not null);
-- The same card in another team is the same payer. Null for payments of earlier versions.
alter table payments add column card_fingerprint text;
create index payments_card on payments (card_fingerprint) where card_fingerprint is not null;
`;
