import { approvalOfApp, endApproval } from '../../db/apps/approvals';
import type { Handler } from '../types';
import { noApproval } from './commitApproval';
import { appOf } from './appId';

export const withdrawApproval: Handler<'withdrawApproval'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  await ctx.write(async ({ trx, audit }) => {
    const approval = await approvalOfApp(trx, app.id, path.approval_id);
    if (!approval || !(await endApproval(trx, approval.id))) throw noApproval();
    await audit({
      action: 'cvm.approval.withdraw',
      target_kind: 'app',
      target_id: app.app_id,
      before: { approval_id: approval.public_id, compose_hash: approval.compose_hash },
    });
  });
  return { status: 204 };
};
