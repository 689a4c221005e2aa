import type { FinanceAction } from '../../../db/billing/financeActions';
import type { Json } from '../../../db/core/json';
import { updateAdminInstanceType } from '../../catalog/admin/updateAdminInstanceType';
import { updateAdminWorkspace } from '../../teams/admin/updateAdminWorkspace';
import { cancelAdminOrder } from '../admin/cancelAdminOrder';
import { confirmAdminPayment } from '../admin/confirmAdminPayment';
import { createAdminAdjustment } from '../admin/createAdminAdjustment';
import { createAdminCredit } from '../admin/createAdminCredit';
import { createAdminCreditNote } from '../admin/createAdminCreditNote';
import { createAdminOrderProduct } from '../admin/createAdminOrderProduct';
import { createAdminPromotionCode } from '../admin/createAdminPromotionCode';
import { refundAdminOrder } from '../admin/refundAdminOrder';
import { refundAdminPayment } from '../admin/refundAdminPayment';
import { reverseAdminPayment } from '../admin/reverseAdminPayment';
import { revokeAdminCredit } from '../admin/revokeAdminCredit';
import { updateAdminOrderProduct } from '../admin/updateAdminOrderProduct';
import { updateAdminPromotionCode } from '../admin/updateAdminPromotionCode';
import { voidAdminInvoice } from '../admin/voidAdminInvoice';
import { writeOffAdminInvoice } from '../admin/writeOffAdminInvoice';
import { Problem } from '../../../domain/core/problem';
import type { Context, Handler, OwnWrite, Unchanged } from '../../types';
import { checkApprover, lockPending } from './approval';
import { financeActionReply } from './resource';

/** Stored path and body were validated when the action was requested. */
type Stored = (call: { path: Json; query: object; body: Json; ctx: Context }) => Promise<unknown>;

const ACTIONS: Record<FinanceAction['action'], unknown> = {
  grant_credit: createAdminCredit,
  revoke_credit: revokeAdminCredit,
  confirm_payment: confirmAdminPayment,
  refund_payment: refundAdminPayment,
  reverse_payment: reverseAdminPayment,
  void_invoice: voidAdminInvoice,
  write_off_invoice: writeOffAdminInvoice,
  credit_invoice: createAdminCreditNote,
  cancel_order: cancelAdminOrder,
  refund_order: refundAdminOrder,
  create_promotion_code: createAdminPromotionCode,
  widen_promotion_code: updateAdminPromotionCode,
  create_order_product: createAdminOrderProduct,
  discount_order_product: updateAdminOrderProduct,
  raise_post_paid_cap: updateAdminWorkspace,
  adjust_balance: createAdminAdjustment,
  // Never pending.
  raise_rate: updateAdminInstanceType,
};

/**
 * Runs the action as if the approver had requested it. The action's transaction rechecks the request and marks it as
 * done, so that two approvals run it once.
 */
export const approveAdminFinanceAction: Handler<'approveAdminFinanceAction'> = async ({
  path: { id },
  ctx,
}) => {
  const found = await lockPending(ctx.db, id);
  checkApprover(ctx, found);
  const { action, path, body } = found;
  const act = ACTIONS[action] as Stored;
  await act({ path, query: {}, body, ctx: approving(ctx, id) });
  const reply = await financeActionReply(ctx, ctx.db, id);
  if (reply.body.state === 'pending') throw changesNothing();
  return reply;
};

const changesNothing = () =>
  new Problem('CONFLICT', {
    message: 'Approving this would no longer change anything.',
    suggestions: ['Reject it.'],
  });

/**
 * Returns the context that the action runs in. A repeated approval returns the approved action, not the action's own
 * reply.
 */
function approving(ctx: Context, id: number): Context {
  // If-Match refers to the approver's page, not to the records the action changes.
  const { 'if-match': _, ...others } = ctx.headers;
  return {
    ...ctx,
    headers: { ...others, 'idempotency-key': `finance-action-${id}` },
    approves: id,
    async write<T>(work: (write: OwnWrite) => Promise<T | Unchanged<T>>) {
      const results: T[] = [];
      const stored = await ctx.write<unknown>(async (own) => {
        const result = await work(own);
        if (result instanceof Error) return result;
        results.push(result);
        const reply = await financeActionReply(ctx, own.trx, id);
        // A refused request stores nothing under its key.
        return reply.body.state === 'pending' ? changesNothing() : reply;
      });
      const [result = stored as T] = results;
      return result;
    },
  };
}
