import { setDefaultTeam } from '../../db/teams/members';
import { userOf, teamOf } from '../core/caller';
import type { Handler } from '../types';

export const setDefaultWorkspace: Handler<'setDefaultWorkspace'> = async ({ ctx }) => {
  const { id: user_id, public_id } = userOf(ctx);
  const { id: team_id, slug } = teamOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    await setDefaultTeam(trx, user_id, team_id);
    await audit({
      action: 'user.default_team',
      target_kind: 'user',
      target_id: public_id,
      after: { team: slug },
    });
    return { status: 204 } as const;
  });
};
