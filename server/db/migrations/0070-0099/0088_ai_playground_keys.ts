import { sql, type Kysely } from 'kysely';

/** Keys created by the console's playground, and an index for summing a team's usage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table ai_keys add column purpose text not null default 'program'
  check (purpose in ('program', 'playground'));
update ai_keys set purpose = 'playground'
  where name = 'Playground' and expires_at <= created_at + interval '1 hour';
create index ai_requests_usage on ai_requests (team_id, created_at)
  include (model, input_tokens, output_tokens, cost_picos);
`;
