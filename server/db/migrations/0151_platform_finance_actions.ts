import { sql, type Kysely } from 'kysely';

/** Promotion codes and products belong to no single team, but can give money away too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table finance_actions alter column team_id drop not null`.execute(db);
}
