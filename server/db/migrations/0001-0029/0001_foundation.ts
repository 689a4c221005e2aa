import { sql, type Kysely } from 'kysely';

/**
 * The base tables: users, teams, hosts, apps, CVMs and the operations that change them.
 *
 * Conventions: `id` is an internal number; `public_id` is exposed to clients (`cvm_…`, `usr_…`); money is
 * integer micro-dollars; memory is in MB and disk in GB; secrets are hashed, or sealed with the server's key
 * (columns named `sealed_*`), never in clear text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table users (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  email text not null,
  username text not null,
  avatar text not null default '',
  password_hash text,
  platform_role text check (platform_role in ('support', 'finance', 'infra', 'admin')),
  state text not null default 'active' check (state in ('active', 'suspended', 'deleted')),
  email_verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table teams (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  slug text not null unique,
  name text not null,
  tier text not null default 'free',
  -- App ids of the centralised KMS are CREATE addresses of (wallet_address, next_nonce).
  wallet_address text not null,
  next_nonce integer not null default 0,
  max_cvms integer not null default 1000,
  max_vcpu integer not null default 4000,
  max_memory_mb integer not null default 8000000,
  max_disk_gb integer not null default 100000,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table memberships (
  team_id bigint not null references teams on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'billing', 'admin', 'owner')),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index memberships_user on memberships (user_id);

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table api_tokens (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams on delete cascade,
  user_id bigint not null references users on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  token_prefix text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_team on api_tokens (team_id);

create table device_authorizations (
  id bigint generated always as identity primary key,
  device_code_hash bytea not null unique,
  user_code text not null unique,
  client_id text not null,
  scopes text[] not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  team_id bigint references teams on delete cascade,
  user_id bigint references users on delete cascade,
  ip text,
  user_agent text,
  poll_interval_seconds integer not null,
  last_polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table ssh_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  user_id bigint not null references users on delete cascade,
  name text not null,
  public_key text not null,
  fingerprint text not null,
  key_type text not null,
  source text not null default 'manual',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, fingerprint)
);

create table kms (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  slug text not null unique,
  type text not null default 'phala' check (type in ('phala', 'ethereum', 'base', 'legacy')),
  url text not null,
  version text not null default '',
  chain_id integer,
  kms_contract_address text,
  gateway_app_id text,
  -- The secp256k1 key every env key signature must recover to; learned once, then only compared.
  k256_pubkey text,
  state text not null default 'active' check (state in ('active', 'retiring', 'retired')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table nodes (
  id bigint generated always as identity primary key,
  name text not null unique,
  region text,
  state text not null default 'online' check (state in ('online', 'maintenance', 'offline')),
  fmspc text,
  device_id text,
  ppid text,
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table teepods (
  id bigint generated always as identity primary key,
  node_id bigint not null references nodes,
  kms_id bigint references kms,
  name text not null unique,
  kind text not null default 'dstack_vmm' check (kind in ('dstack_vmm', 'local')),
  url text not null,
  credential_kind text not null default 'none' check (credential_kind in ('none', 'bearer', 'basic')),
  sealed_credential text,
  state text not null default 'online' check (state in ('online', 'cordoned', 'draining', 'offline')),
  reachable boolean not null default false,
  reachable_since timestamptz,
  last_seen_at timestamptz,
  last_error text,
  version text,
  engine text,
  warnings text[] not null default '{}',
  max_cvms integer not null,
  max_vcpu integer not null,
  max_memory_mb integer not null,
  max_disk_gb integer not null,
  gateway_base_domain text,
  listed boolean not null default true,
  all_teams boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table teepod_teams (
  teepod_id bigint not null references teepods on delete cascade,
  team_id bigint not null references teams on delete cascade,
  primary key (teepod_id, team_id)
);

create table os_images (
  id bigint generated always as identity primary key,
  name text not null unique,
  slug text not null unique,
  version text not null,
  os_image_hash text,
  is_dev boolean not null default false,
  requires_gpu boolean not null default false,
  created_at timestamptz not null default now()
);

create table teepod_os_images (
  teepod_id bigint not null references teepods on delete cascade,
  os_image_id bigint not null references os_images on delete cascade,
  primary key (teepod_id, os_image_id)
);

create table instance_types (
  id text primary key,
  family text not null check (family in ('cpu', 'gpu')),
  name text not null,
  description text not null default '',
  vcpu integer not null,
  memory_mb integer not null,
  default_disk_size_gb integer not null default 20,
  hourly_rate_micros bigint not null,
  requires_gpu boolean not null default false,
  gpu_count integer not null default 0,
  state text not null default 'active' check (state in ('active', 'retired')),
  sort_order integer not null default 100,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table apps (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  app_id text not null unique,
  team_id bigint not null references teams,
  kms_id bigint references kms,
  name text not null,
  nonce integer,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create index apps_team on apps (team_id, created_at desc, id desc);

create table revisions (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  app_id bigint not null references apps,
  number integer not null,
  -- The exact bytes that were hashed and that the guest measures; never re-serialised.
  app_compose text not null,
  compose_hash text not null,
  docker_compose_file text not null,
  pre_launch_script text,
  allowed_envs text[] not null default '{}',
  os_image text,
  operation_type text not null,
  reason text,
  correlation_id uuid,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  unique (app_id, number)
);

create table provisions (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams,
  user_id bigint references users,
  app_id text not null unique,
  nonce integer,
  compose_hash text not null,
  app_compose text not null,
  docker_compose_file text not null,
  pre_launch_script text,
  allowed_envs text[] not null default '{}',
  name text not null,
  instance_type text,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  os_image text not null,
  kms_id bigint references kms,
  env_pubkey text not null,
  teepod_id bigint not null references teepods,
  public_logs boolean not null,
  public_sysinfo boolean not null,
  public_tcbinfo boolean not null,
  listed boolean not null,
  storage_fs text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  committed_at timestamptz
);
create index provisions_open on provisions (team_id, name) where committed_at is null;

create table cvms (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  vm_uuid uuid not null unique,
  team_id bigint not null references teams,
  app_id bigint not null references apps,
  revision_id bigint not null references revisions,
  teepod_id bigint not null references teepods,
  kms_id bigint references kms,
  name text not null,
  status text not null check (status in ('creating', 'starting', 'running', 'stopping', 'shutting_down', 'stopped',
    'restarting', 'updating', 'resizing', 'deleting', 'deleted', 'error')),
  status_reason text,
  desired text not null default 'running' check (desired in ('running', 'stopped', 'deleted')),
  -- The id the host gave; null until CreateVm has answered.
  host_vm_id text,
  instance_id text,
  instance_type text,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  hourly_rate_micros bigint not null,
  os_image text not null,
  env_pubkey text,
  encrypted_env text,
  public_logs boolean not null,
  public_sysinfo boolean not null,
  public_tcbinfo boolean not null,
  listed boolean not null default false,
  storage_fs text,
  ssh_authorized_keys text[] not null default '{}',
  boot_progress text,
  boot_error text,
  -- Loopback or gateway addresses by container port, as the host last reported them.
  endpoints jsonb not null default '[]',
  started_at timestamptz,
  observed_at timestamptz,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index cvms_team on cvms (team_id, created_at desc, id desc) where deleted_at is null;
create index cvms_app on cvms (app_id) where deleted_at is null;
create index cvms_teepod on cvms (teepod_id) where deleted_at is null;
create index cvms_instance on cvms (instance_id) where deleted_at is null;
create unique index cvms_team_name on cvms (team_id, name) where deleted_at is null;

-- What a CVM or an open provision holds of a host. One row each; deleted when it is given back.
create table reservations (
  id bigint generated always as identity primary key,
  teepod_id bigint not null references teepods,
  team_id bigint not null references teams,
  provision_id bigint unique references provisions on delete cascade,
  cvm_id bigint unique references cvms,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  check ((provision_id is null) <> (cvm_id is null)),
  check ((expires_at is null) = (provision_id is null))
);
create index reservations_teepod on reservations (teepod_id);
create index reservations_team on reservations (team_id);

create table operations (
  id bigint generated always as identity primary key,
  correlation_id uuid not null unique,
  team_id bigint not null references teams,
  cvm_id bigint not null references cvms,
  type text not null check (type in ('deploy', 'start', 'stop', 'shutdown', 'restart', 'update', 'resize', 'delete')),
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  target text not null,
  payload jsonb not null default '{}',
  steps jsonb not null default '[]',
  error_code text,
  error_message text,
  requested_by bigint references users,
  lease_owner text,
  lease_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  deadline_at timestamptz not null
);
-- One change at a time: a second writer gets 409 with the running operation.
create unique index operations_one_live on operations (cvm_id) where state in ('queued', 'running');
create index operations_cvm on operations (cvm_id, id desc);
create index operations_team on operations (team_id, id desc);
create index operations_live on operations (lease_until) where state in ('queued', 'running');

create table events (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams,
  app_id bigint references apps,
  cvm_id bigint references cvms,
  operation_id bigint references operations,
  kind text not null,
  severity text not null default 'info' check (severity in ('info', 'warning', 'error')),
  message text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index events_team on events (team_id, id desc);
create index events_cvm on events (cvm_id, id desc) where cvm_id is not null;
create index events_app on events (app_id, id desc) where app_id is not null;

-- What metering derives from: append-only, one row per change of state or size.
create table cvm_state_changes (
  id bigint generated always as identity primary key,
  cvm_id bigint not null references cvms,
  status text not null,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  hourly_rate_micros bigint not null,
  at timestamptz not null default now()
);
create index cvm_state_changes_cvm on cvm_state_changes (cvm_id, id);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('user', 'token', 'system', 'cli', 'anonymous')),
  actor_user_id bigint references users,
  token_id bigint references api_tokens,
  team_id bigint references teams,
  action text not null,
  target_kind text,
  target_id text,
  before jsonb,
  after jsonb,
  ip text,
  request_id text
);
create index audit_log_team on audit_log (team_id, id desc);

create table idempotency_keys (
  scope text not null,
  key text not null,
  operation_id text not null,
  request_hash bytea not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table monitoring_events (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  organization text not null,
  project text not null,
  kind text not null,
  message text not null default '',
  environment text,
  release text,
  envelope text not null
);
create index monitoring_events_age on monitoring_events (received_at);

create table workers (
  id text primary key,
  hostname text not null,
  pid integer not null,
  role text not null,
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

insert into instance_types (id, family, name, description, vcpu, memory_mb, default_disk_size_gb, hourly_rate_micros, requires_gpu, gpu_count, sort_order) values
  ('tdx.small', 'cpu', 'Small', 'For trying things out and small services.', 1, 2048, 20, 58000, false, 0, 10),
  ('tdx.medium', 'cpu', 'Medium', 'For services with a database beside them.', 2, 4096, 40, 116000, false, 0, 20),
  ('tdx.large', 'cpu', 'Large', 'For busy services.', 4, 8192, 60, 232000, false, 0, 30),
  ('tdx.xlarge', 'cpu', 'Extra large', 'For heavy work on CPUs.', 8, 16384, 100, 464000, false, 0, 40),
  ('h200.small', 'gpu', 'One H200', 'One NVIDIA H200 in confidential mode, for inference.', 24, 262144, 500, 3500000, true, 1, 50);

-- Counted by rate-limiter-flexible; shared by all processes.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

-- Every event reaches every process: pages are fed from here, whichever process serves them.
create function notify_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('teehouse_events', json_build_object('id', new.id, 'team_id', new.team_id, 'cvm_id', new.cvm_id)::text);
  return null;
end $$;
create trigger events_notify after insert on events for each row execute function notify_event();

create function note_state_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.status is distinct from old.status or new.vcpu is distinct from old.vcpu
     or new.memory_mb is distinct from old.memory_mb or new.disk_gb is distinct from old.disk_gb
     or new.hourly_rate_micros is distinct from old.hourly_rate_micros then
    insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros)
    values (new.id, new.status, new.vcpu, new.memory_mb, new.disk_gb, new.hourly_rate_micros);
  end if;
  return null;
end $$;
create trigger cvms_note_state after insert or update on cvms for each row execute function note_state_change();
`;
