import { removeMember } from '../../db/teams/members';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { memberToChange } from './memberRules';

export const deleteMember: Handler<'deleteMember'> = async ({ path, ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const { team, role: actor } = await holdTeam(trx, ctx, 'team.members');
    const member = await memberToChange(ctx, trx, team.id, path.user_id, { actor, you: me.id, to: null });
    const { tokens } = await removeMember(trx, team.id, member.user_id);
    await ctx.mail.enqueue(trx, {
      to: member.email,
      template: 'removed_from_team',
      data: { team_name: team.name, by: me.username },
      user_id: member.user_id,
      team_id: team.id,
    });
    await audit({
      action: 'member.remove',
      target_kind: 'user',
      target_id: member.public_id,
      before: { role: member.role, tokens },
    });
    return { status: 204 } as const;
  });
};
