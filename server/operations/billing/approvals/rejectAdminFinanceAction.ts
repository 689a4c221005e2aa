import { formatMicros } from '../../../../console/lib/billing/money';
import { decideFinanceAction } from '../../../db/billing/financeActions';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { lockPending } from './approval';
import { financeActionReply } from './resource';

export const rejectAdminFinanceAction: Handler<'rejectAdminFinanceAction'> = ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkText(body.reason, 'reason');
    const action = await lockPending(trx, path.id);
    await decideFinanceAction(trx, path.id, {
      state: 'rejected',
      decided_by: userOf(ctx).id,
      decision: body.reason,
    });
    await audit({
      action: 'finance_action.reject',
      target_kind: 'finance_action',
      target_id: String(path.id),
      team_id: action.team_id,
      before: {
        action: action.action,
        target: action.target,
        amount: formatMicros(action.amount_micros),
      },
      after: { reason: body.reason },
    });
    return financeActionReply(ctx, trx, path.id);
  });
