import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { findCvm } from '../../db/cvmLookup';
import { addEvent, beginOperation } from '../../db/operations';
import { Problem } from '../../domain/problem';
import type { Context, Handler } from '../types';
import { teamOf } from '../shared/caller';

/** How long the reply may wait for the host, so that a client that asks right after finds it gone. */
const PATIENCE_MS = 10_000;

/**
 * Removes the CVM with its disk. Whatever runs on it is cancelled first: a deployment that hangs must not keep anyone
 * from getting rid of it. The reply waits a little for the host; if it takes longer the deletion goes on all the same.
 */
export const deleteCvm: Handler<'deleteCvm'> = async ({ path, ctx }) => {
  const team = teamOf(ctx);
  const cvm_id = await ctx.write(async ({ trx, audit }) => {
    const { cvm, operation } = await findCvm(trx, team.id, path.cvm_id, { lock: true });
    if (operation?.type === 'delete') {
      throw new Problem('OPERATION_IN_PROGRESS', {
        message: `“${cvm.name}” is being deleted already.`,
        details: [{ field: 'correlation_id', value: operation.correlation_id }],
      });
    }
    if (operation) {
      await trx
        .updateTable('operations')
        .set({
          state: 'cancelled',
          finished_at: new Date(),
          lease_owner: null,
          lease_until: null,
          error_message: 'The CVM was deleted.',
        })
        .where('id', '=', operation.id)
        .execute();
      await addEvent(trx, {
        cvm,
        operation,
        kind: `${operation.type}.cancelled`,
        severity: 'warning',
        message: `Cancelled: the CVM is being deleted`,
      });
    }
    const deletion = await beginOperation(trx, { cvm, type: 'delete', user_id: ctx.caller.user?.id ?? null });
    await ctx.jobs.enqueueOperation(trx, deletion.correlation_id);
    await audit({
      action: 'cvm.delete',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, status: cvm.status },
      after: { correlation_id: deletion.correlation_id },
    });
    return cvm.id;
  });
  await gone(ctx, team.id, cvm_id);
  return { status: 204 };
};

async function gone(ctx: Context, team_id: number, cvm_id: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  let wake: () => void = () => undefined;
  let stopped = false;
  const unsubscribe = ctx.events.subscribe(team_id, (notice) => {
    if (notice === 'stopped') stopped = true;
    if (typeof notice === 'string' || notice.cvm_id === cvm_id) wake();
  });
  try {
    while (Date.now() < until && !stopped && !ctx.signal.aborted) {
      const told = new Promise<void>((resolve) => (wake = resolve));
      const { rows } = await sql<{ ended: boolean }>`
        select c.deleted_at is not null or c.status = 'error' as ended from cvms c where c.id = ${cvm_id}`.execute(
        ctx.db,
      );
      if (rows[0]?.ended) return;
      await Promise.race([told, wait(1_000)]);
    }
  } finally {
    unsubscribe();
  }
}
