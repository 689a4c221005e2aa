import { sql, type Kysely } from 'kysely';

/** Payer warnings: a balance that runs out soon, and a saved card that expires. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- One row per team that was warned and whose balance has not recovered since.
create table low_balances (
  team_id bigint primary key references teams,
  -- The threshold that was told last: the balance lasts less than so many hours.
  hours smallint not null check (hours > 0),
  -- The balance then: above it, money has arrived.
  balance_micros bigint not null,
  -- Since when the balance lasts longer again, though no money has arrived.
  above_since timestamptz
);

-- The card, and the month of its expiry, that payers were warned of.
alter table team_cards add column expiry_told_for text;
`;
