import { sql, type RawBuilder } from 'kysely';
import type { AdminAiGateway } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import type { Db, Tx } from '../core/client';
import { AI_HOLD_HOURS } from './aiCharges';
import type { AiGatewayRow } from './aiTables';

export interface AdminAiGatewayRow extends AiGatewayRow {
  request_count: number;
  /** `vm_uuid` of its CVM; null for none, like the next two. */
  cvm_id: string | null;
  cvm_status: AdminAiGateway['cvm_status'];
  team_id: number | null;
  /** This server's URL, for the Compose file. */
  public_url: string;
}

export const adminAiGateways = (public_url: string): AdminListSource<AdminAiGatewayRow> => ({
  fields: {
    id: 'integer',
    name: 'text',
    url: 'text',
    image: 'text',
    state: 'text',
    token_hint: 'text',
    tokens_issued_at: 'time',
    last_seen_at: 'time',
    request_count: 'integer',
    team_id: 'integer',
    cvm_id: 'text',
    cvm_status: 'text',
    compose: 'none',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAiGateway, AdminFieldKind>,
  searched: ['name', 'url'],
  select: sql<AdminAiGatewayRow>`
    select g.*, ${public_url}::text as public_url, v.team_id, v.vm_uuid::text as cvm_id, v.status as cvm_status,
      (select count(*) from ai_consults c
        where c.gateway_id = g.id and c.settled_at > now() - interval '24 hours') as request_count
    from ai_gateways g left join cvms v on v.id = g.deployed_cvm_id and v.deleted_at is null`,
});

export const lockAiGateway = (trx: Tx, id: number): Promise<AiGatewayRow | undefined> =>
  trx.selectFrom('ai_gateways').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Returns the name of a gateway's CVM; null if it has none. */
export async function gatewayCvm(db: Db | Tx, gateway_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('cvms as v')
    .innerJoin('ai_gateways as g', 'g.deployed_cvm_id', 'v.id')
    .select('v.name')
    .where('g.id', '=', gateway_id)
    .where('v.deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.name ?? null;
}

/**
 * Whether the CVM recorded for a gateway belongs to this app. A deleted CVM counts, because replicas may still
 * run the gateway. Apps of the gateway's earlier deployments don't.
 */
export async function runsAiGateway(db: Db | Tx, app_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('ai_gateways as g')
    .innerJoin('cvms as v', 'v.id', 'g.deployed_cvm_id')
    .select('g.id')
    .where('v.app_id', '=', app_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a new app's CVM as a gateway's. */
export async function noteGatewayCvm(trx: Tx, gateway_id: number, app_id: string): Promise<void> {
  await trx
    .updateTable('ai_gateways')
    .set((eb) => ({
      deployed_cvm_id: eb
        .selectFrom('cvms as v')
        .innerJoin('apps as a', 'a.id', 'v.app_id')
        .select('v.id')
        .where('a.app_id', '=', app_id),
    }))
    .where('id', '=', gateway_id)
    .execute();
}

export interface CallingGateway extends Pick<AiGatewayRow, 'id' | 'name' | 'state'> {
  /** Whether its last call was recorded more than a minute ago. */
  stale_seen: boolean;
}

/** Purpose for which a token is presented. */
export type GatewayTask = 'ask' | 'report' | 'configure';

/**
 * Matches the token's gateway. Reports are accepted under the previous token for as long as a request may be in
 * progress.
 */
const tokenFits = (task: GatewayTask, hash: Buffer): RawBuilder<boolean> =>
  task === 'configure'
    ? sql<boolean>`config_hash = ${hash}`
    : task === 'ask'
      ? sql<boolean>`control_hash = ${hash}`
      : sql<boolean>`(control_hash = ${hash} or (previous_control_hash = ${hash}
          and tokens_issued_at > now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)})))`;

/** Returns the gateway with this token. */
export const findAiGateway = (db: Db, task: GatewayTask, hash: Buffer): Promise<CallingGateway | undefined> =>
  db
    .selectFrom('ai_gateways')
    .select(['id', 'name', 'state'])
    .select(sql<boolean>`last_seen_at is null or last_seen_at < now() - interval '1 minute'`.as('stale_seen'))
    .where(tokenFits(task, hash))
    .executeTakeFirst();

export async function noteAiGatewaySeen(db: Db, id: number): Promise<void> {
  await sql`update ai_gateways set last_seen_at = now() where id = ${id}`.execute(db);
}

const MAX_SHOWN = 100;

/** Returns the gateways in use that called in the last ten minutes. */
export const connectedAiGateways = (db: Db): Promise<Pick<AiGatewayRow, 'name' | 'url'>[]> =>
  db
    .selectFrom('ai_gateways')
    .select(['name', 'url'])
    .where('state', '=', 'active')
    .where('last_seen_at', '>', sql<Date>`now() - interval '10 minutes'`)
    .orderBy('name')
    .limit(MAX_SHOWN)
    .execute();

/** Whether requests allowed to a gateway may still be in progress. */
export async function awaitsAiReports(trx: Tx, gateway_id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('ai_consults')
    .select('id')
    .where('gateway_id', '=', gateway_id)
    .where('settled_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
