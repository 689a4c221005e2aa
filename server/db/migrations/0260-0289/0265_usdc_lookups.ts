import { sql, type Kysely } from 'kysely';

/** Transfers that may have been missed when reading a network, to be looked up again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Up to here as many RPCs were read as are asked: while one is down, the other alone could hide a deposit.
alter table usdc_networks add column sure_block bigint;
update usdc_networks set sure_block = next_block;
alter table usdc_networks alter column sure_block set not null;

-- When a deposit was last looked for alone.
alter table usdc_deposits add column looked_at timestamptz;
create index usdc_deposits_lookups on usdc_deposits (chain_id, token, looked_at nulls first, id)
  where state in ('pending', 'dropped', 'reversed') or missing_reads > 0;

-- Transfers to a team that an RPC didn't return, because its block has too many of them.
create table usdc_gaps (
  chain_id bigint not null,
  token text not null,
  block_number bigint not null,
  team_id bigint not null references teams,
  looked_at timestamptz not null default now(),
  primary key (chain_id, token, block_number, team_id)
);
create index usdc_gaps_looked on usdc_gaps (chain_id, token, looked_at);
`;
