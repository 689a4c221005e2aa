import { cancelOperationRow } from '../../db/activity/cancelling';
import { findOperation } from '../../db/activity/operationQueries';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { OperationRow } from '../../db/activity/operationsTable';
import { Problem } from '../../domain/core/problem';
import { decide, subjectOf } from '../../domain/teams/permissions';
import { toOperation } from '../../domain/activity/operationResponse';
import type { Context, Write } from '../types';
import { userOf, teamOf } from '../core/caller';
import { checkMayRun } from '../core/funds';
import { isLive } from '../../../console/lib/cvms/allowedActions';

/**
 * Cancels the operation that `choose` finds under lock and returns its new state. Repeating the request
 * during or after cancellation is no error.
 */
export async function cancel(
  ctx: Context,
  choose: (write: Write) => Promise<{ cvm: CvmRow; operation: OperationRow }>,
) {
  const team = teamOf(ctx);
  const correlation_id = await ctx.write(async (write) => {
    const { cvm, operation } = await choose(write);
    const again =
      operation.state === 'cancelled' || (isLive(operation.state) && operation.cancel_requested_at);
    if (!again) {
      await checkMayCancel(ctx, write, { cvm, operation });
      const { deletion } = await cancelOperationRow(write.trx, { cvm, operation, user_id: userOf(ctx).id });
      if (deletion) await ctx.jobs.enqueueOperation(write.trx, deletion.correlation_id);
    }
    await write.audit({
      action: again ? 'operation.cancel.repeated' : 'operation.cancel',
      target_kind: 'operation',
      target_id: operation.correlation_id,
      before: { type: operation.type, state: operation.state, cvm: cvm.public_id },
    });
    return operation.correlation_id;
  });
  const found = await findOperation(ctx.db, team.id, correlation_id);
  if (!found) throw new Problem('NOT_FOUND', { message: 'The requested operation was not found' });
  return { status: 202 as const, body: toOperation(found) };
}

/** Only members who manage billing may cancel a stop caused by missing funds, once the CVMs may run again. */
async function checkMayCancel(
  ctx: Context,
  { trx }: Write,
  { cvm, operation }: { cvm: CvmRow; operation: OperationRow },
): Promise<void> {
  const cause = operation.payload.stopped_for;
  if (cause === undefined) return;
  if (decide('billing.manage', subjectOf(ctx.caller)) === 'allowed') return checkMayRun(ctx, trx, cvm);
  throw new Problem('FORBIDDEN', {
    message:
      cause === 'debt'
        ? 'This CVM is being stopped because a payment is due. Only members who manage billing can cancel this.'
        : 'This CVM is being stopped because a budget is used up. Only members who manage billing can cancel this.',
    suggestions: ['Ask an owner, an admin or a billing member of the team.'],
  });
}

/** Locks the CVM first, then the operation: the lock order of every change. */
export async function lockOperation(
  trx: Write['trx'],
  key: { operation: number; cvm: number },
): Promise<{ cvm: CvmRow; operation: OperationRow }> {
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', key.cvm)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const operation = await trx
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', key.operation)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { cvm, operation };
}
