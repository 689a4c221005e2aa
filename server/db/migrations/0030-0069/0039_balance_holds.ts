import { sql, type Kysely } from 'kysely';

/** Funds: a team's credit limit, and amounts set aside for the first hour of recent deployments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- How far below zero the balance may go. Set by an administrator.
alter table teams add column post_paid_cap_micros bigint not null default 0 check (post_paid_cap_micros >= 0);

-- Set aside by an operation that starts or enlarges a CVM. What is left of it follows from the operation's state and
-- the time since it finished, so no job has to release it.
create table balance_holds (
  operation_id bigint primary key references operations on delete cascade,
  team_id bigint not null references teams,
  cvm_id bigint not null references cvms,
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null default now()
);
create index balance_holds_team on balance_holds (team_id);
create index balance_holds_cvm on balance_holds (cvm_id);
create index balance_holds_created on balance_holds (created_at);
`;
