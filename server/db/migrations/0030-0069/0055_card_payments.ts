import { sql, type Kysely } from 'kysely';

/**
 * Card payments through Stripe. A payment is stored before the first request to Stripe, so that no money can
 * arrive for an unknown payment. Events are stored once and handled by a worker, which reads their objects.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table payments drop constraint payments_driver_check;
alter table payments
  add constraint payments_driver_check check (driver in ('manual', 'stripe')),
  -- Stripe's IDs of the hosted page and of the payment itself.
  add column checkout_session text unique,
  add column payment_intent text unique,
  add column checkout_url text,
  -- Whether the card is kept for later payments.
  add column saves_card boolean not null default false,
  -- Refunded or disputed so far.
  add column returned_micros bigint not null default 0 check (returned_micros >= 0);
create index payments_open_cards on payments (created_at) where driver = 'stripe' and state = 'pending';

-- The team as Stripe knows it.
create table stripe_customers (
  team_id bigint primary key references teams,
  customer_id text not null unique,
  created_at timestamptz not null default now()
);

-- Events that Stripe sent, each once.
create table stripe_events (
  id text primary key,
  type text not null,
  -- What it is about. Only its ID counts: the object is read from Stripe.
  object_id text not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'ignored', 'failed')),
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  error text,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index stripe_events_due on stripe_events (due_at) where state = 'pending';
`;
