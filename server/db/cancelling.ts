import type { Tx } from './client';
import { cancelling } from '../domain/cancelling';
import { operationNames, type CvmDesired, type CvmStatus } from '../domain/cvmStates';
import { Problem } from '../domain/problem';
import { addEvent, beginOperation, type NewEvent } from './operations';
import type { CvmRow, OperationRow } from './schema';

/** What the rules of cancelling look at, from a row. */
export const cancelFacts = (operation: OperationRow) => ({
  ...operation,
  previous: operation.payload.previous ?? null,
  rollout_id: operation.payload.rollout_id ?? null,
});

/** Somebody else's doing is said by name, for who asked for the operation. */
export async function cancelledEvent(
  trx: Tx,
  { cvm, operation, by }: { cvm: CvmRow; operation: OperationRow; by: number | null },
): Promise<NewEvent> {
  const who =
    by === null
      ? undefined
      : await trx
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
    message: `${operationNames[operation.type]} cancelled${other}`,
    data: { cancelled_by: who ? { id: who.public_id, username: who.username } : null },
  };
}

/**
 * Cancels a live operation; CVM and operation are locked by the caller. What nobody has begun ends at once, a deployment
 * by a deletion (`deletion`, to be enqueued); the rest is noted, and its worker takes back what it did.
 * @throws WRONG_STATE saying why, when it cannot be cancelled
 */
export async function cancelOperationRow(
  trx: Tx,
  { cvm, operation, user_id }: { cvm: CvmRow; operation: OperationRow; user_id: number | null },
): Promise<{ deletion: OperationRow | null }> {
  const decision = cancelling(cancelFacts(operation));
  if (!decision.possible) {
    const { rollout_id } = operation.payload;
    throw new Problem('WRONG_STATE', {
      message: `The ${operation.type} of “${cvm.name}” cannot be cancelled. ${decision.reason}`,
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
      message: `Cancelling: what the ${operation.type} did is being taken back`,
    });
    return { deletion: null };
  }
  await trx
    .updateTable('operations')
    .set({ ...asked, state: 'cancelled', finished_at: new Date(), lease_owner: null, lease_until: null })
    .where('id', '=', operation.id)
    .execute();
  await addEvent(trx, await cancelledEvent(trx, { cvm, operation, by: user_id }));
  if (operation.type === 'deploy')
    return { deletion: await beginOperation(trx, { cvm, type: 'delete', user_id }) };
  await restore(trx, cvm, operation);
  return { deletion: null };
}

/** The CVM is again what it was before an operation that did nothing yet. */
async function restore(trx: Tx, cvm: CvmRow, { payload }: OperationRow): Promise<void> {
  const { previous } = payload;
  await trx
    .updateTable('cvms')
    .set({
      ...(previous
        ? { status: previous.status as CvmStatus, desired: previous.desired as CvmDesired }
        : { status: 'error' as const }),
      status_reason: null,
      updated_at: new Date(),
    })
    .where('id', '=', cvm.id)
    .execute();
  const { vcpu, memory_mb, disk_gb } = cvm;
  await trx
    .updateTable('reservations')
    .set({ vcpu, memory_mb, disk_gb })
    .where('cvm_id', '=', cvm.id)
    .execute();
}
