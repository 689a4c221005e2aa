import { findMember, memberAddresses, roleOf, setRole } from '../../db/members';
import { Problem } from '../../domain/problem';
import { workspaceOut } from '../../domain/wire/team';
import { holdTeam, membershipOf, personOf } from '../shared/caller';
import type { Handler } from '../types';

const MOST_MAILS = 100;

export const transferWorkspace: Handler<'transferWorkspace'> = async ({ body, ctx }) => {
  const me = personOf(ctx);
  const current = await membershipOf(ctx);
  if (body.user_id === me.public_id)
    throw new Problem('CONFLICT', { message: 'You are an owner of this team already.' });
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.delete');
    const heir = await findMember(trx, team.id, body.user_id);
    // One who is suspended is in the team and in no role: it would have no owner who can sign in.
    if (!heir || (await roleOf(trx, team.id, heir.user_id)) === null)
      throw new Problem('NOT_FOUND', { message: 'There is no such member in the team.' });
    await setRole(trx, team.id, heir.user_id, 'owner');
    await setRole(trx, team.id, me.id, 'admin');
    // Also to whoever gives it away: it might not have been them.
    for (const { email, user_id } of await memberAddresses(trx, team.id, ['owner', 'admin'], MOST_MAILS))
      await ctx.mail.enqueue(trx, {
        to: email,
        template: 'team_transferred',
        data: {
          team_name: team.name,
          team_slug: team.slug,
          by: me.username,
          new_owner: heir.username,
          to_you: user_id === heir.user_id,
        },
        user_id,
        team_id: team.id,
      });
    await audit({
      action: 'team.transfer',
      target_kind: 'user',
      target_id: heir.public_id,
      before: { owner: me.public_id, role: heir.role },
      after: { owner: heir.public_id, role: 'owner' },
    });
    return {
      status: 200,
      body: workspaceOut({ ...team, role: 'admin', is_default: current.is_default }),
    } as const;
  });
};
