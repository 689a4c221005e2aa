import { cancelOperationRow } from '../../db/cancelling';
import { findOperation } from '../../db/operationQueries';
import type { CvmRow, OperationRow } from '../../db/schema';
import { Problem } from '../../domain/problem';
import { toOperation } from '../../domain/wire/operation';
import type { Context, Write } from '../types';
import { personOf, teamOf } from '../shared/caller';

/**
 * Cancels what `choose` finds under lock, and answers the operation as it is then. Asking again while it is being
 * cancelled, or when it has been, is no mistake.
 */
export async function cancel(
  ctx: Context,
  choose: (write: Write) => Promise<{ cvm: CvmRow; operation: OperationRow }>,
) {
  const team = teamOf(ctx);
  const correlation_id = await ctx.write(async (write) => {
    const { cvm, operation } = await choose(write);
    const again = operation.state === 'cancelled' || (isLive(operation) && operation.cancel_requested_at);
    if (!again) {
      const { deletion } = await cancelOperationRow(write.trx, { cvm, operation, user_id: personOf(ctx).id });
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

const isLive = ({ state }: OperationRow) => state === 'queued' || state === 'running';

/** CVM first, then the operation: the order in which every change takes them. */
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
