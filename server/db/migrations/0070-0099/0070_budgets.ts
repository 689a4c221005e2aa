import { sql, type Kysely } from 'kysely';

/** Budgets of teams and apps, and the CVMs they stopped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table budgets (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  -- Null: the whole team.
  app_id bigint references apps on delete cascade,
  period text not null check (period in ('day', 'week', 'month')),
  amount_micros bigint not null check (amount_micros > 0),
  -- Percentages, in ascending order.
  alerts smallint[] not null check (cardinality(alerts) between 1 and 5),
  action text not null check (action in ('notify', 'refuse', 'stop')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The period that the rest of the row is about.
  period_start timestamptz not null default 'epoch',
  -- The highest percentage that payers were notified of; 0 before the first.
  alerted smallint not null default 0,
  used_up_at timestamptz,
  -- Posted usage of the period, as of this entry of the team's ledger.
  posted_micros bigint not null default 0,
  posted_seq bigint not null default -1
);
create unique index budgets_one on budgets (team_id, coalesce(app_id, 0), period);
create index budgets_app on budgets (app_id) where app_id is not null;
create index budgets_used_up on budgets (team_id) where used_up_at is not null;

-- CVMs that a budget stopped, until they start again.
create table budget_stops (
  cvm_id bigint primary key references cvms on delete cascade,
  budget_id bigint not null references budgets on delete cascade,
  stopped_at timestamptz not null default now()
);
create index budget_stops_budget on budget_stops (budget_id);

drop trigger events_feed on events;
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|found|recovered|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over|bin_gave_way)$'
    or new.kind like 'budget.%')
  execute function feed_event();
`;
