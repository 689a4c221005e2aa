import { sql, type Kysely } from 'kysely';

/**
 * The ledger and its sources: metered usage and credit grants.
 *
 * Double entry: a transaction's entries sum to zero. One INSERT into `ledger_transactions` is a whole posting;
 * triggers check it, link it to the team's hash chain like an audit entry (0005_audit_chain), write its entries
 * and change the cached balances. Nothing else writes those, and nothing is ever updated or deleted.
 *
 * An entry's sign: positive on `prepaid` and `credits` is money the team has. The other accounts are its
 * sources and destinations, also kept per team: one row for the whole platform would make every team wait for
 * every other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- The part of an hourly rate that is for GPUs, billed as a line of its own.
alter table instance_types add column gpu_rate_micros bigint not null default 0 check (gpu_rate_micros >= 0);
alter table cvms add column gpu_rate_micros bigint not null default 0;
alter table cvm_state_changes add column gpu_rate_micros bigint not null default 0;
update instance_types set gpu_rate_micros = 2800000 where id = 'h200.small' and hourly_rate_micros = 3500000;
alter table instance_types add check (gpu_rate_micros <= hourly_rate_micros);

-- How far a CVM's usage is posted. The hourly close reads and writes it; created with the CVM.
create table usage_meters (
  cvm_id bigint primary key references cvms,
  team_id bigint not null references teams,
  -- Nothing before is ever billed: when the CVM was created, or billing introduced.
  billed_from timestamptz not null,
  -- Seconds before it are posted.
  closed_until timestamptz not null,
  -- The last state change applied, and what has been billed since; null before the first close.
  change_id bigint,
  basis text not null default 'none' check (basis in ('size', 'disk', 'none')),
  -- Remainders below a micro-dollar, in 1/3600.
  carry smallint not null default 0 check (carry between 0 and 3599),
  gpu_carry smallint not null default 0 check (gpu_carry between 0 and 3599),
  -- Deleted, and posted to its last second.
  ended boolean not null default false
) with (fillfactor = 60);
create index usage_meters_team on usage_meters (team_id) where not ended;

-- CVMs that exist already are billed from now on.
insert into usage_meters (cvm_id, team_id, billed_from, closed_until, change_id, basis, ended)
select c.id, c.team_id, date_trunc('second', now()), date_trunc('second', now()), s.id,
  case when s.status = 'running' then 'size' when c.started_at is null then 'none'
    when s.status in ('creating', 'deleting', 'deleted') then 'none' else 'disk' end,
  c.status = 'deleted'
from cvms c left join lateral (select id, status from cvm_state_changes where cvm_id = c.id order by id desc limit 1) s on true;

create or replace function note_state_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_meters (cvm_id, team_id, billed_from, closed_until)
    values (new.id, new.team_id, date_trunc('second', now()), date_trunc('second', now()));
  end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status or new.vcpu is distinct from old.vcpu
     or new.memory_mb is distinct from old.memory_mb or new.disk_gb is distinct from old.disk_gb
     or new.hourly_rate_micros is distinct from old.hourly_rate_micros
     or new.gpu_rate_micros is distinct from old.gpu_rate_micros then
    insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros)
    values (new.id, new.status, new.vcpu, new.memory_mb, new.disk_gb, new.hourly_rate_micros, new.gpu_rate_micros);
  end if;
  return null;
end $$;

-- Promotional or compensating money with a purpose and, usually, an end.
create table credit_grants (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  source text not null check (source in ('promotion', 'support', 'welcome')),
  reason text not null,
  amount_micros bigint not null check (amount_micros > 0),
  -- Changed only by the ledger's trigger.
  remaining_micros bigint not null default 0 check (remaining_micros >= 0),
  expires_at timestamptz,
  created_by bigint references users,
  created_at timestamptz not null default now()
);
create index credit_grants_team on credit_grants (team_id, expires_at, id);
create index credit_grants_left on credit_grants (expires_at) where remaining_micros > 0;

create table ledger_transactions (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  -- Place in the team's chain, from 1.
  seq bigint not null,
  kind text not null check (kind in ('top_up', 'usage', 'usage_correction', 'credit_grant', 'credit_expiry',
    'credit_revocation', 'refund', 'dispute', 'dispute_reversal', 'adjustment', 'write_off', 'order', 'tax')),
  -- What it books: at most one of a kind for each.
  source_type text not null,
  source_id text not null,
  description text not null,
  -- When it happened; booked_at is when it was written down.
  effective_at timestamptz not null,
  booked_at timestamptz not null default clock_timestamp(),
  -- [{"account": …, "amount": micro-dollars, "grant": credit_grants.id}]
  entries jsonb not null,
  corrects bigint references ledger_transactions,
  prev_hash bytea not null,
  hash bytea not null,
  unique (source_type, source_id, kind),
  unique (team_id, seq)
);
create index ledger_transactions_team on ledger_transactions (team_id, effective_at desc, id desc);

create table ledger_entries (
  transaction_id bigint not null references ledger_transactions,
  position smallint not null,
  team_id bigint not null,
  account text not null check (account ~ '^(prepaid|credits|revenue|promotion|adjustment|write_off|tax|(cash|dispute):[a-z]{1,20})$'),
  amount_micros bigint not null check (amount_micros <> 0),
  grant_id bigint references credit_grants,
  primary key (transaction_id, position),
  check ((account = 'credits') = (grant_id is not null))
);
create index ledger_entries_grant on ledger_entries (grant_id) where grant_id is not null;
create index ledger_entries_account on ledger_entries (team_id, account);

-- Cached sums of ledger_entries.
create table ledger_balances (
  team_id bigint not null references teams,
  account text not null,
  amount_micros bigint not null,
  primary key (team_id, account)
) with (fillfactor = 60);

-- One per team: its last transaction. Who locks it may post.
create table ledger_heads (
  team_id bigint primary key references teams,
  seq bigint not null,
  hash bytea not null
) with (fillfactor = 60);

-- Metered seconds × rate. Posted lines never change; what comes late is a line of its own that corrects.
create table usage_lines (
  id bigint generated always as identity primary key,
  cvm_id bigint not null references cvms,
  team_id bigint not null references teams,
  -- Null where an hour, or a correction, comes to nothing.
  transaction_id bigint references ledger_transactions,
  basis text not null check (basis in ('size', 'disk', 'gpu')),
  starts_at timestamptz not null,
  -- Half-open: this second is not part of it.
  ends_at timestamptz not null check (ends_at > starts_at),
  status text not null,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  -- Negative where it takes back a part of the line it corrects.
  rate_micros bigint not null,
  carry smallint not null check (carry between 0 and 3599),
  amount_micros bigint not null,
  -- The line of which it takes back or replaces a part.
  corrects bigint references usage_lines,
  check (rate_micros >= 0 or corrects is not null),
  -- Whole-number ranges, because equality in such a constraint would need an extension.
  exclude using gist (int8range(cvm_id * 2 + (basis = 'gpu')::int, cvm_id * 2 + (basis = 'gpu')::int, '[]') with &&,
    tstzrange(starts_at, ends_at) with &&) where (corrects is null)
);
create index usage_lines_cvm on usage_lines (cvm_id, starts_at);
create index usage_lines_team on usage_lines (team_id, starts_at);
create index usage_lines_transaction on usage_lines (transaction_id);

create function ledger_record(t ledger_transactions) returns text language sql stable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', t.public_id, 'seq', t.seq, 'kind', t.kind, 'source_type', t.source_type, 'source_id', t.source_id,
    'description', t.description, 'effective_at_us', (extract(epoch from t.effective_at) * 1000000)::bigint,
    'booked_at_us', (extract(epoch from t.booked_at) * 1000000)::bigint, 'entries', t.entries,
    'corrects', (select public_id from ledger_transactions where id = t.corrects)))::text
$$;

create function ledger_genesis(team bigint) returns bytea language sql stable as $$
  select sha256(convert_to('teehouse ledger ' || (select public_id from teams where id = team), 'UTF8'))
$$;

create function ledger_append() returns trigger language plpgsql as $$
declare
  head ledger_heads;
  total numeric;
  entries integer;
begin
  select sum((e->>'amount')::bigint), count(*) into total, entries from jsonb_array_elements(new.entries) e;
  if entries < 2 or total is distinct from 0 then
    raise exception 'the entries of a ledger transaction must sum to zero; these sum to %', total
      using errcode = 'check_violation';
  end if;
  select * into head from ledger_heads where team_id = new.team_id for update;
  if not found then
    insert into ledger_heads values (new.team_id, 0, ledger_genesis(new.team_id)) on conflict do nothing;
    select * into head from ledger_heads where team_id = new.team_id for update;
  end if;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_hash(new.prev_hash, ledger_record(new));
  update ledger_heads set seq = new.seq, hash = new.hash where team_id = new.team_id;
  return new;
end $$;

create function ledger_expand() returns trigger language plpgsql as $$
begin
  insert into ledger_entries (transaction_id, position, team_id, account, amount_micros, grant_id)
    select new.id, n, new.team_id, e->>'account', (e->>'amount')::bigint,
      (select id from credit_grants g where g.public_id = e->>'grant' and g.team_id = new.team_id)
    from jsonb_array_elements(new.entries) with ordinality as x (e, n);
  insert into ledger_balances as b (team_id, account, amount_micros)
    select new.team_id, account, sum(amount_micros) from ledger_entries where transaction_id = new.id group by account
    on conflict (team_id, account) do update set amount_micros = b.amount_micros + excluded.amount_micros;
  update credit_grants g set remaining_micros = remaining_micros + e.amount
    from (select grant_id, sum(amount_micros) as amount from ledger_entries
      where transaction_id = new.id and grant_id is not null group by grant_id) e
    where g.id = e.grant_id;
  return null;
end $$;

create trigger ledger_transactions_append before insert on ledger_transactions for each row execute function ledger_append();
create trigger ledger_transactions_expand after insert on ledger_transactions for each row execute function ledger_expand();

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

create trigger ledger_transactions_refuse before update or delete or truncate on ledger_transactions
  for each statement execute function ledger_refuse();
create trigger usage_lines_refuse before update or delete or truncate on usage_lines
  for each statement execute function ledger_refuse();
create trigger ledger_entries_refuse before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse();
-- The triggers above may, nobody else.
create trigger ledger_entries_refuse_insert before insert on ledger_entries
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger ledger_balances_refuse before insert or update or delete on ledger_balances
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger ledger_balances_refuse_truncate before truncate on ledger_balances
  for each statement execute function ledger_refuse();
create trigger ledger_heads_refuse before update or delete on ledger_heads
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger credit_grants_refuse before update of remaining_micros, amount_micros on credit_grants
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
`;
