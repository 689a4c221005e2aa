import { findTeam } from '../../db/teams';
import { Problem } from '../../domain/problem';
import { workspaceOut } from '../../domain/wire/team';
import { personOf } from '../shared/caller';
import { joinByInvitation } from '../shared/invitation';
import type { Handler } from '../types';

export const acceptInvitation: Handler<'acceptInvitation'> = async ({ body, ctx }) => {
  const me = personOf(ctx);
  return ctx.write(async (write) => {
    const { team } = await joinByInvitation(ctx, write, body.token, me);
    const mine = await findTeam(write.trx, me.id, team.slug);
    if (!mine) throw new Problem('LINK_INVALID', { message: 'The team was deleted.' });
    return { status: 200, body: workspaceOut(mine) } as const;
  });
};
