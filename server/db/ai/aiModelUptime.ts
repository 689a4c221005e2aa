import { sql } from 'kysely';
import type { AiModelUptimeCounts } from '../../domain/ai/modelUptime';
import type { Db } from '../core/client';
import { inUse } from './aiModels';

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
    ), hours as (
      select m.id, m.model, h.hour, max(h.checks - h.failed_checks) as up, max(h.checks) as checks
      from clock
      cross join ai_models m
      cross join lateral jsonb_array_elements(m.upstreams) route
      join ai_upstreams u on u.id = (route->>'upstream_id')::bigint and ${inUse.upstream}
      join ai_upstream_hours h on h.upstream_id = u.id
        and h.hour > clock.hour - interval '720 hours' and h.hour <= clock.hour
        and h.hour >= date_trunc('hour', m.created_at, 'UTC')
      where ${inUse.model} and m.team_id is not distinct from ${team_id}::bigint
      group by m.id, h.hour
    ), periods as (
      select h.id, p.hours, sum(h.up) as up, sum(h.checks) as checks, count(*) as measured_hours
      from hours h cross join clock
      join (values (24), (168), (720)) p (hours) on h.hour > clock.hour - make_interval(hours => p.hours)
      group by h.id, p.hours
    ), days as (
      select id, (hour at time zone 'UTC')::date as date, sum(up) as up, sum(checks) as checks, count(*) as measured_hours
      from hours group by 1, 2
    )
    select m.model, clock.today::text as today,
      (select jsonb_object_agg(p.hours, to_jsonb(p) - 'id') from periods p where p.id = m.id) as periods,
      (select jsonb_object_agg(d.date, to_jsonb(d) - 'id') from days d where d.id = m.id) as days
    from (select distinct id, model from hours) m cross join clock`.execute(db);
  return rows;
}
