import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { findCvm } from '../../../db/cvms/cvmLookup';
import { NO_LEASE } from '../../../db/core/leases';
import { addEvent, beginOperation } from '../../../db/activity/operations';
import { CANCELLED_BY_DELETION, isWorthKeeping, moveToBin } from '../../../db/cvms/recycleBin';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { settleMove } from '../../../db/hosts/reservations';
import { Problem } from '../../../domain/core/problem';
import type { Context, Handler } from '../../types';
import { teamOf } from '../../core/caller';

/**
 * How long the reply may wait for the host, so that a deleted CVM is gone for a client that checks right
 * after.
 */
const PATIENCE_MS = 10_000;

/**
 * Moves the CVM to the recycle bin: from this reply on it can't be found, whatever its host still does. A
 * CVM that never ran, or is deleted `permanently`, is removed with its disk. Any operation in progress is
 * canceled first, so that a hanging deployment can't block deletion.
 */
export const deleteCvm: Handler<'deleteCvm'> = async ({ path, query, ctx }) => {
  const team = teamOf(ctx);
  const removed = await ctx.write(async ({ trx, audit }) => {
    const { cvm, operation } = await findCvm(trx, team.id, path.cvm_id, { lock: true });
    if (cvm.protected) throw protectedCvm(cvm);
    if (operation?.type === 'delete') {
      throw new Problem('OPERATION_IN_PROGRESS', {
        message: `“${cvm.name}” is already being deleted.`,
        details: [{ field: 'correlation_id', value: operation.correlation_id }],
      });
    }
    if (operation) {
      await trx
        .updateTable('operations')
        .set({
          state: 'cancelled',
          finished_at: new Date(),
          ...NO_LEASE,
          error_message: CANCELLED_BY_DELETION,
        })
        .where('id', '=', operation.id)
        .execute();
      // Nothing else releases what the move reserved on the other host.
      if (operation.type === 'move') await settleMove(trx, cvm.id);
      await addEvent(trx, {
        cvm,
        operation,
        kind: `${operation.type}.cancelled`,
        severity: 'warning',
        message: `Canceled: the CVM is being deleted`,
      });
    }
    const recycle = query.permanently !== true && (await isWorthKeeping(trx, cvm));
    const deletion = await beginOperation(trx, {
      cvm,
      type: 'delete',
      payload: { recycle },
      user_id: ctx.caller.user?.id ?? null,
    });
    const purge_at = recycle ? await moveToBin(trx, cvm) : null;
    await ctx.jobs.enqueueOperation(trx, deletion.correlation_id);
    await audit({
      action: 'cvm.delete',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, status: cvm.status },
      after: { correlation_id: deletion.correlation_id, purge_at: purge_at?.toISOString() ?? null },
    });
    return recycle ? null : cvm.id;
  });
  if (removed !== null) await gone(ctx, team.id, removed);
  return { status: 204 };
};

export const protectedCvm = ({ name }: Pick<CvmRow, 'name'>) =>
  new Problem('CVM_PROTECTED', {
    message: `“${name}” has deletion protection.`,
    suggestions: ["Turn off deletion protection in the CVM's settings, then delete it."],
  });

/** Waits briefly until the host has removed it; if that takes longer, the deletion still continues. */
export async function gone(ctx: Context, team_id: number, cvm_id: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  let wake: () => void = () => undefined;
  let stopped = false;
  const unsubscribe = ctx.events.subscribe(team_id, (notice) => {
    if (notice === 'stopped') stopped = true;
    if (typeof notice === 'string' || notice.cvm_id === cvm_id) wake();
  });
  try {
    while (Date.now() < until && !stopped && !ctx.signal.aborted) {
      const notified = new Promise<void>((resolve) => (wake = resolve));
      const { rows } = await sql<{ ended: boolean }>`
        select c.status in ('deleted', 'error') as ended from cvms c where c.id = ${cvm_id}`.execute(ctx.db);
      if (rows[0]?.ended) return;
      await Promise.race([notified, wait(1_000)]);
    }
  } finally {
    unsubscribe();
  }
}
