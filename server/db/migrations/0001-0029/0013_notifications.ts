import { sql, type Kysely } from 'kysely';

/** Notifications, in the console and by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- A list is ordered by what happened last, so a row moves to the front when its thing happens again.
create sequence notification_positions;

create table notifications (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null,
  user_id bigint not null,
  kind text not null,
  -- What it is about: a trouble that is open is one row, however often it shows itself.
  subject text not null,
  severity text not null check (severity in ('info', 'warning', 'error')),
  title text not null,
  message text not null,
  cvm_id bigint references cvms on delete set null,
  count integer not null default 1,
  position bigint not null default nextval('notification_positions'),
  -- Told by mail only.
  hidden boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  resolved_at timestamptz,
  read_at timestamptz,
  -- When the mail that tells it goes; null when none is to go.
  mail_due_at timestamptz,
  mailed_at timestamptz,
  -- What the last mail said: that it is so, or that it is over.
  mailed_state text check (mailed_state in ('open', 'resolved')),
  -- Who leaves the team is told nothing more, and sees nothing more of what they were told.
  foreign key (team_id, user_id) references memberships (team_id, user_id) on delete cascade,
  check ((mailed_at is null) = (mailed_state is null))
);
create unique index notifications_open on notifications (user_id, team_id, kind, subject) where resolved_at is null;
create index notifications_listed on notifications (user_id, position desc) where not hidden;
create index notifications_unread on notifications (user_id) where read_at is null and not hidden;
create index notifications_due on notifications (mail_due_at) where mail_due_at is not null;
create index notifications_subject on notifications (team_id, kind, subject);
create index notifications_age on notifications (updated_at);

-- Where a person chose otherwise than is usual for their role.
create table notification_preferences (
  team_id bigint not null,
  user_id bigint not null,
  kind text not null,
  console boolean not null,
  mail boolean not null,
  primary key (user_id, team_id, kind),
  foreign key (team_id, user_id) references memberships (team_id, user_id) on delete cascade
);

create table notification_settings (
  user_id bigint primary key references users on delete cascade,
  -- IANA name; null is UTC.
  time_zone text,
  -- HH:MM in that zone; both or neither.
  quiet_from text,
  quiet_to text,
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_to is null))
);

-- Hosts that do not answer: people are told once when that lasts, once when it is over, whichever process looks. Since
-- when somebody has been asking in vain: that a server was off for a night says nothing of its hosts.
create table host_troubles (
  teepod_id bigint primary key references teepods on delete cascade,
  since timestamptz not null default now(),
  told_at timestamptz
);

-- Pages that show how much is unread ask again when something was added or read.
create function notify_notification() returns trigger language plpgsql as $$
begin
  perform pg_notify('teehouse_notifications', json_build_object('team_id', new.team_id, 'user_id', new.user_id)::text);
  return null;
end $$;
create trigger notifications_notify after insert or update of read_at, count, resolved_at on notifications
  for each row execute function notify_notification();
`;
