import { sql, type Kysely } from 'kysely';

/**
 * Orders: capacity that teams pay for in advance, the products they are made from, and the CVMs they cover. A
 * CVM's cover is part of its state record, so that usage is metered from that record alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table order_products (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  description text not null default '',
  -- An order covers one CVM of this type.
  instance_type text not null references instance_types,
  -- Everything of it, or only its GPUs.
  covers text not null check (covers in ('cvm', 'gpus')),
  period text not null check (period in ('day', 'month')),
  -- Per period, before tax, in whole cents.
  price_micros bigint not null check (price_micros > 0 and price_micros % 10000 = 0),
  -- A term has at least and at most so many periods. What min_periods cost is not refunded once the term has begun.
  min_periods smallint not null check (min_periods between 1 and 366),
  max_periods smallint not null check (max_periods between 1 and 366),
  -- Of the rest, this share is refunded.
  refund_percent smallint not null check (refund_percent between 0 and 100),
  -- Orders that can exist at a time.
  stock integer not null check (stock between 0 and 1000000),
  -- When the capacity exists; terms are within.
  starts_at timestamptz,
  ends_at timestamptz,
  state text not null default 'active' check (state in ('active', 'retired')),
  -- Of what buyers agree to; an order names the one it was shown.
  version integer not null default 1,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (max_periods >= min_periods),
  check (ends_at > starts_at)
);

create function order_product_version() returns trigger language plpgsql as $$
begin
  if (new.instance_type, new.covers, new.period, new.price_micros, new.min_periods, new.refund_percent)
      is distinct from (old.instance_type, old.covers, old.period, old.price_micros, old.min_periods, old.refund_percent) then
    new.version := old.version + 1;
  end if;
  return new;
end $$;
create trigger order_products_version before update on order_products
  for each row execute function order_product_version();

create table orders (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  product_id bigint not null references order_products,
  state text not null check (state in ('pending', 'paid', 'active', 'ended', 'cancelled', 'refunded')),
  -- What was agreed.
  name text not null,
  instance_type text not null references instance_types,
  covers text not null check (covers in ('cvm', 'gpus')),
  period text not null check (period in ('day', 'month')),
  price_micros bigint not null check (price_micros > 0),
  periods smallint not null check (periods > 0),
  min_periods smallint not null,
  refund_percent smallint not null,
  product_version integer not null,
  -- Null until it is paid, unless another start was agreed.
  starts_at timestamptz,
  -- Of the last term that was paid.
  ends_at timestamptz,
  renews boolean not null default false,
  -- While it waits for money: until when it keeps its place.
  pay_until timestamptz,
  payment_id bigint references payments,
  -- When payers are reminded of the end, and when it is renewed; null once that is done.
  notice_at timestamptz,
  renew_at timestamptz,
  -- Payers were told that the renewal of this term could not be paid.
  renewal_failed boolean not null default false,
  closed_at timestamptz,
  reason text,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at),
  check ((state = 'pending') = (pay_until is not null)),
  check (state in ('pending', 'cancelled') or ends_at is not null),
  check ((state in ('ended', 'cancelled', 'refunded')) = (closed_at is not null))
);
create index orders_team on orders (team_id, id desc);
create index orders_taken on orders (product_id) where state in ('pending', 'paid', 'active');
create index orders_open on orders (id) where state in ('pending', 'paid', 'active');

-- What was paid: the first term, and one per renewal.
create table order_terms (
  order_id bigint not null references orders,
  number integer not null check (number > 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  amount_micros bigint not null check (amount_micros > 0),
  transaction_id bigint not null unique references ledger_transactions,
  primary key (order_id, number)
);

create table order_refunds (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  order_id bigint not null,
  number integer not null,
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null,
  transaction_id bigint not null unique references ledger_transactions,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  foreign key (order_id, number) references order_terms
);
create index order_refunds_order on order_refunds (order_id);

create trigger order_terms_refuse before update or delete or truncate on order_terms
  for each statement execute function ledger_refuse();
create trigger order_refunds_refuse before update or delete or truncate on order_refunds
  for each statement execute function ledger_refuse();

alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check (kind in ('top_up', 'usage',
  'usage_correction', 'credit_grant', 'credit_expiry', 'credit_revocation', 'refund', 'dispute', 'dispute_reversal',
  'adjustment', 'write_off', 'order', 'order_refund', 'tax'));

-- An order covers at most one CVM at a time.
alter table cvms
  add column order_id bigint references orders,
  add column covers text check (covers in ('cvm', 'gpus')),
  add column covered_until timestamptz,
  -- From when the last change of its cover counts, where that is in the past.
  add column cover_changed_at timestamptz,
  add check ((order_id is null) = (covers is null) and (order_id is null) = (covered_until is null));
create unique index cvms_order on cvms (order_id) where order_id is not null;
create index cvms_reservable on cvms (team_id, instance_type) where order_id is null and deleted_at is null;

alter table cvm_state_changes
  add column order_id bigint,
  add column covers text,
  add column covered_until timestamptz;

alter table usage_lines add column order_id bigint references orders;

-- A CVM that is deployed, restored or gets another size takes an order that is free, so that not a second is charged;
-- one that is deleted, or no longer has the size, gives it up. A job does what happens otherwise.
create function cvm_cover() returns trigger language plpgsql as $$
declare
  free orders;
begin
  if new.order_id is not null and (new.deleted_at is not null or new.status = 'deleted'
      or (tg_op = 'UPDATE' and new.instance_type is distinct from old.instance_type)) then
    new.order_id := null;
    new.covers := null;
    new.covered_until := null;
    new.cover_changed_at := null;
  end if;
  if new.order_id is null and new.deleted_at is null and new.status not in ('deleting', 'deleted')
      and new.instance_type is not null and (tg_op = 'INSERT' or old.deleted_at is not null
      or new.instance_type is distinct from old.instance_type) then
    select o.* into free from orders o
      where o.team_id = new.team_id and o.instance_type = new.instance_type and o.state = 'active' and o.ends_at > now()
        and not exists (select from cvms c where c.order_id = o.id)
      order by o.ends_at, o.id limit 1 for update skip locked;
    if found then
      new.order_id := free.id;
      new.covers := free.covers;
      new.covered_until := free.ends_at;
      new.cover_changed_at := null;
    end if;
  end if;
  return new;
end $$;
create trigger cvms_cover before insert or update of status, deleted_at, instance_type on cvms
  for each row execute function cvm_cover();

create or replace function note_state_change() returns trigger language plpgsql as $$
declare
  since timestamptz := now();
begin
  if tg_op = 'INSERT' then
    insert into usage_meters (cvm_id, team_id, billed_from, closed_until)
    values (new.id, new.team_id, date_trunc('second', now()), date_trunc('second', now()));
  elsif new.cover_changed_at < since and (new.order_id is distinct from old.order_id
      or new.covered_until is distinct from old.covered_until) then
    -- Not before the state it was in then, which says what it costs.
    select greatest(new.cover_changed_at, max(at)) into since from cvm_state_changes where cvm_id = new.id;
  end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status or new.vcpu is distinct from old.vcpu
     or new.memory_mb is distinct from old.memory_mb or new.disk_gb is distinct from old.disk_gb
     or new.hourly_rate_micros is distinct from old.hourly_rate_micros
     or new.gpu_rate_micros is distinct from old.gpu_rate_micros
     or new.order_id is distinct from old.order_id or new.covered_until is distinct from old.covered_until then
    insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros, at,
      order_id, covers, covered_until)
    values (new.id, new.status, new.vcpu, new.memory_mb, new.disk_gb, new.hourly_rate_micros, new.gpu_rate_micros, since,
      new.order_id, new.covers, new.covered_until);
  end if;
  return null;
end $$;

-- Lines of orders have no CVM.
alter table invoice_lines
  alter column cvm_id drop not null,
  alter column vm_uuid drop not null,
  alter column cvm_name drop not null,
  alter column app_name drop not null,
  add column order_id text,
  add column description text,
  drop constraint invoice_lines_basis_check,
  add constraint invoice_lines_basis_check check (basis in ('size', 'disk', 'gpu', 'order')),
  add check (case when basis = 'order' then order_id is not null and description is not null and cvm_id is null
    else cvm_id is not null and vm_uuid is not null and cvm_name is not null and app_name is not null end);

drop trigger events_feed on events;
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|found|recovered|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over|bin_gave_way)$'
    or new.kind like 'budget.%' or new.kind like 'order.%')
  execute function feed_event();
`;
