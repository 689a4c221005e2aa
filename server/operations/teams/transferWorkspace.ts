import { findMember, memberAddresses, roleOf, setRole } from '../../db/teams/members';
import { Problem } from '../../domain/core/problem';
import { workspaceOut } from '../../domain/teams/teamResponse';
import { holdTeam, membershipOf, userOf } from '../core/caller';
import { checkOwners } from '../core/owners';
import type { Handler } from '../types';

const MAX_MAILS = 100;

export const transferWorkspace: Handler<'transferWorkspace'> = async ({ body, ctx }) => {
  const me = userOf(ctx);
  const current = await membershipOf(ctx);
  if (body.user_id === me.public_id) throw new Problem('CONFLICT', { message: 'You already own this team.' });
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.delete');
    const newOwner = await findMember(trx, team.id, body.user_id);
    if (!newOwner) throw new Problem('NOT_FOUND', { message: 'Member not found in this team.' });
    // A suspended member has no effective role: the team would have no owner who can sign in.
    if ((await roleOf(trx, team.id, newOwner.user_id)) === null)
      throw new Problem('CONFLICT', {
        message: `${newOwner.username} is suspended and can’t own a team.`,
        details: [{ field: 'user_id', value: body.user_id }],
        suggestions: ['Choose another member.'],
      });
    await checkOwners(ctx, trx, team.id);
    await setRole(trx, team.id, newOwner.user_id, 'owner');
    await setRole(trx, team.id, me.id, 'admin');
    // Also sent to the former owner: it might not have been them.
    for (const { email, user_id } of await memberAddresses(trx, team.id, ['owner', 'admin'], MAX_MAILS))
      await ctx.mail.enqueue(trx, {
        to: email,
        template: 'team_transferred',
        data: {
          team_name: team.name,
          team_slug: team.slug,
          by: me.username,
          new_owner: newOwner.username,
          to_you: user_id === newOwner.user_id,
        },
        user_id,
        team_id: team.id,
      });
    await audit({
      action: 'team.transfer',
      target_kind: 'user',
      target_id: newOwner.public_id,
      before: { owner: me.public_id, role: newOwner.role },
      after: { owner: newOwner.public_id, role: 'owner' },
    });
    return {
      status: 200,
      body: workspaceOut({ ...team, role: 'admin', is_default: current.is_default }),
    } as const;
  });
};
