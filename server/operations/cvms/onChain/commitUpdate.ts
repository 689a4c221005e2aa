import { problemCodes } from '../../../../generated/api/permissions.gen';
import {
  commitOf,
  endApproval,
  isAlive,
  recordCommit,
  secretsChangedSince,
  waitingForHash,
} from '../../../db/apps/approvals';
import type { ApprovalRow } from '../../../db/apps/approvalsTable';
import { findCvm } from '../../../db/cvms/cvmLookup';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context, Write } from '../../types';
import { changeCvm } from '../settings/change';
import type { Confirmation } from './gate';
import { supersededBy } from './superseded';

/**
 * Carries out a stored update once the contract allows it. Repeated or concurrent commits return the operation it
 * became.
 * @param ctx of the approval's team @throws HASH_INVALID_OR_EXPIRED if that operation has failed
 */
export async function commitUpdate(
  ctx: Context,
  approval: ApprovalRow,
  confirms: Confirmation | null,
): Promise<{ correlation_id: string }> {
  if (approval.correlation_id !== null) return outcomeOf(ctx, approval.correlation_id);
  const { vm_uuid } = await ctx.db
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('id', '=', approval.cvm_id)
    .executeTakeFirstOrThrow();
  const committed = changeCvm(ctx, {
    cvm_id: vm_uuid,
    type: 'update',
    user_id: approval.requested_by,
    size: approval.payload.size,
    listed: approval.payload.listed,
    confirms: {
      compose_hash: confirms?.compose_hash ?? approval.compose_hash,
      transaction_hash: confirms?.transaction_hash ?? null,
    },
    async payload(row, write) {
      await takeApproval(write, approval, row.revision.id);
      return approval.payload.operation ?? {};
    },
    async reply(_row, { correlation_id }, { trx }) {
      await recordCommit(trx, approval.id, correlation_id);
      return { correlation_id };
    },
  });
  return committed.catch(async (error: unknown) => {
    // Another request was faster.
    const correlation_id = await commitOf(ctx.db, approval.id);
    if (correlation_id === null) throw stillWaiting(error);
    return outcomeOf(ctx, correlation_id);
  });
}

const FOR_MONEY = ['INSUFFICIENT_BALANCE', 'BUDGET_USED_UP'] as const;

/**
 * Adds to a funds or budget refusal that the approved change isn't lost: funds are checked at commit, which may
 * be days after preparation, and the member who paid for the contract's transaction must not have to repeat it.
 */
export function stillWaiting(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const name = FOR_MONEY.find((one) => problemCodes[one] === error.code);
  if (name === undefined) return error;
  const message = `${error.message} Nothing was changed. The change is still pending and can be committed again.`;
  return new Problem(name, { ...error.info, message });
}

/**
 * A client that waits for a failed operation, or repeats its commit, must not be answered as if it were in
 * progress.
 */
async function outcomeOf(ctx: Context, correlation_id: string): Promise<{ correlation_id: string }> {
  const operation = await ctx.db
    .selectFrom('operations')
    .select(['state', 'error_message'])
    .where('correlation_id', '=', correlation_id)
    .executeTakeFirst();
  if (operation?.state !== 'failed' && operation?.state !== 'cancelled') return { correlation_id };
  const failed = `The change was committed, but its operation failed: ${operation.error_message ?? 'no reason is known'}`;
  throw new Problem('HASH_INVALID_OR_EXPIRED', {
    message:
      operation.state === 'failed' ? failed : 'The change was committed, but its operation was canceled.',
    details: [{ field: 'correlation_id', value: correlation_id }],
    suggestions: ['Prepare the change again.'],
  });
}

/** Like `commitUpdate`, for a client that names the compose hash instead of a token. */
export async function commitWaitingHash(
  ctx: Context,
  cvm_id: string,
  confirms: Confirmation,
): Promise<{ correlation_id: string }> {
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, cvm_id);
  const approval =
    confirms.compose_hash === null
      ? undefined
      : await waitingForHash(ctx.db, cvm.id, 'update', confirms.compose_hash);
  if (!approval) throw expired();
  return commitUpdate(ctx, approval, confirms);
}

/**
 * Ends an approval when its change is applied. @param revision_id the CVM's current revision
 * @throws HASH_INVALID_OR_EXPIRED
 */
export async function takeApproval(
  { trx }: Write,
  approval: ApprovalRow,
  revision_id: number,
): Promise<void> {
  if (!isAlive(approval) || !(await endApproval(trx, approval.id))) throw expired();
  if (approval.base_revision_id !== revision_id)
    throw new Problem('HASH_INVALID_OR_EXPIRED', {
      message: supersededBy('revision'),
      suggestions: ['Prepare the change again.'],
    });
  if (approval.payload.operation?.encrypted_env !== undefined && (await secretsChangedSince(trx, approval)))
    throw new Problem('HASH_INVALID_OR_EXPIRED', {
      message: supersededBy('secrets'),
      suggestions: ['Prepare the change again, including its secrets.'],
    });
}

export const expired = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message:
      'No change is waiting under this token or compose hash. It may have expired, or a newer one replaced it.',
    suggestions: ['Send the change itself again.'],
  });
