import { sql, type Kysely } from 'kysely';

/** Canceling an operation, a revision's lifecycle, and rolling updates of all CVMs of an app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table operations
  add column cancel_requested_at timestamptz,
  add column cancel_requested_by bigint references users;

alter table revisions
  -- When a CVM first ran it; null for one that never did.
  add column live_at timestamptz,
  -- Whose bytes it brings back.
  add column restores_id bigint references revisions,
  -- [{name, image, image_id, at}]: what the guest of the last boot said it runs.
  add column resolved_images jsonb not null default '[]';
-- What was made before is taken to have run, unless it is newer than all that runs: its update failed.
update revisions r set live_at = r.created_at
where not exists (select 1 from cvms c where c.app_id = r.app_id and c.deleted_at is null)
   or r.number <= (select max(l.number) from cvms c join revisions l on l.id = c.revision_id
                   where c.app_id = r.app_id and c.deleted_at is null);
create index revisions_correlation on revisions (correlation_id) where correlation_id is not null;

create table rollouts (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  app_id bigint not null references apps,
  revision_id bigint not null references revisions,
  state text not null default 'queued' check (state in ('queued', 'running', 'reverting', 'succeeded', 'failed', 'cancelled')),
  -- What each update operation gets besides its revision: ciphertext, image, visibility.
  payload jsonb not null default '{}',
  reason text,
  settle_seconds integer not null,
  health_timeout_seconds integer not null,
  -- Why it goes back or ended badly.
  error_code text,
  error_message text,
  cancel_mode text check (cancel_mode in ('keep', 'revert')),
  cancel_requested_at timestamptz,
  cancel_requested_by bigint references users,
  requested_by bigint references users,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  deadline_at timestamptz not null
);
-- One at a time: a second, and single updates of the app's CVMs, get 409 with the one that runs.
create unique index rollouts_one_live on rollouts (app_id) where state in ('queued', 'running', 'reverting');
create index rollouts_app on rollouts (app_id, id desc);
create index rollouts_age on rollouts (finished_at) where finished_at is not null;

create table rollout_items (
  rollout_id bigint not null references rollouts on delete cascade,
  position integer not null,
  cvm_id bigint not null references cvms,
  state text not null default 'waiting' check (state in ('waiting', 'updating', 'checking', 'updated', 'failed', 'reverting',
    'reverted', 'skipped')),
  message text,
  -- What the CVM had before, to go back to.
  previous_revision_id bigint not null references revisions,
  previous_os_image text not null,
  previous_encrypted_env text,
  operation_id bigint references operations,
  revert_operation_id bigint references operations,
  -- Since when it has been seen well without a break.
  healthy_since timestamptz,
  check_until timestamptz,
  evidence jsonb,
  containers jsonb not null default '[]',
  started_at timestamptz,
  finished_at timestamptz,
  primary key (rollout_id, position),
  unique (rollout_id, cvm_id)
);
`;
