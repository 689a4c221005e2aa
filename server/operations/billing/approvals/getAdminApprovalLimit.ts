import { formatMicros } from '../../../../console/lib/billing/money';
import { APPROVAL_WINDOW_MS, ownActions } from '../../../db/billing/financeActions';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

/** Tells a form whether an action usable by any team needs an approval. */
export const getAdminApprovalLimit: Handler<'getAdminApprovalLimit'> = async ({ ctx }) => {
  const limit = ctx.config.approvalLimit;
  const since = new Date(Date.now() - APPROVAL_WINDOW_MS);
  const moved =
    limit === null ? 0 : await ownActions(ctx.db, { requested_by: userOf(ctx).id, team_id: null }, since);
  const types = await ctx.db
    .selectFrom('instance_types')
    .select(['id', 'hourly_rate_micros', 'gpu_rate_micros'])
    .orderBy('id')
    .limit(1000)
    .execute();
  return {
    status: 200,
    body: {
      approval_limit: limit === null ? null : formatMicros(limit),
      moved: formatMicros(moved),
      rates: types.map(({ id, hourly_rate_micros, gpu_rate_micros }) => ({
        instance_type: id,
        hourly_rate: formatMicros(hourly_rate_micros),
        gpu_hourly_rate: formatMicros(gpu_rate_micros),
      })),
    },
  };
};
