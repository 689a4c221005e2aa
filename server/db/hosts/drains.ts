import { sql } from 'kysely';
import { mayMoveEach, type MovableFacts } from '../../domain/cvms/movable';
import type { Db, Tx } from '../core/client';
import { inStates, leasesOf } from '../core/leases';
import type { CvmRow } from '../cvms/cvmsTable';
import type { DrainAction, DrainCvmRow } from './drainCvmsTable';
import type { DrainRow } from './drainsTable';
import { GOING_DRAIN_CVM, LIVE_DRAIN } from '../../../console/lib/hosts/allowedActions';
import { isIn } from '../core/states';
import type { TextKey } from '../../../generated/api/types.gen';

const MAX_CVMS = 5000;

/** `seconds`: the longest a worker may take for one pass over a drain. */
export const drainLeases = leasesOf({ table: 'drains', open: inStates(...LIVE_DRAIN), seconds: 30 });

/** Returns the host's drain that hasn't ended; there is at most one. */
export const liveDrain = (db: Db, teepod_id: number) =>
  db
    .selectFrom('drains')
    .selectAll()
    .where('teepod_id', '=', teepod_id)
    .where('state', 'in', LIVE_DRAIN)
    .executeTakeFirst();

/**
 * Adds the host's CVMs that the drain doesn't know yet: all at its start, later those whose deployment was in
 * progress.
 */
export async function addCvmsToDrain(
  trx: Tx,
  drain: Pick<DrainRow, 'id' | 'teepod_id' | 'movable' | 'others'>,
  decided: ReadonlyMap<string, DrainAction> = new Map(),
): Promise<number> {
  const { rows } = await sql<MovableFacts & { id: number; vm_uuid: string }>`
    select c.id, c.vm_uuid, c.movable, c.protected,
           r.docker_compose_file, r.pre_launch_script
    from cvms c join revisions r on r.id = c.revision_id
    where c.teepod_id = ${drain.teepod_id} and c.deleted_at is null
      and not exists (select 1 from drain_cvms i where i.drain_id = ${drain.id} and i.cvm_id = c.id)
    order by c.id limit ${MAX_CVMS}`.execute(trx);
  if (rows.length === 0) return 0;
  const cvms = await mayMoveEach(rows);
  await trx
    .insertInto('drain_cvms')
    .values(
      cvms.map(({ cvm, allowed }) => ({
        drain_id: drain.id,
        cvm_id: cvm.id,
        action: decided.get(cvm.vm_uuid) ?? (allowed ? drain.movable : drain.others),
      })),
    )
    .onConflict((conflict) => conflict.columns(['drain_id', 'cvm_id']).doNothing())
    .execute();
  return rows.length;
}

export interface DrainPlanRow extends MovableFacts {
  vm_uuid: string;
  name: string;
  team_name: string;
  team_slug: string;
  status: string;
  total: number;
}

/** Returns the CVMs that a drain of the teepod would affect, by team; `total` counts all of them. */
export async function drainPlan(db: Db, teepod_id: number): Promise<DrainPlanRow[]> {
  const { rows } = await sql<DrainPlanRow>`
    select c.vm_uuid, c.name, t.name as team_name, t.slug as team_slug, c.status, c.movable, c.protected,
           r.docker_compose_file, r.pre_launch_script, (count(*) over ())::int as total
    from cvms c join revisions r on r.id = c.revision_id join teams t on t.id = c.team_id
    where c.teepod_id = ${teepod_id} and c.deleted_at is null
    order by t.name, t.slug, c.name, c.id limit ${MAX_CVMS}`.execute(db);
  return rows;
}

/** Returns the facts that decide whether the CVM may be moved. */
export async function movableFacts(db: Db, cvm_id: number): Promise<MovableFacts> {
  const { rows } = await sql<MovableFacts>`
    select c.movable, c.protected, r.docker_compose_file, r.pre_launch_script
    from cvms c join revisions r on r.id = c.revision_id
    where c.id = ${cvm_id}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error(`there is no CVM ${cvm_id}`);
  return facts;
}

/** Stopped by the drain itself. CVMs that were already stopped have no operation of the drain. */
export const stoppedByIt = sql`state = 'stopped' and operation_id is not null`;
export const stoppedBefore = sql`state = 'stopped' and operation_id is null`;

/**
 * Returns the CVMs due now, and those a user started again after the drain stopped them. The longest due come first: a
 * pass that ends early, or takes longer than their pauses, would otherwise never reach the last ones.
 */
export async function dueDrainCvms(db: Db, drain_id: number): Promise<(DrainCvmRow & { app_id: number })[]> {
  const { rows } = await sql<DrainCvmRow & { app_id: number }>`
    select i.*, c.app_id from drain_cvms i join drains d on d.id = i.drain_id join cvms c on c.id = i.cvm_id
    where i.drain_id = ${drain_id} and (
      i.state in ('moving', 'stopping') or (i.state in ('waiting', 'blocked') and i.look_at <= now())
      or (i.state = 'stopped' and c.teepod_id = d.teepod_id and c.desired = 'running' and c.deleted_at is null))
    order by i.state in ('moving', 'stopping') desc, i.look_at, i.id limit ${MAX_CVMS}`.execute(db);
  return rows;
}

export interface DrainTally {
  /** Waiting, moving or stopping. */
  going: number;
  blocked: number;
  moved: number;
  /** Stopped by the drain; excludes those already stopped. */
  stopped: number;
  /** The first that block it, with the reason. */
  blocking: { name: string; keys: TextKey[]; text: string }[];
}

export async function drainTally(trx: Tx, drain_id: number): Promise<DrainTally> {
  const { rows } = await sql<DrainTally>`
    select count(*) filter (where ${isIn('state', GOING_DRAIN_CVM)})::int as going,
      count(*) filter (where state = 'blocked')::int as blocked,
      count(*) filter (where state = 'moved')::int as moved,
      count(*) filter (where ${stoppedByIt})::int as stopped,
      coalesce((select json_agg(json_build_object('name', b.name, 'keys', b.keys, 'text', b.text)) from (
        select c.name, i.message_keys as keys, coalesce(i.message, '') as text from drain_cvms i join cvms c on c.id = i.cvm_id
        where i.drain_id = ${drain_id} and i.state = 'blocked' order by i.id limit 3) b), '[]') as blocking
    from drain_cvms where drain_id = ${drain_id}`.execute(trx);
  return rows[0] ?? { going: 0, blocked: 0, moved: 0, stopped: 0, blocking: [] };
}

/**
 * Returns the CVMs that the host's last drain stopped and nobody has touched since, locked, so that they can
 * be started again.
 */
export async function stoppedByDrain(trx: Tx, teepod_id: number): Promise<CvmRow[]> {
  const { rows } = await sql<CvmRow>`
    select c.* from drain_cvms i join cvms c on c.id = i.cvm_id
    where i.drain_id = (select max(id) from drains where teepod_id = ${teepod_id})
      and i.state in ('stopped', 'cancelled') and i.operation_id is not null
      and c.teepod_id = ${teepod_id} and c.deleted_at is null and c.status = 'stopped' and c.desired = 'stopped'
      and not exists (select 1 from operations o where o.cvm_id = c.id and o.id > i.operation_id)
    order by c.id limit ${MAX_CVMS} for update of c`.execute(trx);
  return rows;
}
