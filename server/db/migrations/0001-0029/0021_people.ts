import { sql, type Kysely } from 'kysely';

/** Staff viewing the console as a user, and a record of what staff read in teams they are not members of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Platform staff, who acted in a team without being in it.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('user', 'token', 'system', 'cli', 'anonymous', 'staff'));

-- One per session, and no longer than it: signing out ends it.
create table view_as (
  session_id bigint primary key references sessions on delete cascade,
  -- Whom the session looks as.
  user_id bigint not null references users on delete cascade,
  staff_user_id bigint not null references users on delete cascade,
  reason text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index view_as_user on view_as (user_id);

-- That staff read logs or code of a CVM is told once an hour: who, which, when.
create table staff_reads (
  staff_user_id bigint not null references users on delete cascade,
  cvm_id bigint not null references cvms on delete cascade,
  hour timestamptz not null,
  primary key (staff_user_id, cvm_id, hour)
);
create index staff_reads_hour on staff_reads (hour);

create or replace function notify_access() returns trigger language plpgsql as $$
declare
  -- On deletion there is only what was.
  r jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('teehouse_access', case tg_table_name
    when 'sessions' then jsonb_build_object('session_id', r->'id')
    when 'view_as' then jsonb_build_object('session_id', r->'session_id')
    when 'api_tokens' then jsonb_build_object('token_id', r->'id')
    when 'memberships' then jsonb_build_object('user_id', r->'user_id', 'team_id', r->'team_id')
    when 'users' then jsonb_build_object('user_id', r->'id')
    when 'teams' then jsonb_build_object('team_id', r->'id')
    else jsonb_build_object('team_id', r->'team_id')
  end::text);
  return null;
end $$;
create trigger view_as_access after insert or update or delete on view_as
  for each row execute function notify_access();

-- The platform's own page of the audit log goes through all chains, newest first or of one kind.
create index audit_log_at on audit_log (at, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_actor_user on audit_log (actor_user_id, id);
create index audit_log_request on audit_log (request_id) where request_id is not null;

-- When a chain was last walked from its first entry, and what was found.
create table audit_checks (
  chain bigint primary key,
  checked_at timestamptz not null default now(),
  entries bigint not null,
  -- Null: every entry is as it was written.
  broken_seq bigint,
  broken text
);

create index if not exists cvms_created_by on cvms (created_by) where deleted_at is null;
create index users_platform_role on users (platform_role) where platform_role is not null;
`;
