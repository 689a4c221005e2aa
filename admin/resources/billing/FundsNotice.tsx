import { useWatch } from 'react-hook-form';
import { Notice } from '../../../console/ui/feedback/Notice';
import { ownValue } from '../../../console/lib/ownValue';
import type { AdminRecord } from '../../record';
import { ApprovalNotice } from './ApprovalNotice';
import { Note, Notes } from './noticeStyles';
import { approvalText, balanceChange, useTeamFunds } from './teamFunds';

interface Props {
  /** The record of the action, with its team; without it, the form names the team. */
  record?: AdminRecord;
  /** Whether the amount changes prepaid funds manually. */
  adjusts?: boolean;
}

/**
 * Shown in a finance action's form: its effect on the balance, and whether it needs another administrator's
 * approval.
 */
export function FundsNotice({ record, adjusts = false }: Props) {
  const values = useWatch() as Record<string, unknown>;
  const { data: funds } = useTeamFunds(record?.team_id ?? ownValue(values, 'team_id'));
  if (!funds) return null;
  const typed = ownValue(values, 'amount') ?? ownValue(values, 'refund');
  const amount = typeof typed === 'string' ? typed : undefined;
  const approval = approvalText(funds, amount);
  const change = adjusts ? balanceChange(funds, amount) : null;
  return (
    <Notes aria-live="polite">
      {change && <Note>{change.text}</Note>}
      {change && change.warning !== null && (
        <Notice tone="attention" title="Exceeds prepaid funds">
          {change.warning}
        </Notice>
      )}
      {approval && <ApprovalNotice {...approval} />}
    </Notes>
  );
}
