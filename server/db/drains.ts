import { sql } from 'kysely';
import { mayMove, type MovableFacts } from '../domain/movable';
import type { Db, Tx } from './client';
import { leasesOf } from './leases';
import type { CvmRow } from './schema';
import type { DrainAction, DrainCvmRow, DrainRow } from './schemaFleet';

const LIVE = ['running', 'blocked'] as const;
const MOST_CVMS = 5000;

/** `seconds`: the longest one look of a worker at a drain may take. */
export const drainLeases = leasesOf({ table: 'drains', live: LIVE, seconds: 30 });

/** The drain, locked, as it is now; undefined when another worker has it, or it has ended. */
export const lockDrain = (trx: Tx, id: number, owner: string) =>
  trx
    .selectFrom('drains')
    .selectAll()
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('state', 'in', [...LIVE])
    .forUpdate()
    .executeTakeFirst();

/** The host's drain that has not ended; one at most. */
export const liveDrain = (db: Db, teepod_id: number) =>
  db
    .selectFrom('drains')
    .selectAll()
    .where('teepod_id', '=', teepod_id)
    .where('state', 'in', [...LIVE])
    .executeTakeFirst();

/** CVMs of the host that the drain does not know yet: all at its begin, later those whose deployment was under way. */
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
    order by c.id limit ${MOST_CVMS}`.execute(trx);
  if (rows.length === 0) return 0;
  await trx
    .insertInto('drain_cvms')
    .values(
      rows.map((cvm) => ({
        drain_id: drain.id,
        cvm_id: cvm.id,
        action: decided.get(cvm.vm_uuid) ?? (mayMove(cvm).allowed ? drain.movable : drain.others),
      })),
    )
    .onConflict((conflict) => conflict.columns(['drain_id', 'cvm_id']).doNothing())
    .execute();
  return rows.length;
}

/** What decides whether the CVM may be moved. */
export async function movableFacts(db: Db, cvm_id: number): Promise<MovableFacts> {
  const { rows } = await sql<MovableFacts>`
    select c.movable, c.protected, r.docker_compose_file, r.pre_launch_script
    from cvms c join revisions r on r.id = c.revision_id
    where c.id = ${cvm_id}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error(`there is no CVM ${cvm_id}`);
  return facts;
}

/** Those worth a look now, and those somebody started again after they were stopped. */
export async function dueDrainCvms(db: Db, drain_id: number): Promise<(DrainCvmRow & { app_id: number })[]> {
  const { rows } = await sql<DrainCvmRow & { app_id: number }>`
    select i.*, c.app_id from drain_cvms i join drains d on d.id = i.drain_id join cvms c on c.id = i.cvm_id
    where i.drain_id = ${drain_id} and (
      i.state in ('moving', 'stopping') or (i.state in ('waiting', 'blocked') and i.look_at <= now())
      or (i.state = 'stopped' and c.teepod_id = d.teepod_id and c.desired = 'running' and c.deleted_at is null))
    order by i.state in ('moving', 'stopping') desc, i.id limit ${MOST_CVMS}`.execute(db);
  return rows;
}

export interface DrainTally {
  /** Waiting, moving or stopping. */
  going: number;
  blocked: number;
  moved: number;
  stopped: number;
  /** The first that block it, with why. */
  blocking: { name: string; message: string }[];
}

export async function drainTally(trx: Tx, drain_id: number): Promise<DrainTally> {
  const { rows } = await sql<DrainTally>`
    select count(*) filter (where state in ('waiting', 'moving', 'stopping'))::int as going,
      count(*) filter (where state = 'blocked')::int as blocked,
      count(*) filter (where state = 'moved')::int as moved,
      count(*) filter (where state = 'stopped')::int as stopped,
      coalesce((select json_agg(json_build_object('name', b.name, 'message', b.message)) from (
        select c.name, coalesce(i.message, '') as message from drain_cvms i join cvms c on c.id = i.cvm_id
        where i.drain_id = ${drain_id} and i.state = 'blocked' order by i.id limit 3) b), '[]') as blocking
    from drain_cvms where drain_id = ${drain_id}`.execute(trx);
  return rows[0] ?? { going: 0, blocked: 0, moved: 0, stopped: 0, blocking: [] };
}

/** What the host's last drain stopped and nobody has touched since, locked: to be started again. */
export async function stoppedByDrain(trx: Tx, teepod_id: number): Promise<CvmRow[]> {
  const { rows } = await sql<CvmRow>`
    select c.* from drain_cvms i join cvms c on c.id = i.cvm_id
    where i.drain_id = (select max(id) from drains where teepod_id = ${teepod_id})
      and i.state in ('stopped', 'cancelled') and i.operation_id is not null
      and c.teepod_id = ${teepod_id} and c.deleted_at is null and c.status = 'stopped' and c.desired = 'stopped'
      and not exists (select 1 from operations o where o.cvm_id = c.id and o.id > i.operation_id)
    order by c.id limit ${MOST_CVMS} for update of c`.execute(trx);
  return rows;
}
