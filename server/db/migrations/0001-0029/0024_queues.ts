import { sql, type Kysely } from 'kysely';

/** Background work as shown in the admin area. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- One row per schedule, written every few seconds by whoever runs it: bounded by the number of schedules.
create table schedule_runs (
  id text primary key,
  name text not null,
  every_seconds double precision not null,
  last_run_at timestamptz,
  next_run_at timestamptz,
  duration_ms integer not null default 0,
  runs bigint not null default 0,
  failures bigint not null default 0,
  last_failed_at timestamptz,
  last_error text,
  worker_id text
);

-- Lists of what failed lately, and figures of what ended lately.
create index operations_ended on operations (finished_at) where finished_at is not null;
create index outbox_open on outbox (state) where state in ('queued', 'sending', 'failed');
create index outbox_sent on outbox (sent_at) where sent_at is not null;
create index webhook_deliveries_ended on webhook_deliveries (finished_at) where finished_at is not null;
create index notifications_mailed on notifications (mailed_at) where mailed_at is not null;
create index rollouts_live on rollouts (id) where state in ('queued', 'running', 'reverting');
`;
