import { sql } from 'kysely';
import type { AdminAiUpstream } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import type { Db, Tx } from '../core/client';
import { inUse } from './aiModels';
import type { AiModelRow, AiUpstreamRow } from './aiTables';

export interface AdminAiUpstreamRow extends AiUpstreamRow {
  has_api_key: boolean;
  model_count: number;
}

export const adminAiUpstreams: AdminListSource<AdminAiUpstreamRow> = {
  fields: {
    id: 'integer',
    name: 'text',
    url: 'text',
    team_id: 'integer',
    has_api_key: 'boolean',
    state: 'text',
    max_concurrency: 'integer',
    timeout_seconds: 'integer',
    evidence_required: 'boolean',
    accepted_app_ids: 'none',
    accepted_kms_keys: 'none',
    health: 'text',
    model_count: 'integer',
    checked_at: 'time',
    last_error: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAiUpstream, AdminFieldKind>,
  searched: ['name', 'url'],
  nullsFirst: ['checked_at'],
  select: sql<AdminAiUpstreamRow>`
    select u.*, u.sealed_api_key is not null as has_api_key,
           (select count(*)::int from ai_models m
            where m.upstreams @> jsonb_build_array(jsonb_build_object('upstream_id', u.id))) as model_count
    from ai_upstreams u`,
};

export const lockAiUpstream = (trx: Tx, id: number): Promise<AiUpstreamRow | undefined> =>
  trx.selectFrom('ai_upstreams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/**
 * Returns which of these upstreams the platform has, and keeps them from being removed until the transaction
 * ends.
 */
export async function holdAiUpstreams(trx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('ai_upstreams')
    .select('id')
    .where('id', 'in', [...ids])
    .where('team_id', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns models that name the upstream, at most `limit`. */
export async function modelsOfUpstream(trx: Tx, id: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ model: string }>`
    select model from ai_models where upstreams @> ${JSON.stringify([{ upstream_id: id }])}::jsonb
    order by model limit ${limit}`.execute(trx);
  return rows.map(({ model }) => model);
}

/**
 * Stores a check's result, unless the upstream's address, key or rule has changed since.
 * @param taken_at when the worker took the upstream to check it (`checked_at`). Its result is stored only if it
 *   is the next one, and counted in the hour. Without it, the check is additional, and not counted.
 */
export async function noteAiUpstreamCheck(
  db: Db,
  {
    id,
    url,
    sealed_api_key,
    evidence_required,
  }: Pick<AiUpstreamRow, 'id' | 'url' | 'sealed_api_key' | 'evidence_required'>,
  { health, last_error }: Pick<AiUpstreamRow, 'health' | 'last_error'>,
  taken_at: Date | null = null,
): Promise<void> {
  await sql`
    with noted as (
      update ai_upstreams set health = ${health}, last_error = ${last_error},
        -- Always later than it was, also in milliseconds, so that no check is stored twice.
        checked_at = greatest(now(), checked_at + interval '1 millisecond')
      where id = ${id} and url = ${url} and evidence_required = ${evidence_required}
        and sealed_api_key is not distinct from ${sealed_api_key}
        and (${taken_at}::timestamptz is null or date_trunc('milliseconds', checked_at) = ${taken_at})
      returning id
    )
    insert into ai_upstream_hours as h (upstream_id, hour, checks, failed_checks)
    select id, date_trunc('hour', now(), 'UTC'), 1, ${health === 'failing' ? 1 : 0}::int from noted
    where ${taken_at}::timestamptz is not null
    on conflict (upstream_id, hour) do update set
      checks = h.checks + 1, failed_checks = h.failed_checks + excluded.failed_checks`.execute(db);
}

/** Returns the ID of the upstream with this name; null for none. */
export async function upstreamIdNamed(db: Db | Tx, name: string): Promise<number | null> {
  const row = await db.selectFrom('ai_upstreams').select('id').where('name', '=', name).executeTakeFirst();
  return row?.id ?? null;
}

/** The platform's come first, so that teams can't crowd them out. */
const MAX_ROUTED = 5000;

interface RoutedUpstream extends Pick<
  AiUpstreamRow,
  | 'name'
  | 'url'
  | 'sealed_api_key'
  | 'timeout_seconds'
  | 'evidence_required'
  | 'accepted_app_ids'
  | 'accepted_kms_keys'
> {
  /** Its models: the name in requests, the upstream's name, and the supported endpoints. */
  models: { model: string; name: string; endpoints: AiModelRow['endpoints'] }[];
}

/** Returns the upstreams in use that serve a model in use. */
export async function routedUpstreams(db: Db): Promise<RoutedUpstream[]> {
  const { rows } = await sql<RoutedUpstream>`
    select u.name, u.url, u.sealed_api_key, u.timeout_seconds, u.evidence_required, u.accepted_app_ids,
           u.accepted_kms_keys, jsonb_agg(jsonb_build_object('model', m.model,
             'name', route->>'model', 'endpoints', m.endpoints) order by m.model) as models
    from ai_models m
    cross join lateral jsonb_array_elements(m.upstreams) route
    join ai_upstreams u on u.id = (route->>'upstream_id')::bigint and ${inUse.upstream}
    where ${inUse.model}
    group by u.id order by u.team_id is not null, u.name limit ${sql.lit(MAX_ROUTED)}`.execute(db);
  return rows;
}

/** An upstream with this address, and the models that name it. */
export interface UpstreamAt extends AiUpstreamRow {
  models: string[];
}

/**
 * Returns a team's upstreams with this address, oldest first; locked if `lock` is set.
 * @param team_id null for the platform's
 */
export async function upstreamsAt(
  db: Db | Tx,
  team_id: number | null,
  url: string,
  lock: boolean,
): Promise<UpstreamAt[]> {
  const at = sql`u.url = ${url} and u.team_id is not distinct from ${team_id}::bigint`;
  // Runs first, so that models whose addition held the lock are visible.
  if (lock) await sql`select id from ai_upstreams u where ${at} order by id for update`.execute(db);
  const { rows } = await sql<UpstreamAt>`
    select u.*, array(select m.model from ai_models m
                      where m.upstreams @> jsonb_build_array(jsonb_build_object('upstream_id', u.id)) order by m.model) as models
    from ai_upstreams u where ${at} order by u.id`.execute(db);
  return rows;
}
