import { countOwners, removeMember } from '../../db/teams/members';
import { holdTeam, userOf } from '../core/caller';
import { checkOwners } from '../core/owners';
import type { Handler } from '../types';
import { lastOwner } from './memberRules';

export const leaveWorkspace: Handler<'leaveWorkspace'> = async ({ ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const { team, role } = await holdTeam(trx, ctx, null);
    if (role === 'owner' && (await countOwners(trx, team.id)) <= 1) throw lastOwner();
    if (role === 'owner') await checkOwners(ctx, trx, team.id);
    const { tokens } = await removeMember(trx, team.id, me.id);
    await audit({
      action: 'member.leave',
      target_kind: 'user',
      target_id: me.public_id,
      before: { role, tokens },
    });
    return { status: 204 } as const;
  });
};
