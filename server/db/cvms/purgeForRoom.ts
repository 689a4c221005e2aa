import { sql } from 'kysely';
import { roomInBin, type Room } from '../../domain/hosts/recycledCapacity';
import { addEvent, beginOperation } from '../activity/operations';
import { appendAudit } from '../audit/auditLog';
import { withTransaction, type Db, type Tx } from '../core/client';
import { platformSettings } from '../platform/platformSettings';
import { recycledCvmsOn } from './recycledCapacity';

/** Deleted CVMs that one deployment may purge. */
const MAX_PURGES = 20;

interface Queue {
  enqueueOperation: (trx: Tx, correlation_id: string) => Promise<unknown>;
}

/** The request to place, and the hosts that would fit it with more room. */
interface Placement {
  suitable: Parameters<typeof roomInBin>[0];
  wish: Parameters<typeof roomInBin>[1];
}

/**
 * Returns where purging deleted CVMs from the recycle bin would make room; null if it wouldn't, or the administrator
 * doesn't allow it.
 */
export async function roomFor(
  db: Db | Tx,
  team_id: number,
  { suitable, wish }: Placement,
): Promise<Room | null> {
  if (suitable.length === 0) return null;
  const { recycle_bin_gives_way, recycle_bin_min_age_hours } = await platformSettings(db);
  if (!recycle_bin_gives_way) return null;
  const recycled = await recycledCvmsOn(db, {
    teepod_ids: suitable.map(({ teepod_id }) => teepod_id),
    team_id,
    min_age_hours: recycle_bin_min_age_hours,
  });
  const room = roomInBin(suitable, wish, recycled);
  return room === null || room.purge.length > MAX_PURGES ? null : room;
}

/**
 * Starts to purge the oldest deleted CVMs on the host that needs the fewest purges, if that makes room.
 * @returns them and those already being purged; null if it doesn't
 */
export const purgeForRoom = (
  db: Db,
  jobs: Queue,
  team_id: number,
  { suitable, wish }: Placement,
): Promise<{ teepod_name: string; leaving: { id: number; team_id: number }[] } | null> =>
  withTransaction(db, async (trx) => {
    const first = await roomFor(trx, team_id, { suitable, wish });
    if (first === null) return null;
    // Two concurrent deployments must not purge for the same room twice.
    await trx.selectFrom('teepods').select('id').where('id', '=', first.teepod_id).forNoKeyUpdate().execute();
    const host = suitable.filter(({ teepod_id }) => teepod_id === first.teepod_id);
    const room = await roomFor(trx, team_id, { suitable: host, wish });
    if (room === null) return null;
    const purged = await purge(trx, jobs, room);
    const { rows: leaving } = await sql<{ id: number; team_id: number }>`
      select id, team_id from cvms where id = any(${[...purged, ...room.purging]}::bigint[])`.execute(trx);
    return { teepod_name: room.teepod_name, leaving };
  });

/**
 * Starts to purge deleted CVMs. Records it for the teams that lose them, without disclosing the deploying team.
 *
 * @returns those purged now
 */
async function purge(
  trx: Tx,
  jobs: Queue,
  { purge: ids, teepod_name }: Pick<Room, 'purge' | 'teepod_name'>,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const cvms = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', 'in', ids)
    // A restoration or a purge was faster, so it no longer counts for this room.
    .where('status', '=', 'stopped')
    .where('purge_at', 'is not', null)
    .orderBy('deleted_at')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  for (const cvm of cvms) {
    const operation = await beginOperation(trx, { cvm, type: 'purge', user_id: null });
    // If the host refuses now, deletion is retried until it succeeds.
    await trx.updateTable('cvms').set({ purge_at: new Date() }).where('id', '=', cvm.id).execute();
    await addEvent(trx, {
      cvm,
      operation,
      kind: 'cvm.bin_gave_way',
      severity: 'warning',
      message: `Destroyed before its recycle bin period ended: the host ${teepod_name} needed the capacity`,
      data: { purge_at: cvm.purge_at?.toISOString() ?? null },
    });
    await jobs.enqueueOperation(trx, operation.correlation_id);
  }
  await appendAudit(
    trx,
    cvms.map((cvm) => ({
      actor_kind: 'system',
      team_id: cvm.team_id,
      action: 'cvm.bin_gave_way',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, purge_at: cvm.purge_at?.toISOString() ?? null },
      after: { teepod: teepod_name },
    })),
  );
  return cvms.map(({ id }) => id);
}
