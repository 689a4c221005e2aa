import { sql, type Kysely } from 'kysely';

/** Alerts to operators, and the chat bot that sends them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table alerts (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about: teepod:7, queue:mail.
  subject text not null,
  severity text not null check (severity in ('warning', 'critical')),
  title text not null,
  message text not null,
  -- How often it began anew.
  count integer not null default 1,
  opened_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  resolved_at timestamptz,
  -- Of what chats show; a message that shows an older one is brought up to date.
  revision integer not null default 1,
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index alerts_open on alerts (kind, subject) where resolved_at is null;
create index alerts_latest on alerts (kind, subject, id desc);
create index alerts_listed on alerts (opened_at desc, id desc);
create index alerts_over on alerts (resolved_at) where resolved_at is not null;

create table chat_bots (
  service text primary key,
  sealed_token text not null,
  bot_id text not null,
  username text not null,
  name text not null,
  -- The first update that was not handled yet.
  next_update bigint not null default 0,
  last_asked_at timestamptz,
  last_error text,
  -- The service asked to be left alone until then.
  paused_until timestamptz,
  -- Whoever holds it asks for updates; the service gives each to one reader only.
  lease_owner text,
  lease_until timestamptz,
  updated_at timestamptz not null default now()
);

create table chat_codes (
  code_hash bytea primary key,
  service text not null,
  created_by bigint references users on delete set null,
  expires_at timestamptz not null
);

create table chats (
  id bigint generated always as identity primary key,
  service text not null,
  -- As the service names it.
  chat_ref text not null,
  title text not null,
  kind text not null check (kind in ('person', 'group', 'channel')),
  state text not null default 'linked' check (state in ('linked', 'refused')),
  alerts text[] not null,
  min_severity text not null default 'warning' check (min_severity in ('warning', 'critical')),
  time_zone text,
  quiet_from text,
  quiet_to text,
  linked_by bigint references users on delete set null,
  linked_at timestamptz not null default now(),
  -- Services limit how often one chat is written to.
  next_send_at timestamptz not null default now(),
  last_sent_at timestamptz,
  last_error text,
  unique (service, chat_ref),
  check ((quiet_from is null) = (quiet_to is null))
);

create table chat_messages (
  id bigint generated always as identity primary key,
  chat_id bigint not null references chats on delete cascade,
  -- What it tells of; an answer or a test tells of none.
  alert_id bigint references alerts on delete cascade,
  -- The beginning of an alert is one message, brought up to date; that it is over is another, which rings.
  part text not null default 'answer' check (part in ('answer', 'alert', 'over')),
  -- Of answers; what an alert says is written when it is sent.
  text text,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
  -- As the service names what was sent.
  message_ref text,
  sent_revision integer,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_error text,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((part = 'answer') = (alert_id is null)),
  check ((part = 'answer') = (text is not null))
);
create unique index chat_messages_alert on chat_messages (alert_id, chat_id, part) where alert_id is not null;
create index chat_messages_due on chat_messages (next_attempt_at) where state = 'waiting';
create index chat_messages_sending on chat_messages (lease_until) where state = 'sending';
create index chat_messages_age on chat_messages (created_at);
-- When the data were last written away, for the alert of backups.
create index audit_log_backups on audit_log (at) where action = 'database.backup';
`;
