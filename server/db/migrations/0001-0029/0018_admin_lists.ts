import { sql, type Kysely } from 'kysely';

/**
 * The admin area lists the rows of all teams, so every order and filter on large tables needs an index that
 * doesn't start with the team. Also adds saved views, and bulk jobs over many rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create index events_time on events (created_at, id);
create index events_kind_time on events (kind, created_at, id);
create index events_severity_time on events (severity, created_at, id) where severity <> 'info';
create index events_actor_time on events (actor_id, created_at, id) where actor_id is not null;

create index cvms_time on cvms (created_at, vm_uuid);
create index cvms_name_time on cvms (name, created_at, vm_uuid);
create index cvms_team_time on cvms (team_id, created_at, vm_uuid);
create index cvms_teepod_time on cvms (teepod_id, created_at, vm_uuid);

-- What staff look for a CVM by, cut into words as those of events are (0014). Bound to event_words when it is made:
-- PostgreSQL builds indexes with a search_path of its own (manual, CREATE INDEX).
create function cvm_words(name text, vm_uuid uuid, public_id text, host_vm_id text, instance_id text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(event_words(
  name || ' ' || vm_uuid::text || ' ' || public_id || ' ' || coalesce(host_vm_id, '') || ' ' || coalesce(instance_id, '')));
create index cvms_words on cvms using gin (cvm_words(name, vm_uuid, public_id, host_vm_id, instance_id));

create table admin_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  resource text not null,
  name text not null,
  query text not null,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index admin_views_name on admin_views (user_id, resource, lower(name));
create index admin_views_shared on admin_views (resource) where shared;

create table admin_bulk_jobs (
  id bigint generated always as identity primary key,
  resource text not null,
  action text not null,
  -- The operation of the document that each row is sent to.
  operation text not null,
  body jsonb,
  filter jsonb,
  -- By whose right; the token when one asked, which must live on.
  user_id bigint not null references users,
  token_id bigint references api_tokens,
  ip text,
  user_agent text,
  request_id text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'finished', 'cancelled')),
  total integer not null check (total between 1 and 10000),
  succeeded integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  cancel_requested_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index admin_bulk_jobs_live on admin_bulk_jobs (id) where state in ('queued', 'running');
create index admin_bulk_jobs_finished on admin_bulk_jobs (finished_at) where finished_at is not null;

create table admin_bulk_job_rows (
  job_id bigint not null references admin_bulk_jobs on delete cascade,
  n integer not null,
  row_id text not null,
  state text not null default 'queued' check (state in ('queued', 'succeeded', 'failed', 'skipped')),
  code text,
  message text,
  finished_at timestamptz,
  primary key (job_id, n),
  unique (job_id, row_id)
);
create index admin_bulk_job_rows_state on admin_bulk_job_rows (job_id, state, n);
`;
