import { findTeam } from '../../../db/teams/teams';
import { Problem } from '../../../domain/core/problem';
import { workspaceOut } from '../../../domain/teams/teamResponse';
import { countingLinks } from '../../core/guessing';
import { userOf } from '../../core/caller';
import { joinByInvitation } from '../../core/invitation';
import type { Handler } from '../../types';

export const acceptInvitation: Handler<'acceptInvitation'> = countingLinks(async ({ body, ctx }) => {
  const me = userOf(ctx);
  return ctx.write(async (write) => {
    const { team } = await joinByInvitation(ctx, write, body.token, me);
    const mine = await findTeam(write.trx, me.id, team.slug);
    if (!mine) throw new Problem('LINK_INVALID', { message: 'The team was deleted.' });
    return { status: 200, body: workspaceOut(mine) } as const;
  });
});
