import { sql, type Kysely } from 'kysely';

/** Refunds of card payments, stored before the request to Stripe, so that no two refund the same money. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table card_refunds (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  payment_id bigint not null references payments,
  team_id bigint not null references teams,
  -- Of the request that asked for it: repeated, it continues the same refund.
  request_key text not null unique,
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null,
  -- 'pending': its amount is set aside until Stripe has paid it out or refused it.
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  -- Stripe's ID.
  refund_id text unique,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index card_refunds_payment on card_refunds (payment_id);
create index card_refunds_pending on card_refunds (team_id) where state = 'pending';
`;
