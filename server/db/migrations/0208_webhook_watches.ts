import { sql, type Kysely } from 'kysely';

/** Watching an app by webhook: the same row as by mail, with a URL and the delivery in progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table app_watches
  alter column email drop not null,
  add url text,
  add sealed_secret text,
  -- The delivery in progress, and what is signed and sent.
  add event_id text,
  add event text,
  add body text,
  add tries integer not null default 0,
  add next_attempt_at timestamptz,
  add check ((email is null) <> (url is null)),
  add check ((url is null) = (sealed_secret is null)),
  add check (num_nulls(event_id, event, body, next_attempt_at) in (0, 4)),
  add check (body is null or url is not null);
create unique index app_watches_url on app_watches (app_id, url) where url is not null;
create index app_watches_due on app_watches (next_attempt_at) where next_attempt_at is not null;
`;
