import { sql, type Kysely } from 'kysely';

/** Payments by teams, promotion codes, and the nightly check of the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- A team's wish to add prepaid money. Written before anything outside is asked, so that no answer can be lost.
create table payments (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  driver text not null check (driver in ('manual')),
  -- 'part_paid': something arrived, less than requested.
  state text not null default 'pending' check (state in ('pending', 'part_paid', 'paid', 'cancelled', 'rejected')),
  amount_micros bigint not null check (amount_micros > 0),
  received_micros bigint not null default 0 check (received_micros >= 0),
  -- What the payer writes on a bank transfer.
  reference text not null unique,
  -- Why an administrator rejected it.
  reason text,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payments_team on payments (team_id, id desc);
create index payments_open on payments (id) where state in ('pending', 'part_paid');

-- Money that arrived for a payment.
create table payment_receipts (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  amount_micros bigint not null check (amount_micros > 0),
  -- The bank's own identification of the transfer: the same transfer counts once.
  bank_reference text not null unique,
  received_at timestamptz not null,
  confirmed_by bigint references users,
  created_at timestamptz not null default now()
);
create index payment_receipts_payment on payment_receipts (payment_id, id);

create table promotion_codes (
  id bigint generated always as identity primary key,
  -- Stored and compared in upper case.
  code text not null unique check (code = upper(code)),
  description text not null default '',
  -- Either an amount, or a percentage of the next top-up up to a maximum.
  amount_micros bigint check (amount_micros > 0),
  percent smallint check (percent between 1 and 100),
  cap_micros bigint check (cap_micros > 0),
  -- Redemptions in all and per team; null for any number.
  max_uses integer check (max_uses > 0),
  max_uses_per_team integer check (max_uses_per_team > 0),
  uses integer not null default 0 check (uses >= 0 and (max_uses is null or uses <= max_uses)),
  -- Only teams created at most this many days before.
  new_teams_days integer check (new_teams_days > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  -- Days until the credit expires after it was granted; null for never.
  credit_days integer check (credit_days > 0),
  state text not null default 'active' check (state in ('active', 'retired')),
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((amount_micros is null) <> (percent is null)),
  check ((percent is null) = (cap_micros is null))
);

create table promotion_redemptions (
  id bigint generated always as identity primary key,
  code_id bigint not null references promotion_codes,
  team_id bigint not null references teams,
  user_id bigint references users,
  -- Null while a percentage waits for the next top-up.
  grant_id bigint references credit_grants,
  created_at timestamptz not null default now()
);
create index promotion_redemptions_team on promotion_redemptions (team_id, code_id);
create index promotion_redemptions_waiting on promotion_redemptions (team_id, id) where grant_id is null;

-- One row per night: what differed when the ledger was summed again.
create table ledger_checks (
  id bigint generated always as identity primary key,
  checked_at timestamptz not null default now(),
  transactions bigint not null,
  discrepancies jsonb not null
);
`;
