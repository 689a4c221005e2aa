import { useEditContext } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { AdminPromotionCode } from '../../../generated/api/types.gen';
import { GiveawayNotice } from './GiveawayNotice';
import { codeGiveaway, useApprovalLimit } from './giveaway';

/** Shown in the form of an existing promotion code: only the additional amount counts. */
export function CodeEditApprovalNotice() {
  const typed = useWatch();
  const { record } = useEditContext<AdminPromotionCode>();
  const { limit, now } = useApprovalLimit();
  return <GiveawayNotice limit={limit} giveaway={record ? codeGiveaway(typed, record, now) : null} />;
}
