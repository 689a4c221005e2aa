import {
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

/**
 * Carries out a stored update once the contract allows it. Committing it again returns the operation it became.
 * @param ctx of the approval's team
 */
export async function commitUpdate(
  ctx: Context,
  approval: ApprovalRow,
  confirms: Confirmation | null,
): Promise<{ correlation_id: string }> {
  if (approval.correlation_id !== null) return { correlation_id: approval.correlation_id };
  const { vm_uuid } = await ctx.db
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('id', '=', approval.cvm_id)
    .executeTakeFirstOrThrow();
  return changeCvm(ctx, {
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
}

/** The same for a client that names the compose hash instead of a token. */
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
 * Ends an approval, for the change it stands for. @param revision_id what the CVM runs now
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
      message: 'The CVM has been updated since this change was prepared.',
      suggestions: ['Prepare the change again.'],
    });
  if (approval.payload.operation?.encrypted_env !== undefined && (await secretsChangedSince(trx, approval)))
    throw new Problem('HASH_INVALID_OR_EXPIRED', {
      message:
        'Secrets have been updated since this change was prepared, and it would bring back the older ones.',
      suggestions: ['Prepare the change again, with the secrets that it should have.'],
    });
}

export const expired = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message:
      'No change is waiting under this token or compose hash. It may have expired, or a newer one replaced it.',
    suggestions: ['Send the change itself again.'],
  });
