import { sql, type Kysely } from 'kysely';

/** A number that changes with the gateway's view of models and upstreams, so that it can cache them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- One row. It is changed in the transaction of what it counts, so whoever reads a version finds nothing older.
create table ai_catalog (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 1
);
insert into ai_catalog default values;

create function count_ai_catalog() returns trigger language plpgsql as $$
begin
  update ai_catalog set version = version + 1;
  return null;
end $$;

create trigger ai_models_catalog after insert or update or delete on ai_models
  for each statement execute function count_ai_catalog();
create trigger ai_upstreams_catalog after insert or delete on ai_upstreams
  for each statement execute function count_ai_catalog();
-- Checks of upstreams write every minute, mostly the same.
create trigger ai_upstreams_catalog_change after update on ai_upstreams for each row
  when ((old.name, old.url, old.sealed_api_key, old.state, old.max_concurrency, old.timeout_seconds, old.health)
    is distinct from (new.name, new.url, new.sealed_api_key, new.state, new.max_concurrency, new.timeout_seconds, new.health))
  execute function count_ai_catalog();
`;
