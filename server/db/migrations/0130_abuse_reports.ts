import { sql, type Kysely } from 'kysely';

/** Reports about published apps, and apps that an administrator removed from the explorer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table apps
  add column listing_refused_at timestamptz,
  add column listing_refused_reason text,
  add check ((listing_refused_at is null) = (listing_refused_reason is null));

create table abuse_reports (
  id bigint generated always as identity primary key,
  app_id bigint not null references apps on delete cascade,
  kind text not null check (kind in ('malware', 'phishing', 'illegal', 'misleading', 'other')),
  text text not null,
  -- Where an answer is sent; null if none is wanted.
  email text,
  state text not null default 'open' check (state in ('open', 'dismissed', 'delisted')),
  decision text,
  decided_by bigint references users,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'open') = (decided_at is null))
);
create index abuse_reports_app on abuse_reports (app_id, id desc);
create index abuse_reports_open on abuse_reports (app_id) where state = 'open';
`;
