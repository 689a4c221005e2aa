import { sql } from 'kysely';
import type { Db } from '../core/client';
import type { AiModelMeasurement, AiModelServers } from '../../domain/ai/modelFactsResponse';
import { ECHO } from '../../domain/ai/models';
import { inUse } from './aiModels';

/** Age up to which requests count. */
export const MEASURED_DAYS = 7;

/** Requests read, the newest first. */
const MAX_READ = 100_000;

/** A model as it is offered. */
interface OfferedModel {
  model: string;
  /** Null for a model of every team. */
  team_id: number | null;
}

/**
 * A request shows how a model's servers do if it was sent to one and didn't fail through its client: not if it
 * was refused, or left before the answer began. One that broke off counts as failed, unless its client or the end
 * of its key cut it short.
 */
const counted = sql<boolean>`(r.upstream_id is not null or r.model = ${ECHO.id})
  and (r.outcome = 'completed' or (r.outcome = 'aborted' and r.status < 400)
    or (r.outcome = 'failed' and (r.status < 400 or r.status >= 500)))`;

/** Measures every model that was requested lately, since it was added. */
export async function measureAiModels(db: Db): Promise<(AiModelMeasurement & OfferedModel)[]> {
  const { rows } = await sql<AiModelMeasurement & OfferedModel>`
    with recent as (
      select team_id, model, created_at, upstream_id, status, outcome, is_streamed, is_estimated, output_tokens,
             first_token_ms, duration_ms
      from ai_requests where created_at >= now() - make_interval(days => ${MEASURED_DAYS})
      order by created_at desc limit ${sql.lit(MAX_READ)}
    )
    select r.model, m.team_id, count(*)::int as requests,
      count(*) filter (where r.outcome <> 'failed')::int as answered,
      count(*) filter (where s.is_stream)::int as streams,
      percentile_cont(0.5) within group (order by r.first_token_ms) filter (where s.is_stream) as first_token_ms,
      count(s.speed)::int as timed,
      percentile_cont(0.5) within group (order by s.speed) as tokens_per_second
    from recent r
    left join ai_models m on m.model = r.model and (m.team_id is null or m.team_id = r.team_id)
    cross join lateral (
      select r.outcome = 'completed' and r.is_streamed and r.first_token_ms is not null as is_stream,
        case when r.outcome = 'completed' and r.is_streamed and not r.is_estimated and r.output_tokens >= 10
          and r.duration_ms > r.first_token_ms
        then r.output_tokens * 1000::float8 / (r.duration_ms - r.first_token_ms) end as speed
    ) s
    where ${counted} and (r.created_at >= m.created_at or r.model = ${ECHO.id})
    group by r.model, m.team_id`.execute(db);
  return rows;
}

/** Host name of an upstream, as in its address. */
const host = sql`split_part(u.url, '/', 3)`;

/** Returns what is known of the servers of all models in use. */
export async function aiModelServers(db: Db): Promise<(AiModelServers & OfferedModel)[]> {
  const { rows } = await sql<AiModelServers & OfferedModel>`
    with used as (
      select m.id, m.model, m.team_id, m.updated_at, u.id as upstream_id, u.updated_at as upstream_updated_at,
        u.evidence_required, u.health, u.checked_at, a.id as app_id, ${host} as host
      from ai_models m
      cross join lateral jsonb_array_elements(m.upstreams) route
      join ai_upstreams u on u.id = (route->>'upstream_id')::bigint and ${inUse.upstream}
      -- The platform's upstreams name no app, but their addresses do: <app>-<port>.<domain of the host>.
      left join apps a on a.id = u.app_id
        or (u.app_id is null and a.app_id = substring(${host} from '^([0-9a-f]{40})-[0-9]+[.]'))
      where ${inUse.model}
    ), machines as (
      select distinct used.id as model_id, c.id as cvm_id, c.teepod_id
      from used
      join cvms c on c.app_id = used.app_id and c.deleted_at is null and c.status = 'running'
      join teepods t on t.id = c.teepod_id
        and t.gateway_base_domain = substring(used.host from position('.' in used.host) + 1)
    ), cards as (
      select o.model_id, coalesce(nullif(g.description, ''), g.product_id, 'GPU') as name, count(*)::int as count
      from machines o
      join reservations v on v.cvm_id = o.cvm_id
      join gpus g on g.reservation_id = v.id and g.teepod_id = o.teepod_id
      group by 1, 2
    )
    select model, team_id,
      case when exists (select from machines o where o.model_id = used.id) then coalesce(
        (select jsonb_agg(jsonb_build_object('name', name, 'count', count) order by name) from cards where model_id = used.id),
        '[]') end as gpus,
      bool_or(health = 'ok') filter (where health <> 'unchecked') as is_responding,
      max(checked_at) filter (where health <> 'unchecked') as checked_at,
      case when bool_and(evidence_required) then (
        select min(r.created_at) from ai_requests r
        where r.model = used.model and r.gateway is not null and r.outcome = 'completed'
          and r.created_at >= greatest(used.updated_at, max(used.upstream_updated_at))) end as attested_since
    from used group by id, model, team_id, updated_at`.execute(db);
  return rows;
}
