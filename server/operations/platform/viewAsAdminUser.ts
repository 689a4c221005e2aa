import { lockUser } from '../../db/accounts/adminUsers';
import { startViewAs, teamIdsOf } from '../../db/accounts/viewAs';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { missing } from '../core/admin/resource';
import { users } from '../core/admin/resourcesPeople';
import { needState, notSelf } from '../accounts/admin/userAction';
import { checkTexts } from '../core/text';

/** Maximum team logs that record it; the platform's always does. */
const MAX_TEAMS = 200;

export const viewAsAdminUser: Handler<'viewAsAdminUser'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['reason']);
  const staff = userOf(ctx);
  const { session } = ctx.caller;
  if (!session)
    throw new Problem('FORBIDDEN', { message: 'Viewing as another user requires a signed-in session.' });
  return ctx.write(async ({ trx, audit }) => {
    const user = await lockUser(trx, path.id);
    if (!user) throw missing(users, path.id);
    needState(user, 'active', 'viewed as');
    notSelf(ctx, user, 'view as');
    if (user.platform_role !== null && staff.platform_role !== 'admin')
      throw new Problem('FORBIDDEN', {
        message: `${user.username} is platform staff. Only platform admins can view as them.`,
      });
    const { reason, minutes = 15 } = body;
    const expires_at = await startViewAs(trx, {
      session_id: session.id,
      user_id: user.id,
      staff_user_id: staff.id,
      reason,
      minutes,
    });
    // Also recorded in the user's own history, with that user as the actor on whose behalf staff act. The admin area
    // shows the staff member.
    for (const team_id of [null, ...(await teamIdsOf(trx, user.id, MAX_TEAMS))])
      await audit({
        action: 'user.view_as',
        actor_user_id: user.id,
        on_behalf_of_user_id: staff.id,
        actor_kind: 'user',
        target_kind: 'user',
        target_id: user.public_id,
        team_id,
        after: { reason, minutes, expires_at: expires_at.toISOString() },
      });
    return { status: 200, body: { expires_at: expires_at.toISOString(), location: '/' } } as const;
  });
};
