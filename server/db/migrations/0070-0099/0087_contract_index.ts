import { sql, type Kysely } from 'kysely';

/** Events of on-chain contracts, by contract, up to the block read so far. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table contract_indexes (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- The block it was deployed in; null until it is found. Inexact when the RPC keeps no older state.
  start_block bigint,
  start_exact boolean not null default true,
  -- The last block that was read. Its hash is null after a reorganization was undone.
  indexed_block bigint,
  indexed_hash text,
  -- The newest block at that time, and when that was.
  latest_block bigint,
  indexed_at timestamptz,
  attempted_at timestamptz,
  last_error text,
  -- It has more events than are kept.
  full_at_block bigint,
  unique (chain_id, address)
);

create table contract_events (
  contract_id bigint not null references contract_indexes on delete cascade,
  block_number bigint not null,
  log_index int not null,
  block_hash text not null,
  tx_hash text not null,
  kind text not null,
  value text not null,
  sender text not null,
  at timestamptz not null,
  primary key (contract_id, block_number, log_index)
);
`;
