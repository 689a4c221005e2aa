import { sql, type Kysely } from 'kysely';

/**
 * AI requests by their own time and by key, as costs show them. Budgets are summed again, now with AI requests
 * and orders.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Null for hours that were closed before.
alter table ai_usage_lines add column key_id bigint references ai_keys;
create index ai_usage_lines_key on ai_usage_lines (key_id, starts_at) where key_id is not null;
create index ai_usage_lines_hours on ai_usage_lines (team_id, starts_at, id);
-- Of all teams.
create index ai_usage_lines_since on ai_usage_lines (starts_at);
update budgets set posted_seq = -1;
`;
