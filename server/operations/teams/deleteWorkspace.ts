import { memberAddresses } from '../../db/teams/members';
import { deletionOf } from '../../db/teams/teamDeletion';
import { endTeam } from '../../db/teams/teams';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { invalidField } from '../core/invalid';
import { CVMS_SHOWN, deletionRefusal } from './teamDeletion';

const MAX_MAILS = 1000;

export const deleteWorkspace: Handler<'deleteWorkspace'> = async ({ path, body, ctx }) => {
  if (body.slug !== path.slug) throw invalidField('slug', `Type the team's slug, ${path.slug}.`);
  const { username } = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.delete');
    const deletion = await deletionOf(trx, team.id, CVMS_SHOWN);
    const refusal = deletionRefusal(deletion, ctx.config.billingEnforced);
    if (refusal) throw refusal;
    const members = await memberAddresses(trx, team.id, null, MAX_MAILS);
    const ended = await endTeam(trx, team.id);
    for (const { email, user_id } of members)
      await ctx.mail.enqueue(trx, {
        to: email,
        template: 'team_deleted',
        data: { team_name: team.name, by: username },
        user_id,
        team_id: team.id,
      });
    await audit({
      action: 'team.delete',
      target_kind: 'team',
      target_id: team.public_id,
      before: { name: team.name, slug: team.slug, ...ended },
    });
    return { status: 204 } as const;
  });
};
