import { sql, type Kysely } from 'kysely';

/** Upstreams that must prove what they run before a prompt is sent to them, and what they may run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table ai_upstreams
  add column evidence_required boolean not null default false,
  add column accepted_app_ids text[] not null default '{}',
  add column accepted_kms_keys text[] not null default '{}',
  add constraint ai_upstreams_evidence_check check (not evidence_required
    or (url like 'https://%' and cardinality(accepted_app_ids) > 0 and cardinality(accepted_kms_keys) > 0));

drop trigger ai_upstreams_catalog_change on ai_upstreams;
create trigger ai_upstreams_catalog_change after update on ai_upstreams for each row
  when ((old.name, old.url, old.sealed_api_key, old.state, old.max_concurrency, old.timeout_seconds, old.health, old.evidence_required)
    is distinct from (new.name, new.url, new.sealed_api_key, new.state, new.max_concurrency, new.timeout_seconds, new.health, new.evidence_required))
  execute function count_ai_catalog();
`;
