import type { Room } from '../../domain/hosts/recycledCapacity';
import { addEvent, beginOperation } from '../activity/operations';
import { appendAudit } from '../audit/auditLog';
import type { Tx } from '../core/client';

interface Queue {
  enqueueOperation: (trx: Tx, correlation_id: string) => Promise<unknown>;
}

/**
 * Begins to purge deleted CVMs. It is recorded for the teams that lose them, who don't learn which team deploys.
 *
 * @returns those that are purged now
 */
export async function purgeForRoom(
  trx: Tx,
  jobs: Queue,
  { purge: ids, teepod_name }: Pick<Room, 'purge' | 'teepod_name'>,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const cvms = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', 'in', ids)
    // A restoration or a purge was faster; it no longer counts on this room.
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
      message: `Destroyed before its time in the recycle bin was over: the host ${teepod_name} needed the capacity`,
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
