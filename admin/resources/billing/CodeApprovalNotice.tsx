import { useWatch } from 'react-hook-form';
import { GiveawayNotice } from './GiveawayNotice';
import { codeGiveaway, useApprovalLimit } from './giveaway';

/** Shown in the form of a new promotion code. */
export function CodeApprovalNotice() {
  const typed = useWatch();
  const { limit, now } = useApprovalLimit();
  return <GiveawayNotice limit={limit} giveaway={codeGiveaway(typed, null, now)} />;
}
