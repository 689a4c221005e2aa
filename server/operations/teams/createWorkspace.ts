import { lockUser } from '../../db/accounts/accounts';
import { countOwnTeams, createTeam } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { workspaceOut } from '../../domain/teams/teamResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { checkedName, checkSlug, slugTaken } from './names';
import { counted } from '../../../console/lib/texts/count';

export const createWorkspace: Handler<'createWorkspace'> = async ({ body, ctx }) => {
  const { id: owner_id } = userOf(ctx);
  const reserved = [ctx.config.agentFramework];
  const name = checkedName(body.name);
  if (body.slug !== undefined) checkSlug(body.slug, reserved);
  const { teamsPerUser, teamQuota } = ctx.config;
  return ctx.write(async ({ trx, audit }) => {
    // Locked, so that concurrent requests are counted one at a time.
    const user = await lockUser(trx, owner_id);
    const isAdmin = user?.platform_role === 'admin';
    if (!isAdmin && (await countOwnTeams(trx, owner_id)) >= teamsPerUser)
      throw new Problem('TEAM_LIMIT', {
        message: `You have reached this server's limit of ${counted(teamsPerUser, ['team', 'teams'])}.`,
      });
    const quota = isAdmin ? null : teamQuota;
    const wanted = body.slug === undefined ? {} : { slug: body.slug };
    const team = await createTeam(trx, { name, owner_id, is_default: false, reserved, quota, ...wanted });
    if (!team) throw slugTaken();
    await audit({
      action: 'team.create',
      target_kind: 'team',
      target_id: team.public_id,
      team_id: team.id,
      after: { name: team.name, slug: team.slug },
    });
    return { status: 201, body: workspaceOut(team) } as const;
  });
};
