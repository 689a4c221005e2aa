import { sql, type Kysely } from 'kysely';

/** What AI models read and write, and whether a team uses the AI API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Empty for models added before: what they read isn't known, so requests are forwarded as they were.
alter table ai_models
  add column input_modalities text[] not null default '{}'
    check (input_modalities <@ array['text', 'image', 'audio', 'video', 'file']),
  add column output_modalities text[] not null default '{}'
    check (output_modalities <@ array['text', 'image', 'audio', 'embeddings']);

-- If false, the team's AI keys are refused.
alter table teams add column confidential_models_enabled boolean not null default true;
`;
