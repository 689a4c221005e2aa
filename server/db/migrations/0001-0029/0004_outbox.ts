import { sql, type Kysely } from 'kysely';

/**
 * Mail that is queued, was sent, or is kept for reading because no mail server is configured. Its content holds
 * single-use links: sealed with the server's key, and deleted once it is sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      id bigint generated always as identity primary key,
      -- The same in every attempt: a message that was sent twice is recognised as one.
      message_id text not null unique,
      "to" text not null,
      template text not null,
      subject text not null,
      sealed_content text,
      state text not null check (state in ('queued', 'sending', 'sent', 'failed', 'kept')),
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      last_error text,
      lease_owner text,
      lease_until timestamptz,
      user_id bigint references users on delete set null,
      team_id bigint references teams on delete set null,
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      check (state in ('sent', 'failed') or sealed_content is not null),
      check ((state = 'queued') = (next_attempt_at is not null)),
      check ((state = 'sending') = (lease_owner is not null and lease_until is not null)),
      check ((state = 'sent') = (sent_at is not null))
    )`.execute(db);
  await sql`create index outbox_due on outbox (next_attempt_at) where state = 'queued'`.execute(db);
  await sql`create index outbox_sending on outbox (lease_until) where state = 'sending'`.execute(db);
  await sql`create index outbox_age on outbox (created_at)`.execute(db);
  await sql`create index outbox_team on outbox (team_id) where team_id is not null`.execute(db);
  await sql`create index outbox_user on outbox (user_id) where user_id is not null`.execute(db);
}
