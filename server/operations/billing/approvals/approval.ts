import { formatMicros, formatUsd } from '../../../../console/lib/billing/money';
import {
  decideFinanceAction,
  APPROVAL_WINDOW_MS,
  insertFinanceAction,
  lockFinanceAction,
  lockOwnActions,
  type FinanceAction,
} from '../../../db/billing/financeActions';
import { notifyApprovers } from '../../../db/notifications/financeNotices';
import type { Db, Tx } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';
import { permissionsOfStaff } from '../../../domain/teams/permissions';
import { missing } from '../../core/admin/resource';
import { userOf } from '../../core/caller';
import type { Context, Write } from '../../types';
import { financeActionReply, financeActions } from './resource';

const EXPIRES_MS = 3 * 24 * 3_600_000;

/** An action as it would run now. */
export type Planned = Pick<
  FinanceAction,
  'action' | 'path' | 'body' | 'team_id' | 'target' | 'amount_micros' | 'reason'
>;

/**
 * Decides, before anything changes, whether a planned action may run now: it is within the limit, or another
 * administrator approves it with this request. Otherwise stores it as pending.
 *
 * Call it in the action's transaction, after its rows are locked.
 * @returns the reply for a pending action; null if it may run
 * @throws CONFLICT if the approval isn't valid anymore
 */
export async function approvalFor(ctx: Context, write: Write, planned: Planned): Promise<Waits | null> {
  return (await approvalOf(ctx, write, planned)).waits;
}

/**
 * For actions that can't wait for an approval: records one as done if it is within the limit, counting the
 * administrator's earlier actions. @returns whether it may run
 */
export async function doneWithin(ctx: Context, trx: Tx, planned: Planned): Promise<boolean> {
  const limit = ctx.config.approvalLimit;
  if (limit === null || planned.amount_micros <= 0) return true;
  const action = { ...planned, requested_by: userOf(ctx).id };
  const now = Date.now();
  const before = await lockOwnActions(trx, action, new Date(now - APPROVAL_WINDOW_MS));
  if (before + planned.amount_micros > limit) return false;
  await insertFinanceAction(trx, action, { state: 'done', expires_at: new Date(now + EXPIRES_MS) });
  return true;
}

/** The reply for a pending action. */
export type Waits = Awaited<ReturnType<typeof waitsFor>>;

/**
 * Like `approvalFor`. @returns also the ID of the recorded action, for one that may fail later; null if it isn't
 * recorded
 */
export async function approvalOf(
  ctx: Context,
  { trx, audit }: Write,
  planned: Planned,
): Promise<{ waits: Waits } | { waits: null; id: number | null }> {
  if (ctx.approves !== undefined) {
    await takeApproval(ctx, { trx, audit }, ctx.approves, planned);
    return { waits: null, id: ctx.approves };
  }
  const limit = ctx.config.approvalLimit;
  if (limit === null || planned.amount_micros <= 0) return { waits: null, id: null };
  const action = { ...planned, requested_by: userOf(ctx).id };
  const now = Date.now();
  const before = await lockOwnActions(trx, action, new Date(now - APPROVAL_WINDOW_MS));
  const expires_at = new Date(now + EXPIRES_MS);
  if (before + planned.amount_micros <= limit) {
    const { id } = await insertFinanceAction(trx, action, { state: 'done', expires_at });
    return { waits: null, id };
  }
  const { id, isNew } = await insertFinanceAction(trx, action, { state: 'pending', expires_at });
  if (isNew) await notifyApprovers(trx, id, new Date(now));
  await audit({
    action: isNew ? 'finance_action.request' : 'finance_action.request_again',
    target_kind: 'finance_action',
    target_id: String(id),
    team_id: planned.team_id,
    after: {
      action: planned.action,
      target: planned.target,
      amount: formatMicros(planned.amount_micros),
      reason: planned.reason,
    },
  });
  return { waits: await waitsFor(ctx, trx, id) };
}

async function waitsFor(ctx: Context, trx: Tx, id: number) {
  const { body } = await financeActionReply(ctx, trx, id);
  return { status: 202, body } as const;
}

/** @param decider null if no approval was needed */
const decidedText = (state: 'done' | 'rejected' | 'failed', decider: string | null): string => {
  const by = decider === null ? '' : ` by ${decider}`;
  if (state === 'done') return `Already approved${by}.`;
  return state === 'rejected' ? `Already rejected${by}.` : 'This action could not be carried out.';
};

/** Returns a pending action, locked. @throws CONFLICT if it was decided or has expired */
export async function lockPending(trx: Db | Tx, id: number) {
  const action = await lockFinanceAction(trx, id);
  if (!action) throw missing(financeActions, id);
  if (action.state !== 'pending')
    throw new Problem('CONFLICT', {
      message: decidedText(action.state, action.decider),
      ...(action.state === 'failed' && { suggestions: ['Request the action again.'] }),
    });
  if (action.expires_at <= new Date())
    throw new Problem('CONFLICT', {
      message: 'This request has expired.',
      suggestions: ['Request the action again.'],
    });
  return action;
}

/** Marks the approved action as done, in its own transaction. */
async function takeApproval(
  ctx: Context,
  { trx, audit }: Write,
  id: number,
  planned: Planned,
): Promise<void> {
  const action = await lockPending(trx, id);
  checkApprover(ctx, action);
  if (planned.amount_micros > action.amount_micros)
    throw new Problem('CONFLICT', {
      message: `This would now move ${formatUsd(planned.amount_micros)}. Only ${formatUsd(action.amount_micros)} was requested.`,
      suggestions: ['Reject it, and request the action again.'],
    });
  await decideFinanceAction(trx, id, { state: 'done', decided_by: userOf(ctx).id, decision: null });
  await audit({
    action: 'finance_action.approve',
    target_kind: 'finance_action',
    target_id: String(id),
    team_id: action.team_id,
    after: {
      action: action.action,
      target: action.target,
      amount: formatMicros(action.amount_micros),
      reason: action.reason,
      requested_by: action.requester,
    },
  });
}

type Locked = Awaited<ReturnType<typeof lockPending>>;

/** @throws CONFLICT for one's own request, or if the requester has lost the permission */
export function checkApprover(ctx: Context, action: Locked): void {
  if (action.requested_by === userOf(ctx).id)
    throw new Problem('CONFLICT', {
      message: 'You requested this action. Another administrator must approve it.',
      suggestions: ['Ask another administrator to approve it. Reject it to withdraw it.'],
    });
  const may = permissionsOfStaff(action.platform_role).includes(
    action.action === 'raise_post_paid_cap' ? 'admin.workspaces.write' : 'admin.billing.write',
  );
  if (!may || action.requester_state !== 'active')
    throw new Problem('CONFLICT', {
      message: `${action.requester} is no longer allowed to do this.`,
      suggestions: ['Reject the request, or do it yourself.'],
    });
}
