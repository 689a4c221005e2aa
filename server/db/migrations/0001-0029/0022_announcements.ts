import { sql, type Kysely } from 'kysely';

/** Announcements, the fate of error reports, and events without a notification. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table announcements (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  title text not null,
  text text not null,
  severity text not null default 'info' check (severity in ('info', 'warning', 'critical')),
  audience text not null default 'everybody' check (audience in ('everybody', 'workspaces', 'teepod', 'node', 'kms', 'os_image')),
  teepod_id bigint references teepods on delete set null,
  node_id bigint references nodes on delete set null,
  kms_id bigint references kms on delete set null,
  os_image_id bigint references os_images on delete set null,
  -- Null: as soon as it is published, until somebody ends it.
  starts_at timestamptz,
  ends_at timestamptz,
  dismissible boolean not null default true,
  link text,
  -- Also in the bell and by mail.
  notify boolean not null default false,
  published_at timestamptz,
  ended_at timestamptz,
  -- When everybody it is for had been notified.
  notified_at timestamptz,
  -- And while that goes on: the last person who was, by id.
  notified_until bigint not null default 0,
  -- What pages were last told of it: they ask again when it goes live and when it ends.
  told_state text not null default 'draft',
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at is null or starts_at is null or ends_at > starts_at),
  check (ended_at is null or published_at is not null)
);
create index announcements_open on announcements (id) where published_at is not null and ended_at is null;
create index announcements_listed on announcements (created_at desc, id desc);

create table announcement_workspaces (
  announcement_id bigint not null references announcements on delete cascade,
  team_id bigint not null references teams on delete cascade,
  primary key (announcement_id, team_id)
);
create index announcement_workspaces_team on announcement_workspaces (team_id);

create table announcement_dismissals (
  announcement_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users on delete cascade,
  dismissed_at timestamptz not null default now(),
  primary key (announcement_id, user_id)
);
create index announcement_dismissals_user on announcement_dismissals (user_id);

-- State follows from the clock; nothing has to run for it to be right.
create function announcement_state(published_at timestamptz, starts_at timestamptz, ends_at timestamptz, ended_at timestamptz)
returns text language sql stable as $$
  select case when published_at is null then 'draft'
    when ended_at is not null or ends_at <= now() then 'ended'
    when starts_at > now() then 'scheduled' else 'live' end
$$;

-- Whom an announcement concerns: teams with something on a host, KMS or image.
create index cvms_kms_team on cvms (team_id, kms_id) where deleted_at is null;
create index cvms_teepod_team on cvms (team_id, teepod_id) where deleted_at is null;

create function notify_announcement() returns trigger language plpgsql as $$
begin
  perform pg_notify('teehouse_announcements', '{}');
  return null;
end $$;
create trigger announcements_notify after update of told_state, title, text, severity, link, audience, dismissible on announcements
  for each row when (new.published_at is not null) execute function notify_announcement();

alter table monitoring_events
  add column destination text not null default 'kept' check (destination in ('kept', 'forwarded', 'failed')),
  add column last_error text;

drop trigger events_feed on events;
-- Boot steps come by the dozen and concern nobody who is not looking.
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|recovered|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over)$')
  execute function feed_event();
`;
