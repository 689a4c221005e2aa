import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import { notCancellableText } from '../../../console/lib/cvms/notCancellable';
import { cancelling } from '../../domain/activity/cancelling';
import { operationName, operationResult } from '../../../console/lib/cvms/operationWords';
import { Problem } from '../../domain/core/problem';
import { NO_LEASE } from '../core/leases';
import { addEvent, beginOperation, type NewEvent } from './operations';
import type { CvmRow } from '../cvms/cvmsTable';
import type { OperationRow } from './operationsTable';
import { stateBefore } from '../cvms/stateBefore';

/** Maps a row to the facts the cancellation rules read. */
const cancelFacts = (operation: OperationRow) => ({
  ...operation,
  previous: operation.payload.previous ?? null,
  rollout_id: operation.payload.rollout_id ?? null,
});

/** Names the actor when another user cancels, for the member who requested the operation. */
export async function cancelledEvent(
  db: Db | Tx,
  { cvm, operation, by }: { cvm: CvmRow; operation: OperationRow; by: number | null },
): Promise<NewEvent> {
  const who =
    by === null
      ? undefined
      : await db
          .selectFrom('users')
          .select(['public_id', 'username'])
          .where('id', '=', by)
          .executeTakeFirst();
  const other = by !== operation.requested_by && who ? ` by ${who.username}` : '';
  return {
    cvm,
    operation,
    kind: `${operation.type}.cancelled`,
    severity: 'warning',
    message: `${operationResult(operation.type, 'cancelled', operation.payload)}${other}`,
    data: { cancelled_by: who ? { id: who.public_id, username: who.username } : null },
  };
}

/**
 * Cancels a live operation; the caller has locked the CVM and operation. An operation no worker has claimed
 * ends immediately, a deployment through a deletion (`deletion`, to be enqueued). Otherwise the request is
 * recorded and the worker undoes its work. @throws WRONG_STATE with the reason when it can't be canceled
 */
export async function cancelOperationRow(
  trx: Tx,
  { cvm, operation, user_id }: { cvm: CvmRow; operation: OperationRow; user_id: number | null },
): Promise<{ deletion: OperationRow | null }> {
  const name = operationName({ ...operation.payload, type: operation.type });
  const facts = cancelFacts(operation);
  const decision = cancelling(facts);
  if (!decision.possible) {
    const { rollout_id } = operation.payload;
    throw new Problem('WRONG_STATE', {
      message: `The ${name} of “${cvm.name}” can’t be canceled. ${notCancellableText(decision.code, facts)}`,
      details: [
        { field: 'correlation_id', value: operation.correlation_id },
        { field: 'state', value: operation.state },
        ...(rollout_id === undefined ? [] : [{ field: 'rollout_id', value: rollout_id }]),
      ],
      suggestions: [],
    });
  }
  const asked = { cancel_requested_at: new Date(), cancel_requested_by: user_id };
  if (decision.how === 'undo') {
    await trx.updateTable('operations').set(asked).where('id', '=', operation.id).execute();
    await addEvent(trx, {
      cvm,
      operation,
      kind: `${operation.type}.cancel_requested`,
      message: `Canceling: undoing the ${name}`,
    });
    return { deletion: null };
  }
  await trx
    .updateTable('operations')
    .set({ ...asked, state: 'cancelled', finished_at: sql<Date>`now()`, ...NO_LEASE })
    .where('id', '=', operation.id)
    .execute();
  await addEvent(trx, await cancelledEvent(trx, { cvm, operation, by: user_id }));
  if (operation.type === 'deploy')
    return { deletion: await beginOperation(trx, { cvm, type: 'delete', user_id }) };
  await restore(trx, cvm, operation);
  return { deletion: null };
}

/** Restores the CVM's state from before an operation that hasn't done anything yet. */
async function restore(trx: Tx, cvm: CvmRow, operation: OperationRow): Promise<void> {
  await trx
    .updateTable('cvms')
    .set({ ...stateBefore(operation), updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  const { vcpu, memory_mb, disk_gb } = cvm;
  await trx
    .updateTable('reservations')
    .set({ vcpu, memory_mb, disk_gb })
    .where('cvm_id', '=', cvm.id)
    .execute();
}
