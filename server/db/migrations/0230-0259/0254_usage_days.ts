import { sql, type Kysely } from 'kysely';

/**
 * Each team's sum of posted usage lines per UTC day, for overviews of the whole cloud: there are too many lines
 * to sum.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- A line that another process adds meanwhile would be in no sum.
lock table usage_lines in share row exclusive mode;

-- Without corrections, which may span days; they are few, and read one by one. A line is within one hour.
create table usage_days (
  team_id bigint not null references teams,
  day timestamptz not null,
  amount_micros bigint not null,
  primary key (day, team_id)
) with (fillfactor = 60);

insert into usage_days (team_id, day, amount_micros)
  select team_id, date_trunc('day', starts_at, 'UTC'), sum(amount_micros) from usage_lines
  where corrects is null group by 1, 2;

create index usage_lines_corrected on usage_lines (ends_at, id) where corrects is not null;

create function add_usage_days() returns trigger language plpgsql as $$
begin
  insert into usage_days as d (team_id, day, amount_micros)
    select team_id, date_trunc('day', starts_at, 'UTC'), sum(amount_micros) from added
    where corrects is null group by 1, 2
    on conflict (day, team_id) do update set amount_micros = d.amount_micros + excluded.amount_micros;
  return null;
end $$;

create trigger usage_lines_days after insert on usage_lines referencing new table as added
  for each statement execute function add_usage_days();
create trigger usage_days_refuse before insert or update or delete on usage_days
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger usage_days_refuse_truncate before truncate on usage_days
  for each statement execute function ledger_refuse();
`;
