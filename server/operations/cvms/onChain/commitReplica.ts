import { approvalByToken, commitOf, recordCommit } from '../../../db/apps/approvals';
import type { ApprovalRow } from '../../../db/apps/approvalsTable';
import { revisionById } from '../../../db/apps/revisions';
import { findCvm } from '../../../db/cvms/cvmLookup';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { replicate, type Replicated } from '../deploy/replicate';
import { expired, stillWaiting, takeApproval } from './commitUpdate';
import { confirmationOf, gated } from './gate';

type Confirmed = Parameters<typeof confirmationOf>[0];

/** Fields of a whole repeated request, sent along with the token. */
export interface RepeatedReplica {
  name?: string | null | undefined;
  node_id?: number | null | undefined;
  encrypted_env?: string | null | undefined;
  docker_compose_file?: string | null | undefined;
  pre_launch_script?: string | null | undefined;
}

/**
 * Adds a replica that was waiting for its app's contract. Committing it again returns the same CVM.
 * @param of the source CVM or the app that the token must belong to
 */
export async function commitReplica<T extends { status: 200 }>(
  ctx: Context,
  token: string,
  of: { cvm_id: number } | { app_id: number },
  confirmed: Confirmed,
  reply: (made: Replicated) => T,
  repeated: RepeatedReplica = {},
): Promise<T> {
  const approval = await approvalByToken(ctx.db, token);
  const team_id = teamOf(ctx).id;
  const fits =
    approval?.kind === 'replica' &&
    approval.team_id === team_id &&
    ('cvm_id' in of ? approval.cvm_id === of.cvm_id : approval.app_id === of.app_id);
  if (!fits) throw expired();
  await requireSame(ctx, approval, repeated);
  return commitApprovedReplica(ctx, approval, confirmed, reply);
}

/** The stored change is applied, so a request for a different one must fail. @throws HASH_INVALID_OR_EXPIRED */
async function requireSame(
  ctx: Context,
  { payload: { replica }, revision_id }: ApprovalRow,
  repeated: RepeatedReplica,
): Promise<void> {
  const { docker_compose_file, pre_launch_script } = await revisionById(ctx.db, revision_id);
  const stored: Required<RepeatedReplica> = {
    name: replica?.name ?? null,
    node_id: replica?.teepod_id ?? null,
    encrypted_env: replica?.encrypted_env ?? null,
    docker_compose_file,
    pre_launch_script: pre_launch_script ?? '',
  };
  const field = (Object.keys(stored) as (keyof RepeatedReplica)[]).find(
    (key) => repeated[key] != null && repeated[key] !== stored[key],
  );
  if (field === undefined) return;
  throw new Problem('HASH_INVALID_OR_EXPIRED', {
    message: `The token was returned for a request with another ${field}.`,
    details: [{ field, value: null }],
    suggestions: ['Send the token with the same request or alone, or prepare the new request.'],
  });
}

export async function commitApprovedReplica<T extends { status: 200 }>(
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
  const added = gated<T>(
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
  return added.catch(async (error: unknown) => {
    // Another request was faster.
    const correlation_id = await commitOf(ctx.db, approval.id);
    if (correlation_id === null) throw stillWaiting(error);
    return reply(await committed(ctx, correlation_id));
  });
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
