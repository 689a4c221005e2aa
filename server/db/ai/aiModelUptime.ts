import { sql, type RawBuilder } from 'kysely';
import type { AiModelUptimeCounts } from '../../domain/ai/modelUptime';
import type { Db } from '../core/client';
import { inUse } from './aiModels';

/** Sums of a day over those of its hours that began less than so many hours before the current one. */
const daySums = (hours: 24 | 168 | 720) => {
  const isPart = sql`age < make_interval(hours => ${sql.lit(hours)})`;
  return sql`sum(up) filter (where ${isPart}) as ${column('up', hours)},
    sum(checks) filter (where ${isPart}) as ${column('checks', hours)},
    count(*) filter (where ${isPart}) as ${column('measured', hours)}`;
};
const column = (name: string, hours: number) => sql.ref(`${name}_${hours}`);

const counts = (up: RawBuilder<unknown>, checks: RawBuilder<unknown>, measured: RawBuilder<unknown>) =>
  sql`jsonb_build_object('up', ${up}, 'checks', ${checks}, 'measured_hours', ${measured})`;

/** Null without any. */
const periodCounts = (hours: 24 | 168 | 720) => {
  const sum = (name: string) => sql`sum(${column(name, hours)})`;
  return sql`case when ${sum('measured')} > 0 then ${counts(sum('up'), sum('checks'), sum('measured'))} end`;
};

/**
 * Counts the checks of a team's models that are in use, or of the platform's, over the last 30 days: per hour the most that
 * one upstream passed, of the most that one had. Leaves out models without any.
 * @param team_id null for the platform's
 * @param now defaults to the database's clock; for tests
 */
export async function countUptime(
  db: Db,
  team_id: number | null,
  now?: Date,
): Promise<(AiModelUptimeCounts & { model: string })[]> {
  const { rows } = await sql<AiModelUptimeCounts & { model: string }>`
    with clock as (
      select date_trunc('hour', t, 'UTC') as hour, (t at time zone 'UTC')::date as today
      from (select coalesce(${now ?? null}::timestamptz, now()) as t) n
    ), used as (
      select distinct m.id, m.model, date_trunc('hour', m.created_at, 'UTC') as since, u.id as upstream_id
      from ai_models m
      cross join lateral jsonb_array_elements(m.upstreams) route
      join ai_upstreams u on u.id = (route->>'upstream_id')::bigint and ${inUse.upstream}
      where ${inUse.model} and m.team_id is not distinct from ${team_id}::bigint
    ), hours as (
      select used.id, used.model, h.hour, (select hour from clock) - h.hour as age,
        max(h.checks - h.failed_checks) as up, max(h.checks) as checks
      from used
      join ai_upstream_hours h on h.upstream_id = used.upstream_id
        and h.hour > (select hour from clock) - interval '720 hours' and h.hour <= (select hour from clock)
        and h.hour >= used.since
      group by used.id, used.model, h.hour
    ), days as (
      -- No joins from here on: the planner expects few of these rows, and would repeat the work for each model.
      select id, model, (hour at time zone 'UTC')::date as date, ${daySums(24)}, ${daySums(168)}, ${daySums(720)}
      from hours group by 1, 2, 3
    )
    select model, (select today from clock)::text as today,
      jsonb_build_object('24', ${periodCounts(24)}, '168', ${periodCounts(168)}, '720', ${periodCounts(720)}) as periods,
      jsonb_object_agg(date, ${counts(sql`up_720`, sql`checks_720`, sql`measured_720`)}) as days
    from days group by id, model`.execute(db);
  return rows;
}
