import { addEvent } from '../../db/activity/operations';
import { approvalOfApp, endApproval } from '../../db/apps/approvals';
import { revisionById } from '../../db/apps/revisions';
import { waitingChange } from '../cvms/onChain/awaitApproval';
import type { Handler } from '../types';
import { noApproval } from './commitApproval';
import { appOf } from './appId';

export const withdrawApproval: Handler<'withdrawApproval'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  await ctx.write(async ({ trx, audit }) => {
    const approval = await approvalOfApp(trx, app.id, path.approval_id);
    if (!approval || !(await endApproval(trx, approval.id))) throw noApproval();
    const { public_id, kind, team_id, app_id, cvm_id, compose_hash } = approval;
    const { number } = await revisionById(trx, approval.revision_id);
    await addEvent(trx, {
      cvm: { team_id, app_id, id: cvm_id },
      kind: 'update.withdrawn',
      message: `${waitingChange(kind, number)} was withdrawn`,
      data: { compose_hash, approval_id: public_id },
    });
    await audit({
      action: 'cvm.approval.withdraw',
      target_kind: 'app',
      target_id: app.app_id,
      before: { approval_id: public_id, compose_hash },
    });
  });
  return { status: 204 };
};
