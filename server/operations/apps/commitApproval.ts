import { approvalOfApp, isAlive, isTokenOf } from '../../db/apps/approvals';
import type { ApprovalRow } from '../../db/apps/approvalsTable';
import type { AppRow } from '../../db/apps/appsTable';
import { Problem } from '../../domain/core/problem';
import { commitApprovedReplica } from '../cvms/onChain/commitReplica';
import { commitUpdate, expired, takeApproval } from '../cvms/onChain/commitUpdate';
import { confirmationOf, gated } from '../cvms/onChain/gate';
import { requireVerified } from '../core/requireVerified';
import type { Context, Handler } from '../types';
import { appOf } from './appId';
import { beginRollout } from './beginRollout';

export const commitApproval: Handler<'commitApproval'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const { app } = await appOf(ctx, path.app_id);
  const approval = await approvalOfApp(ctx.db, app.id, path.approval_id);
  if (!approval) throw noApproval();
  // The client's token may belong to a change that this one superseded.
  if (body?.token && !isTokenOf(approval, body.token)) throw expired();
  // An update or replica that was committed before answers with its operation.
  if (!isAlive(approval) && approval.correlation_id === null) throw expired();
  const confirmed = {
    compose_hash: body?.compose_hash || approval.compose_hash,
    transaction_hash: body?.transaction_hash,
  };
  if (approval.kind === 'replica')
    return commitApprovedReplica(ctx, approval, confirmed, ({ operation: { correlation_id } }) => ({
      status: 200 as const,
      body: { correlation_id, rollout_id: null },
    }));
  const committed =
    approval.kind === 'update'
      ? { ...(await commitUpdate(ctx, approval, confirmationOf(confirmed))), rollout_id: null }
      : { correlation_id: null, rollout_id: await commitRollout(ctx, app, approval, confirmed) };
  return { status: 200, body: committed };
};

function commitRollout(
  ctx: Context,
  app: AppRow,
  approval: ApprovalRow,
  confirmed: Parameters<typeof confirmationOf>[0],
): Promise<string> {
  const { operation = {}, rollout } = approval.payload;
  return gated(ctx, confirmationOf(confirmed), (gate) =>
    ctx.write((write) =>
      beginRollout(ctx, write, {
        app,
        gate,
        reason: operation.reason,
        pace: rollout?.pace ?? {},
        vm_uuids: rollout?.vm_uuids ?? undefined,
        async payload(base) {
          await takeApproval(write, approval, base.revision.id);
          return operation;
        },
      }),
    ),
  );
}

export const noApproval = () =>
  new Problem('NOT_FOUND', {
    message: "No such change is waiting for this app's contract. It may have been committed or withdrawn.",
  });
