import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { AiModelRow, AiUpstreamRow } from './aiTables';
import { toJson } from '../core/json';

const MAX_LISTED = 500;

/** A model offered by a team to its own keys, with its model server. */
export interface TeamModel
  extends Omit<AiModelRow, 'public_id'>, Pick<AiUpstreamRow, 'url' | 'health' | 'last_error' | 'checked_at'> {
  public_id: string;
  upstream_id: number;
  upstream_state: AiUpstreamRow['state'];
  app_id: string;
  app_name: string;
  /** Since when its app has no CVM. */
  archived_at: Date | null;
}

const models = (team_id: number, more = sql``) => sql<TeamModel>`
  select m.*, u.id as upstream_id, u.url, u.state as upstream_state, u.health, u.last_error, u.checked_at,
         a.app_id, a.name as app_name, a.archived_at
  from ai_models m
  join ai_upstreams u on u.id = (m.upstreams->0->>'upstream_id')::bigint and u.team_id = m.team_id
  join apps a on a.id = u.app_id
  where m.team_id = ${team_id} ${more}`;

export const listTeamModels = async (db: Db, team_id: number): Promise<TeamModel[]> =>
  (await models(team_id, sql`order by m.model limit ${sql.lit(MAX_LISTED)}`).execute(db)).rows;

/** Locked until the transaction ends: of two concurrent changes, the second builds on the first. */
export const lockTeamModel = async (
  trx: Tx,
  team_id: number,
  public_id: string,
): Promise<TeamModel | undefined> =>
  (await models(team_id, sql`and m.public_id = ${public_id} for update of m`).execute(trx)).rows[0];

export async function countTeamModels(trx: Tx, team_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('ai_models')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  return n;
}

/** What a team can change. */
type TeamModelValues = Pick<
  AiModelRow,
  'name' | 'description' | 'context_length' | 'endpoints' | 'input_modalities' | 'output_modalities'
>;

type NewTeamModel = TeamModelValues & {
  model: string;
  public_id: string;
  team_id: number;
  upstream_id: number;
  served_name: string;
};

/** Adds a model without a price per token, because its team pays for the CVM. */
export async function insertTeamModel(
  trx: Tx,
  { upstream_id, served_name, ...model }: NewTeamModel,
): Promise<void> {
  await trx
    .insertInto('ai_models')
    .values({
      ...model,
      state: 'team',
      input_price_micros: 0,
      cached_input_price_micros: 0,
      output_price_micros: 0,
      upstreams: toJson([{ upstream_id, model: served_name }]),
    })
    .execute();
}

export async function changeTeamModel(
  trx: Tx,
  { id, team_id }: Pick<TeamModel, 'id' | 'team_id'>,
  change: Partial<TeamModelValues & Pick<AiModelRow, 'updated_at'>>,
): Promise<void> {
  await trx
    .updateTable('ai_models')
    .set(change)
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .execute();
}

/** Deletes a model with its upstream, including the API key stored there. */
export async function deleteTeamModel(
  trx: Tx,
  { id, team_id, upstream_id }: Pick<TeamModel, 'id' | 'team_id' | 'upstream_id'>,
): Promise<void> {
  await trx.deleteFrom('ai_models').where('id', '=', id).where('team_id', '=', team_id).execute();
  await deleteTeamUpstreams(trx, team_id, [upstream_id]);
}

/** Deletes upstreams of the team's models, with their API keys. */
export const deleteTeamUpstreams = (trx: Tx, team_id: number | null, ids: readonly number[]) =>
  trx
    .deleteFrom('ai_upstreams')
    .where('id', 'in', [...ids])
    .where('team_id', '=', team_id)
    .execute();
