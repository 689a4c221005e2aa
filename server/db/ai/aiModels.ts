import { sql } from 'kysely';
import type { AdminAiModel } from '../../../generated/api/types.gen';
import { ECHO, type ServedModel } from '../../domain/ai/models';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import { prepared, type Db, type Tx } from '../core/client';
import type { AiModelRow, AiUpstreamRow } from './aiTables';

const MAX_MODELS = 499;

/** An upstream of a model, as the gateway calls it. */
export interface AiRoute extends Pick<
  AiUpstreamRow,
  | 'id'
  | 'name'
  | 'url'
  | 'sealed_api_key'
  | 'max_concurrency'
  | 'timeout_seconds'
  | 'health'
  | 'evidence_required'
  | 'accepted_app_ids'
  | 'accepted_kms_keys'
> {
  /** The model's name at the upstream. */
  model: string;
}

export interface RoutedModel extends ServedModel {
  /** Preferred one first; empty for the built-in model. */
  routes: AiRoute[];
}

export const BUILT_IN: RoutedModel = { ...ECHO, routes: [] };

type Stored = Omit<AiModelRow, 'id' | 'public_id' | 'upstreams' | 'state' | 'updated_at'> & {
  routes: AiRoute[];
};

const served = ({ model, ...row }: Stored): RoutedModel => ({
  id: model,
  name: row.name,
  description: row.description,
  context_length: row.context_length,
  endpoints: row.endpoints,
  input_modalities: row.input_modalities,
  output_modalities: row.output_modalities,
  prices: {
    input: row.input_price_micros,
    cached_input: row.cached_input_price_micros,
    output: row.output_price_micros,
  },
  is_built_in: false,
  is_in_tee: row.routes.every(({ evidence_required }) => evidence_required),
  team_id: row.team_id,
  created_at: row.created_at,
  routes: row.routes,
});

type VersionedModel = Stored & { catalog_version: number };

/**
 * Whether models `m` are in use, and their upstreams `u`. A team's own are in use while its app has a CVM:
 * after that nothing is sent to the address.
 */
export const inUse = {
  model: sql<boolean>`m.state = case when m.team_id is null then 'active' else 'team' end`,
  upstream: sql<boolean>`u.state = 'active' and u.team_id is not distinct from m.team_id
    and (u.app_id is null or exists (select from apps a where a.id = u.app_id and a.archived_at is null))`,
};

/**
 * Selects models with an upstream in use that a team's keys can use: the team's own first, then the platform's.
 * Each has the version of all models and upstreams.
 * @param team_id null for the platform's alone
 */
const offered = (team_id: number | null, condition = sql`true`) => sql<VersionedModel>`${prepared}
  select (select version from ai_catalog) as catalog_version, m.model, m.name, m.description, m.context_length, m.endpoints,
         m.input_modalities, m.output_modalities, m.input_price_micros,
         m.cached_input_price_micros, m.output_price_micros, m.team_id, m.created_at, r.routes
  from ai_models m
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'url', u.url, 'sealed_api_key', u.sealed_api_key,
             'max_concurrency', u.max_concurrency, 'timeout_seconds', u.timeout_seconds, 'health', u.health,
             'evidence_required', u.evidence_required,
             'accepted_app_ids', u.accepted_app_ids, 'accepted_kms_keys', u.accepted_kms_keys, 'model', e.route->>'model') order by e.position) as routes
    from jsonb_array_elements(m.upstreams) with ordinality e (route, position)
    join ai_upstreams u on u.id = (e.route->>'upstream_id')::bigint and ${inUse.upstream}
  ) r
  where ${inUse.model} and (m.team_id is null or m.team_id = ${team_id}::bigint) and r.routes is not null and ${condition}
  order by m.team_id nulls last, m.model limit ${sql.lit(MAX_MODELS)}`;

/**
 * Returns the models that the gateway offers to a team's keys, the built-in one first.
 * @param team_id null when the team is unknown: models of every team
 */
export async function offeredModels(db: Db, team_id: number | null): Promise<RoutedModel[]> {
  const { rows } = await offered(team_id).execute(db);
  return [BUILT_IN, ...rows.map(served)];
}

export interface FoundModel {
  model: RoutedModel;
  /** Version of all models and upstreams when this was read. */
  catalog_version: number;
}

/** Returns a model that a team's keys can use. */
export async function findModel(db: Db, team_id: number, id: string): Promise<FoundModel | undefined> {
  // PostgreSQL's text can't contain it.
  if (id.includes('\0')) return undefined;
  const { rows } = await offered(team_id, sql`m.model = ${id}`).execute(db);
  return rows.map(({ catalog_version, ...row }) => ({ catalog_version, model: served(row) }))[0];
}

export const adminAiModels: AdminListSource<AiModelRow> = {
  fields: {
    id: 'integer',
    model: 'text',
    team_id: 'integer',
    name: 'text',
    description: 'none',
    context_length: 'integer',
    endpoints: 'none',
    input_modalities: 'none',
    output_modalities: 'none',
    input_price: 'money',
    cached_input_price: 'money',
    output_price: 'money',
    upstreams: 'none',
    state: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAiModel, AdminFieldKind>,
  searched: ['model', 'name'],
  select: sql<AiModelRow>`
    select m.*, m.input_price_micros as input_price, m.cached_input_price_micros as cached_input_price,
           m.output_price_micros as output_price
    from ai_models m`,
};

export const lockAiModel = (trx: Tx, id: number): Promise<AiModelRow | undefined> =>
  trx.selectFrom('ai_models').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
