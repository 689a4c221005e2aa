import { formatMicros } from '../../../../console/lib/billing/money';
import { APPROVAL_WINDOW_MS, ownActions } from '../../../db/billing/financeActions';
import { postedBalance } from '../../../db/billing/ledger';
import { missing } from '../../core/admin/resource';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

/** Tells a form which balance it changes and whether that needs an approval. */
export const getAdminTeamFunds: Handler<'getAdminTeamFunds'> = async ({ path: { id }, ctx }) => {
  const team = await ctx.db
    .selectFrom('teams')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!team) throw missing({ singular: 'team' }, id);
  const limit = ctx.config.approvalLimit;
  const { prepaid, credits } = await postedBalance(ctx.db, team.id);
  const moved =
    limit === null
      ? 0
      : await ownActions(
          ctx.db,
          { requested_by: userOf(ctx).id, team_id: team.id },
          new Date(Date.now() - APPROVAL_WINDOW_MS),
        );
  return {
    status: 200,
    body: {
      team_id: team.id,
      prepaid: formatMicros(prepaid),
      credits: formatMicros(credits),
      approval_limit: limit === null ? null : formatMicros(limit),
      moved: formatMicros(moved),
    },
  };
};
