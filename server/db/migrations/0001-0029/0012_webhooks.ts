import { sql, type Kysely } from 'kysely';

/** The feed of events to deliver, webhooks, and each delivery to one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Filled in the transaction of the event and emptied by whoever tells it: no reader has to guess from numbers of events,
-- which are taken in another order than they are committed.
create table event_feed (
  id bigint generated always as identity primary key,
  event_id bigint not null,
  team_id bigint not null,
  cvm_id bigint,
  operation_id bigint,
  kind text not null,
  severity text not null,
  message text not null,
  data jsonb not null,
  -- As it was at that moment; by the time it is told it may have another name and be in another state.
  cvm_name text,
  cvm_status text,
  vm_uuid uuid,
  app_id text,
  created_at timestamptz not null
);
create index event_feed_age on event_feed (created_at);

create function feed_event() returns trigger language plpgsql as $$
begin
  insert into event_feed (event_id, team_id, cvm_id, operation_id, kind, severity, message, data,
    cvm_name, cvm_status, vm_uuid, app_id, created_at)
  select new.id, new.team_id, new.cvm_id, new.operation_id, new.kind, new.severity, new.message, new.data,
    c.name, c.status, c.vm_uuid, a.app_id, new.created_at
  from (values (1)) as one
  left join cvms c on c.id = new.cvm_id
  left join apps a on a.id = coalesce(new.app_id, c.app_id);
  return null;
end $$;
-- Boot steps come by the dozen and concern nobody who is not looking.
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|recovered|disk_low|disk_recovered|disabled|pending_approval)$')
  execute function feed_event();

create table webhooks (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams on delete cascade,
  name text,
  url text not null,
  events text[] not null,
  sealed_secret text not null,
  -- What is shown of it: beginning and last four characters.
  secret_hint text not null,
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('person', 'failures')),
  -- Of the deliveries that failed for good since the last success.
  failing_since timestamptz,
  failures integer not null default 0,
  last_delivered_at timestamptz,
  -- Whoever holds it sends to this address; one at a time, so a receiver gets one request at a time.
  lease_owner text,
  lease_until timestamptz,
  last_leased_at timestamptz,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (enabled = (disabled_reason is null)),
  check ((sealed_previous_secret is null) = (previous_secret_until is null)),
  check ((lease_owner is null) = (lease_until is null))
);
create index webhooks_team on webhooks (team_id, id);
create index webhooks_leased on webhooks (lease_until) where lease_owner is not null;

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- Told to receivers as X-Webhook-Id: the same in every try, and for every webhook of the team.
  event_id text not null,
  event text not null,
  test boolean not null default false,
  -- The exact bytes that are signed and sent.
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  -- Since it was queued, or queued again by a person.
  tries integer not null default 0,
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (webhook_id, event_id),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'pending') = (finished_at is null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_due_all on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_listed on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_age on webhook_deliveries (created_at);
`;
