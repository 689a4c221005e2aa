import { sql, type Kysely } from 'kysely';

/** Models in a team's CVMs that only the team's own AI keys can use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table ai_upstreams
  -- Null: of the platform, with an address that an administrator entered or published.
  add column team_id bigint references teams,
  -- Whose public address it is.
  add column app_id bigint references apps,
  add constraint ai_upstreams_team_check check ((team_id is null) = (app_id is null));
create index ai_upstreams_team on ai_upstreams (team_id) where team_id is not null;
create index ai_upstreams_app on ai_upstreams (app_id) where app_id is not null;

-- Older processes offer 'active' models to every team, so a team's own has a state that they don't know.
alter table ai_models
  add column team_id bigint references teams,
  add column public_id text unique,
  add constraint ai_models_team_check check ((team_id is null) = (public_id is null)),
  add constraint ai_models_price_check check (team_id is null
    or (input_price_micros = 0 and cached_input_price_micros = 0 and output_price_micros = 0)),
  drop constraint ai_models_state_check,
  add constraint ai_models_state_check check (state = 'disabled' or state = case when team_id is null then 'active' else 'team' end);
create index ai_models_team on ai_models (team_id) where team_id is not null;

-- A team's model is offered while its app has a CVM, which is part of what the gateway keeps.
create function count_archived_ai_apps() returns trigger language plpgsql as $$
begin
  if exists (select from ai_upstreams where app_id = new.id) then
    update ai_catalog set version = version + 1;
  end if;
  return null;
end $$;
create trigger apps_ai_catalog after update of archived_at on apps for each row
  when (old.archived_at is distinct from new.archived_at) execute function count_archived_ai_apps();
`;
