import { sql, type Kysely } from 'kysely';

/**
 * CVM settings besides its app: protection, schedule, recycle bin; compose files that wait for their commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table cvms
  -- The name inside the VM when it differs from the CVM's: renaming does not reach into the guest.
  add column hostname text,
  add column protected boolean not null default false,
  add column scheduled_stop_at timestamptz,
  add column scheduled_delete_at timestamptz,
  -- When the team was warned of it; set at once when it is less than an hour ahead.
  add column stop_warned_at timestamptz,
  add column delete_warned_at timestamptz,
  -- Set: deleted_at is set too, for everybody it is gone, and the recycle bin keeps it until then.
  add column purge_at timestamptz,
  add constraint cvms_recycled check (purge_at is null or deleted_at is not null);
create index cvms_recycled on cvms (team_id, deleted_at desc, id desc) where purge_at is not null;
create index cvms_purge on cvms (purge_at) where purge_at is not null;
create index cvms_stop_schedule on cvms (scheduled_stop_at) where scheduled_stop_at is not null and deleted_at is null;
create index cvms_delete_schedule on cvms (scheduled_delete_at) where scheduled_delete_at is not null and deleted_at is null;

-- The end of the recycle bin is an operation of its own. Whatever other migrations allow stays allowed.
do $$
declare
  allowed text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'operations_type_check');
begin
  alter table operations drop constraint operations_type_check;
  execute 'alter table operations add constraint operations_type_check '
    || replace(allowed, '''delete''::text', '''delete''::text, ''purge''::text');
end $$;

-- An app-compose.json that was prepared and not committed yet. At most ten of a CVM, for 14 days.
create table compose_drafts (
  id bigint generated always as identity primary key,
  cvm_id bigint not null references cvms,
  compose_hash text not null,
  -- What differs from the revision it was prepared on.
  change jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (cvm_id, compose_hash)
);
create index compose_drafts_age on compose_drafts (expires_at);

alter table ssh_keys
  add column github_username text,
  add column key_metadata jsonb,
  add column last_synced_at timestamptz;
`;
