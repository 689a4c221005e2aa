import { sql, type Kysely } from 'kysely';

/** Debts: one row from the day a team's balance fell below its credit limit until it is settled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table debts (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  started_at timestamptz not null,
  -- Fixed when the debt starts: what payers were told stays true if the configuration changes.
  stops_at timestamptz not null check (stops_at >= started_at),
  deletes_at timestamptz not null check (deletes_at >= stops_at),
  stopped_at timestamptz,
  deleted_at timestamptz,
  settled_at timestamptz,
  -- The last stage that payers were notified of.
  told text not null default 'none' check (told in ('none', 'grace', 'stop_soon', 'stopped', 'delete_soon', 'deleted'))
);
create unique index debts_open on debts (team_id) where settled_at is null;
create index debts_team on debts (team_id, id);

-- CVMs that a debt stopped, until they start again.
create table debt_stops (
  cvm_id bigint primary key references cvms on delete cascade,
  debt_id bigint not null references debts
);
create index debt_stops_debt on debt_stops (debt_id);
`;
