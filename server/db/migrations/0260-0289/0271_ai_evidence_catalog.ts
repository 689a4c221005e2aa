import { sql, type Kysely } from 'kysely';

/** What upstreams must prove is part of their routes' names, so changing it also changes the catalog. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
drop trigger ai_upstreams_catalog_change on ai_upstreams;
create trigger ai_upstreams_catalog_change after update on ai_upstreams for each row
  when ((old.name, old.url, old.sealed_api_key, old.state, old.max_concurrency, old.timeout_seconds, old.health, old.evidence_required, old.accepted_app_ids, old.accepted_kms_keys)
    is distinct from (new.name, new.url, new.sealed_api_key, new.state, new.max_concurrency, new.timeout_seconds, new.health, new.evidence_required, new.accepted_app_ids, new.accepted_kms_keys))
  execute function count_ai_catalog();
`;
