import { sql, type Kysely } from 'kysely';

/** Money that teams send as USDC to their own address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table payments drop constraint payments_driver_check,
  add constraint payments_driver_check check (driver in ('manual', 'stripe', 'usdc'));

-- The next child of the configured key. Addresses are never given twice, also after the key was replaced.
create sequence usdc_children minvalue 0 start 0;

create table usdc_addresses (
  team_id bigint primary key references teams,
  -- In lower case.
  address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz not null default now()
);

-- How far each token was read. Deposits before the first reading aren't looked for: nobody knew an address then.
create table usdc_networks (
  chain_id bigint not null,
  token text not null,
  next_block bigint not null,
  read_at timestamptz not null default now(),
  -- Of the last try; null if it succeeded.
  error text,
  primary key (chain_id, token)
);

create table usdc_deposits (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  token text not null,
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash text not null,
  team_id bigint not null references teams,
  amount_micros bigint not null check (amount_micros > 0),
  -- pending: not enough blocks yet. small: below the least amount. dropped: the chain undid it before it counted.
  -- reversed: the chain undid it after that.
  state text not null default 'pending' check (state in ('pending', 'small', 'credited', 'dropped', 'reversed')),
  -- Readings in a row that didn't find it.
  missing_reads integer not null default 0,
  payment_id bigint references payments,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (chain_id, tx_hash, log_index)
);
create index usdc_deposits_team on usdc_deposits (team_id, id);
create index usdc_deposits_block on usdc_deposits (chain_id, token, block_number);
`;
