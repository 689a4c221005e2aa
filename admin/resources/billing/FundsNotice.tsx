import styled from '@emotion/styled';
import { useWatch } from 'react-hook-form';
import { Notice } from '../../../console/ui/feedback/Notice';
import { ownValue } from '../../../console/lib/ownValue';
import { color, space, type } from '../../../console/ui/theme';
import type { AdminRecord } from '../../record';
import { approvalText, balanceChange, useTeamFunds } from './teamFunds';

const Root = styled('div')({ display: 'grid', gap: space(3) });
const Text = styled('p')({ ...type.small, color: color.muted });

interface Props {
  /** The action's, with the team that it belongs to; without it, the form names the team. */
  record?: AdminRecord;
  /** Whether the amount changes prepaid funds by hand. */
  adjusts?: boolean;
}

/** In the form of a finance action: what it does to the balance, and whether another administrator has to approve it. */
export function FundsNotice({ record, adjusts = false }: Props) {
  const values = useWatch() as Record<string, unknown>;
  const { data: funds } = useTeamFunds(record?.team_id ?? ownValue(values, 'team_id'));
  if (!funds) return null;
  const typed = ownValue(values, 'amount') ?? ownValue(values, 'refund');
  const amount = typeof typed === 'string' ? typed : undefined;
  const approval = approvalText(funds, amount);
  const change = adjusts ? balanceChange(funds, amount) : null;
  return (
    <Root aria-live="polite">
      {change && <Text>{change.text}</Text>}
      {change && change.warning !== null && (
        <Notice tone="attention" title="More than the team has prepaid">
          {change.warning}
        </Notice>
      )}
      {approval &&
        (approval.waits ? (
          <Notice tone="attention" title="Needs approval">
            {approval.text}
          </Notice>
        ) : (
          <Text>{approval.text}</Text>
        ))}
    </Root>
  );
}
