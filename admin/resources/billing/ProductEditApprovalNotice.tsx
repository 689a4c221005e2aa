import { useEditContext } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { AdminOrderProduct } from '../../../generated/api/types.gen';
import { GiveawayNotice } from './GiveawayNotice';
import { productGiveaway, useApprovalLimit } from './giveaway';

/** Shown in the form of an existing product: only the additional discount counts. */
export function ProductEditApprovalNotice() {
  const typed = useWatch();
  const { record } = useEditContext<AdminOrderProduct>();
  const { limit, now } = useApprovalLimit();
  return (
    <GiveawayNotice
      limit={limit}
      giveaway={limit && record ? productGiveaway(limit, typed, record, now) : null}
    />
  );
}
