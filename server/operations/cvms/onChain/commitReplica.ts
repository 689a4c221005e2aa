import { approvalByToken, recordCommit } from '../../../db/apps/approvals';
import type { ApprovalRow } from '../../../db/apps/approvalsTable';
import { revisionById } from '../../../db/apps/revisions';
import { findCvm } from '../../../db/cvms/cvmLookup';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { replicate, type Replicated } from '../deploy/replicate';
import { expired, takeApproval } from './commitUpdate';
import { confirmationOf, gated } from './gate';

type Confirmed = Parameters<typeof confirmationOf>[0];

/**
 * Adds a replica that waited for its app's contract. Committing it again returns the same CVM.
 * @param of the source CVM or the app that the token must belong to
 */
export async function commitReplica<T extends { status: 200 }>(
  ctx: Context,
  token: string,
  of: { cvm_id: number } | { app_id: number },
  confirmed: Confirmed,
  reply: (made: Replicated) => T,
): Promise<T> {
  const approval = await approvalByToken(ctx.db, token);
  const team_id = teamOf(ctx).id;
  const fits =
    approval?.kind === 'replica' &&
    approval.team_id === team_id &&
    ('cvm_id' in of ? approval.cvm_id === of.cvm_id : approval.app_id === of.app_id);
  if (!fits) throw expired();
  return commitApprovedReplica(ctx, approval, confirmed, reply);
}

async function commitApprovedReplica<T extends { status: 200 }>(
  ctx: Context,
  approval: ApprovalRow,
  confirmed: Confirmed,
  reply: (made: Replicated) => T,
): Promise<T> {
  const team_id = teamOf(ctx).id;
  if (approval.correlation_id !== null) return reply(await committed(ctx, approval.correlation_id));
  const { replica } = approval.payload;
  if (!replica) throw expired();
  const confirms = confirmationOf(confirmed);
  return gated(
    ctx,
    {
      compose_hash: confirms?.compose_hash ?? approval.compose_hash,
      transaction_hash: confirms?.transaction_hash ?? null,
    },
    (gate) =>
      ctx.write(async (write) => {
        const { vm_uuid } = await write.trx
          .selectFrom('cvms')
          .select('vm_uuid')
          .where('id', '=', approval.cvm_id)
          .executeTakeFirstOrThrow();
        const source = await findCvm(write.trx, team_id, vm_uuid, {
          lock: true,
        });
        await takeApproval(write, approval, source.revision.id);
        const made = await replicate(ctx, write, {
          source,
          revision: await revisionById(write.trx, approval.revision_id),
          node_id: replica.teepod_id,
          encrypted_env: replica.encrypted_env,
          name: replica.name ?? undefined,
          gate,
        });
        if (made instanceof Problem) return made;
        await recordCommit(write.trx, approval.id, made.operation.correlation_id);
        return reply(made);
      }),
  );
}

async function committed(ctx: Context, correlation_id: string): Promise<Replicated> {
  const operation = await ctx.db
    .selectFrom('operations')
    .selectAll()
    .where('correlation_id', '=', correlation_id)
    .executeTakeFirstOrThrow();
  const { vm_uuid } = await ctx.db
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('id', '=', operation.cvm_id)
    .executeTakeFirstOrThrow();
  return { row: await findCvm(ctx.db, teamOf(ctx).id, vm_uuid), operation };
}
