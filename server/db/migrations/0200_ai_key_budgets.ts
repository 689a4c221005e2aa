import { sql, type Kysely } from 'kysely';

/** Budgets of AI keys, and the daily cost of each key, so that a check doesn't sum single requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table ai_keys
  add column budget_micros bigint check (budget_micros > 0),
  add column budget_period text not null default 'month' check (budget_period in ('day', 'week', 'month'));

-- Null: held before keys had budgets.
alter table ai_holds add column key_id bigint references ai_keys;
create index ai_holds_key on ai_holds (key_id);

create table ai_key_days (
  key_id bigint not null references ai_keys on delete cascade,
  -- UTC
  day date not null,
  cost_picos numeric not null,
  primary key (key_id, day)
);
insert into ai_key_days (key_id, day, cost_picos)
  select key_id, (created_at at time zone 'utc')::date, sum(cost_picos) from ai_requests
  where cost_picos > 0 group by 1, 2;
`;
