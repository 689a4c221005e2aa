import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { financeActionName } from '../../../console/lib/billing/financeActions';
import { formatUsd } from '../../../console/lib/billing/money';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import { utcMinute } from '../core/dates';

interface Told {
  action: AdminFinanceAction['action'];
  amount_micros: number;
  /** Body of the request. */
  body: unknown;
  target: string;
  reason: string;
  /** Null if it concerns no single team. */
  team_name: string | null;
}

const nameOf = (told: Told) => financeActionName(told, told.team_name ?? told.target);

const quoted = (text: string) => `“${cutWhole(text, 300)}${text.length > 300 ? '…' : ''}”`;

/** Text for approvers. Excludes everything else in the request. */
export const requestNotice = (action: Told & { requester: string; expires_at: Date }) => ({
  severity: 'warning' as const,
  title: `Approval requested: ${nameOf(action)}`,
  message: `Requested by ${action.requester}. Reason: ${quoted(action.reason)}. It expires on ${utcMinute(action.expires_at)}.`,
});

/** Text for finance about money received for a deleted team. */
export const lateMoneyNotice = (late: { public_id: string; team_name: string; amount_micros: number }) => ({
  severity: 'warning' as const,
  title: `Payment for a deleted team: ${formatUsd(late.amount_micros)}`,
  message: `Payment ${late.public_id} of ${late.team_name} arrived after the team was deleted. Refund a card payment; return a bank transfer, and reverse it here.`,
});

/** Text for the requester; for a failed action also for its approver. */
export function decisionNotice(
  action: Told & {
    state: 'done' | 'rejected' | 'failed' | 'expired';
    decision: string | null;
    decider: string | null;
  },
) {
  const { state, decision, decider } = action;
  const by = decider === null ? '' : ` by ${decider}`;
  const why = decision === null ? '.' : `: ${quoted(decision)}.`;
  const of = ` It was requested with the reason ${quoted(action.reason)}.`;
  switch (state) {
    case 'done':
      return {
        severity: 'info' as const,
        title: `Approved: ${nameOf(action)}`,
        message: `Approved${by} and carried out.${of}`,
      };
    case 'rejected':
      return {
        severity: 'warning' as const,
        title: `Rejected: ${nameOf(action)}`,
        message: `Rejected${by}${why}${of}`,
      };
    case 'failed':
      return {
        severity: 'error' as const,
        title: `Failed: ${nameOf(action)}`,
        message: `${decider === null ? 'It' : `Approved${by}, it`} couldn’t be completed${why} You can request it again.`,
      };
    case 'expired':
      return {
        severity: 'warning' as const,
        title: `Expired: ${nameOf(action)}`,
        message: `Nobody decided within three days. You can request it again.${of}`,
      };
  }
}
