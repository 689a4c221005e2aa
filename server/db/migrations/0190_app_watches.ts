import { sql, type Kysely } from 'kysely';

/** Mail addresses of visitors that follow a published app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table app_watches (
  id bigint generated always as identity primary key,
  -- Part of the links in its mail.
  public_id text not null unique,
  app_id bigint not null references apps on delete cascade,
  -- As it was published: a later name is not public.
  app_name text not null,
  email text not null,
  -- Null until the owner of the address confirms it.
  confirmed_at timestamptz,
  -- When the link to confirm was last sent.
  asked_at timestamptz not null default now(),
  -- What the last mail described; null while the app is not published.
  seen_revision_id bigint references revisions,
  seen_os_image text,
  told_at timestamptz,
  created_at timestamptz not null default now(),
  check ((seen_revision_id is null) = (seen_os_image is null))
);
create unique index app_watches_address on app_watches (app_id, lower(email));
create index app_watches_email on app_watches (lower(email), asked_at);
create index app_watches_confirmed on app_watches (app_id) where confirmed_at is not null;
create index app_watches_waiting on app_watches (asked_at) where confirmed_at is null;
`;
