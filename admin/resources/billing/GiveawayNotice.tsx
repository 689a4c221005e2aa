import styled from '@emotion/styled';
import { formatMicros } from '../../../console/lib/billing/money';
import { Notice } from '../../../console/ui/feedback/Notice';
import { color, space, type } from '../../../console/ui/theme';
import type { AdminApprovalLimit } from '../../../generated/api/types.gen';
import { approvalText } from './teamFunds';

const Root = styled('div')({ display: 'grid', gap: space(3) });
const Text = styled('p')({ ...type.small, color: color.muted });

interface Props {
  limit: AdminApprovalLimit | undefined;
  giveaway: { amount_micros: number; text: string } | null;
}

/** In the form of what any team can use: what it gives away, and whether another administrator has to approve it. */
export function GiveawayNotice({ limit, giveaway }: Props) {
  if (!limit || limit.approval_limit === null) return null;
  const approval =
    giveaway?.amount_micros === 0
      ? null
      : approvalText(limit, giveaway === null ? undefined : formatMicros(giveaway.amount_micros));
  return (
    <Root aria-live="polite">
      {giveaway && <Text>{giveaway.text}</Text>}
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
