import { formatMicros } from '../../../console/lib/billing/money';
import type { AdminApprovalLimit } from '../../../generated/api/types.gen';
import { ApprovalNotice } from './ApprovalNotice';
import { Note, Notes } from './noticeStyles';
import { approvalText } from './teamFunds';

interface Props {
  limit: AdminApprovalLimit | undefined;
  giveaway: { amount_micros: number; text: string } | null;
}

/**
 * Shown in the form of an offer that any team can use: what it gives away, and whether it needs another
 * administrator's approval.
 */
export function GiveawayNotice({ limit, giveaway }: Props) {
  if (!limit || limit.approval_limit === null) return null;
  const approval =
    giveaway?.amount_micros === 0
      ? null
      : approvalText(limit, giveaway === null ? undefined : formatMicros(giveaway.amount_micros));
  return (
    <Notes aria-live="polite">
      {giveaway && <Note>{giveaway.text}</Note>}
      {approval && <ApprovalNotice {...approval} />}
    </Notes>
  );
}
