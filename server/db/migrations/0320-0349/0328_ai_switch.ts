import { sql, type Kysely } from 'kysely';

/** Whether a team uses the AI API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- If false, the team's AI keys are refused.
alter table teams add column confidential_models_enabled boolean not null default true;
`;
