import { sql, type Kysely } from 'kysely';

/** Draining hosts, announced maintenance, and states of OS images. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table cvms
  -- Its owner says that it may be made anew on another host, with an empty disk.
  add column movable boolean not null default false;

alter table os_images
  add column state text not null default 'active' check (state in ('active', 'recommended', 'retired')),
  add column updated_at timestamptz not null default now();

alter table teepods
  -- What the host itself says it can give, beside what administrators give away of it. Null: it does not say.
  add column host_cvms integer,
  add column host_vcpu integer,
  add column host_memory_mb integer,
  -- CVMs and VMs that database and host tell differently, as the last reconciliation found.
  add column drift integer not null default 0;

-- A CVM on its way to another host holds what it needs on both.
alter table reservations add column moving boolean not null default false;
alter table reservations drop constraint reservations_cvm_id_key;
create unique index reservations_cvm on reservations (cvm_id) where not moving;
create unique index reservations_move on reservations (cvm_id) where moving;

-- Made anew on another host. Whatever other migrations allow stays allowed.
do $$
declare
  allowed text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'operations_type_check');
begin
  alter table operations drop constraint operations_type_check;
  execute 'alter table operations add constraint operations_type_check '
    || replace(allowed, '''delete''::text', '''delete''::text, ''move''::text');
end $$;

create table drains (
  id bigint generated always as identity primary key,
  teepod_id bigint not null references teepods on delete cascade,
  -- blocked: nothing goes on until a person decides, or what is in the way goes away by itself.
  state text not null default 'running' check (state in ('running', 'blocked', 'succeeded', 'cancelled')),
  -- What is done with CVMs that may be moved, and with the others.
  movable text not null check (movable in ('move', 'stop')),
  others text not null check (others in ('stop', 'leave')),
  stop_at timestamptz not null,
  reason text not null,
  -- What is in the way, by name.
  message text,
  requested_by bigint references users,
  cancelled_by bigint references users,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index drains_one_live on drains (teepod_id) where state in ('running', 'blocked');
create index drains_teepod on drains (teepod_id, id desc);

create table drain_cvms (
  id bigint generated always as identity primary key,
  drain_id bigint not null references drains on delete cascade,
  cvm_id bigint not null references cvms,
  action text not null check (action in ('move', 'stop', 'leave')),
  state text not null default 'waiting' check (state in ('waiting', 'moving', 'stopping', 'moved', 'stopped', 'gone',
    'blocked', 'cancelled')),
  message text,
  operation_id bigint references operations,
  -- Where it is moved to.
  to_teepod_id bigint references teepods on delete set null,
  -- When its team was told.
  notified_at timestamptz,
  -- Not looked at again before: after a failure, or while there is no room.
  look_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (drain_id, cvm_id)
);
create index drain_cvms_cvm on drain_cvms (cvm_id);

create table maintenance_windows (
  id bigint generated always as identity primary key,
  node_id bigint not null references nodes on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- How long before its begin the teams are told, in hours.
  notice_hours integer not null,
  reason text not null,
  -- When the teams were told that it comes, that it has begun, that it is over.
  notified_at timestamptz,
  began_at timestamptz,
  ended_at timestamptz,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at)
);
create index maintenance_windows_node on maintenance_windows (node_id, starts_at desc);
create index maintenance_windows_open on maintenance_windows (starts_at) where ended_at is null;
`;
