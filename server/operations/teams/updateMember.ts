import { setRole } from '../../db/teams/members';
import { memberVersion } from '../../domain/teams/teamVersions';
import { memberOut } from '../../domain/teams/memberResponse';
import { holdTeam, userOf } from '../core/caller';
import { checkIfMatch } from '../core/ifMatch';
import type { Handler } from '../types';
import { memberToChange } from './memberRules';

export const updateMember: Handler<'updateMember'> = async ({ path, body, ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async ({ trx, audit, unchanged }) => {
    const { team, role: actor } = await holdTeam(trx, ctx, 'team.members');
    const { role } = body;
    const member = await memberToChange(ctx, trx, team.id, path.user_id, { actor, you: me.id, to: role });
    await checkIfMatch(ctx, trx, {
      version: memberVersion,
      row: member,
      etag: memberOut(member, me.id).etag,
      team_id: team.id,
      target_id: member.public_id,
      actions: ['member.role'],
      name: member.username,
    });
    if (role === member.role) {
      const same = memberOut(member, me.id);
      return unchanged({ status: 200, headers: { ETag: same.etag }, body: same } as const);
    }
    await setRole(trx, team.id, member.user_id, role);
    await ctx.mail.enqueue(trx, {
      to: member.email,
      template: 'role_changed',
      data: {
        team_name: team.name,
        team_slug: team.slug,
        before: member.role,
        after: role,
        by: me.username,
      },
      user_id: member.user_id,
      team_id: team.id,
    });
    await audit({
      action: 'member.role',
      target_kind: 'user',
      target_id: member.public_id,
      before: { role: member.role },
      after: { role },
    });
    const changed = memberOut({ ...member, role, sso_connection_id: null }, me.id);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
