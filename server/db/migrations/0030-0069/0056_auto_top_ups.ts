import { sql, type Kysely } from 'kysely';

/** Saved cards, and teams' consent to automatic charges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Started by the server, not by a user.
alter table payments add column automatic boolean not null default false;

-- What Stripe tells of a card. Its number never reaches this server.
create table team_cards (
  team_id bigint primary key references teams,
  card_id text not null unique,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null,
  exp_year smallint not null,
  -- The same for the same card in other teams.
  fingerprint text,
  created_at timestamptz not null default now()
);

create table auto_top_ups (
  team_id bigint primary key references teams,
  enabled boolean not null,
  amount_micros bigint not null check (amount_micros > 0),
  threshold_micros bigint not null check (threshold_micros >= 0),
  -- The text as it was agreed to, by whom and when.
  consent text not null,
  consented_by bigint references users,
  consented_at timestamptz not null,
  -- The last attempt, whatever became of it.
  attempted_at timestamptz,
  declines smallint not null default 0,
  -- Why it was turned off automatically.
  stopped_reason text,
  updated_at timestamptz not null default now()
);
create index auto_top_ups_enabled on auto_top_ups (team_id) where enabled;
`;
