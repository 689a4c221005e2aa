import { sql, type Kysely } from 'kysely';

/** Webhooks can post sentences to chats; existing ones keep sending events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column format text not null default 'events'
    check (format in ('events', 'slack', 'discord'))`.execute(db);
}
