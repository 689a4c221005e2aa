import { useWatch } from 'react-hook-form';
import { GiveawayNotice } from './GiveawayNotice';
import { productGiveaway, useApprovalLimit } from './giveaway';

/** Shown in the form of a new product. */
export function ProductApprovalNotice() {
  const typed = useWatch();
  const { limit, now } = useApprovalLimit();
  return <GiveawayNotice limit={limit} giveaway={limit ? productGiveaway(limit, typed, null, now) : null} />;
}
