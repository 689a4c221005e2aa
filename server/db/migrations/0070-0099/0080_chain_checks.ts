import { sql, type Kysely } from 'kysely';

/** Whether the RPCs of each network in use serve the chain they are configured for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_checks (
      chain_id int primary key,
      usable boolean not null,
      problem text,
      checked_at timestamptz not null
    )`.execute(db);
}
