import { billingDetails } from '../../../db/billing/billingDetails';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { detailsOut } from './detailsOut';

export const getBillingDetails: Handler<'getBillingDetails'> = async ({ ctx }) => ({
  status: 200,
  body: detailsOut(ctx, await billingDetails(ctx.db, teamOf(ctx).id)),
});
