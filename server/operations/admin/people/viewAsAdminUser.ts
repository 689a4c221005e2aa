import { lockUser } from '../../../db/adminUsers';
import { startViewAs, teamIdsOf } from '../../../db/viewAs';
import { Problem } from '../../../domain/problem';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { missing } from '../resource';
import { users } from '../resourcesPeople';
import { needState, notOneself } from './person';

/** Teams whose log tells of it; the platform's does in any case. */
const MOST_TEAMS = 200;

export const viewAsAdminUser: Handler<'viewAsAdminUser'> = async ({ path, body, ctx }) => {
  const staff = personOf(ctx);
  const { session } = ctx.caller;
  if (!session)
    throw new Problem('FORBIDDEN', { message: 'Only somebody who is signed in can look as somebody.' });
  return ctx.write(async ({ trx, audit }) => {
    const person = await lockUser(trx, path.id);
    if (!person) throw missing(users, path.id);
    needState(person, 'active', 'looked as');
    notOneself(ctx, person, 'look as');
    if (person.platform_role !== null && staff.platform_role !== 'admin')
      throw new Problem('FORBIDDEN', {
        message: `${person.username} is platform staff: only platform admins can look as them.`,
      });
    const { reason, minutes = 15 } = body;
    const expires_at = await startViewAs(trx, {
      session_id: session.id,
      user_id: person.id,
      staff_user_id: staff.id,
      reason,
      minutes,
    });
    // The person's own history has it as well: they are the actor, in whose name staff are there.
    for (const team_id of [null, ...(await teamIdsOf(trx, person.id, MOST_TEAMS))])
      await audit({
        action: 'user.view_as',
        actor_user_id: person.id,
        on_behalf_of_user_id: staff.id,
        actor_kind: 'user',
        target_kind: 'user',
        target_id: person.public_id,
        team_id,
        after: { reason, minutes, expires_at: expires_at.toISOString() },
      });
    return { status: 200, body: { expires_at: expires_at.toISOString(), location: '/' } } as const;
  });
};
