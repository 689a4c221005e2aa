import { sql, type Kysely } from 'kysely';

/** Corrections are the only usage lines that can span days; totals read them one by one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index usage_lines_corrections on usage_lines (team_id, starts_at) where corrects is not null;`,
    )
    .execute(db);
}
