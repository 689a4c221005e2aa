import { sql, type Kysely } from 'kysely';

/**
 * When the rarely changing facts of a host are read again: its images, capacity and gateway. Spread for existing
 * hosts, so that the first round after an upgrade doesn't read all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table teepods add column facts_due_at timestamptz not null default now(),
    add column facts_often_until timestamptz`.execute(db);
  await sql`update teepods set facts_due_at = now() + random() * interval '5 minutes'`.execute(db);
}
