import { sql, type Kysely } from 'kysely';

/** Unreadable blocks delay no others, and administrators are alerted to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Ranges of blocks that fewer RPCs than are asked returned. They don't overlap.
create table usdc_unread (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  token text not null,
  from_block bigint not null,
  to_block bigint not null check (to_block >= from_block),
  -- RPCs that returned it: with one, what it showed is known, but not whether it is all and true.
  readers integer not null check (readers in (0, 1)),
  -- Of the last try, where there was one.
  error text,
  since timestamptz not null default now(),
  tried_at timestamptz
);
create index usdc_unread_place on usdc_unread (chain_id, token, from_block);
create index usdc_unread_tried on usdc_unread (chain_id, token, tried_at nulls first, id);

-- Until now one number said where such a range began; it ended at the last block.
insert into usdc_unread (chain_id, token, from_block, to_block, readers, since)
  select chain_id, token, sure_block, next_block - 1, 1, read_at from usdc_networks where sure_block < next_block;
alter table usdc_networks drop column sure_block;

-- When reading was last tried. read_at becomes the time when the newest block was last reached.
alter table usdc_networks add column tried_at timestamptz not null default now();
update usdc_networks set tried_at = read_at;

alter table usdc_gaps add column found_at timestamptz not null default now();
update usdc_gaps set found_at = looked_at;

-- When as many RPCs as are asked first knew a deposit: what one alone made up never was.
alter table usdc_deposits add column agreed_at timestamptz;
update usdc_deposits set agreed_at = created_at where state in ('credited', 'reversed');

-- In the order in which deposits are looked for.
drop index usdc_deposits_lookups;
create index usdc_deposits_lookups on usdc_deposits
  (chain_id, token, (agreed_at is not null), coalesce(looked_at, created_at), id)
  where state in ('pending', 'dropped', 'reversed') or missing_reads > 0;

-- Chats that are told of networks that can't be read are told of this, too.
update chats set alerts = alerts || array['usdc_not_current'] where 'chain_rpc' = any (alerts);
`;
