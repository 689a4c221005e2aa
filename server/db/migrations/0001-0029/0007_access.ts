import { sql, type Kysely } from 'kysely';

/**
 * Notifies open streams immediately when a right is lost. Triggers do it, not the operations, so that every
 * writer is covered (another process, the command line, an operator with psql). A notice names what changed;
 * every process then checks its own streams again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create function notify_access() returns trigger language plpgsql as $$
declare
  -- On deletion there is only what was.
  r jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('teehouse_access', case tg_table_name
    when 'sessions' then jsonb_build_object('session_id', r->'id')
    when 'api_tokens' then jsonb_build_object('token_id', r->'id')
    when 'memberships' then jsonb_build_object('user_id', r->'user_id', 'team_id', r->'team_id')
    when 'users' then jsonb_build_object('user_id', r->'id')
    when 'teams' then jsonb_build_object('team_id', r->'id')
    else jsonb_build_object('team_id', r->'team_id')
  end::text);
  return null;
end $$;

create trigger sessions_access after delete or update of sso_connection_id on sessions
  for each row execute function notify_access();
create trigger api_tokens_access after delete or update of revoked_at, expires_at, scopes on api_tokens
  for each row execute function notify_access();
create trigger memberships_access after delete or update of role on memberships
  for each row execute function notify_access();
create trigger users_access after update of state, platform_role, second_factor_at on users
  for each row execute function notify_access();
create trigger teams_access after update of deleted_at, require_second_factor on teams
  for each row execute function notify_access();
create trigger sso_connections_access after insert or delete or update of enforced, domain_verified_at on sso_connections
  for each row execute function notify_access();

-- A team that is deleted while somebody deploys into it must not be left with a CVM. Whoever deletes holds the row, so
-- this waits for them and then sees what they did.
create function cvms_team_lives() returns trigger language plpgsql as $$
begin
  perform 1 from teams where id = new.team_id and deleted_at is null for key share;
  if not found then
    raise exception 'the team was deleted' using errcode = 'foreign_key_violation', constraint = 'cvms_team_lives';
  end if;
  return null;
end $$;
create trigger cvms_team_lives after insert on cvms for each row execute function cvms_team_lives();

create index api_tokens_user on api_tokens (user_id, team_id);
create index invitations_email on invitations (lower(email)) where state = 'pending';
`;
