import type { Db, Tx } from '../../db/core/client';
import type { Json } from '../../db/core/json';
import { MAX_FORMER_SLUGS, updateTeam, type TeamMembership, type TeamPatch } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { teamVersion } from '../../domain/teams/teamVersions';
import { workspaceOut } from '../../domain/teams/teamResponse';
import { holdTeam, membershipOf, userOf } from '../core/caller';
import { checkIfMatch } from '../core/ifMatch';
import type { Context, Handler } from '../types';
import { checkedName, checkSlug, slugTaken } from './names';
import { invalidField } from '../core/invalid';

export const updateWorkspace: Handler<'updateWorkspace'> = async ({ body, ctx }) => {
  const patch: TeamPatch = {
    ...body,
    ...(body.name === undefined ? {} : { name: checkedName(body.name) }),
  };
  const current = await membershipOf(ctx);
  if (body.slug !== undefined && body.slug !== current.slug)
    checkSlug(body.slug, [ctx.config.agentFramework]);
  // Members can't lock themselves out: the rule applies to the member who sets it.
  if (body.require_second_factor && userOf(ctx).second_factor_at === null)
    throw new Problem('SECOND_FACTOR_MISSING', {
      message: 'Set up two-factor authentication for yourself before requiring it.',
    });
  if (!changesAnything(current, patch)) {
    await checkTeamVersion(ctx, ctx.db, current);
    return teamReply(current);
  }
  return ctx.write(async ({ trx, audit }) => {
    const { team, role } = await holdTeam(trx, ctx, 'team.settings');
    await checkTeamVersion(ctx, trx, { ...team, role, is_default: current.is_default });
    const problem = await updateTeam(trx, team, patch);
    if (problem === 'taken') throw slugTaken();
    if (problem === 'too_many')
      throw invalidField(
        'slug',
        `A team keeps at most ${MAX_FORMER_SLUGS} former slugs. Reuse one of them instead.`,
      );
    await audit({
      action: 'team.update',
      target_kind: 'team',
      target_id: team.public_id,
      before: Object.fromEntries(keys(patch).map((key) => [key, team[key]])) as Json,
      after: { ...patch },
    });
    return teamReply({ ...team, ...patch, role, is_default: current.is_default });
  });
};

function teamReply(team: TeamMembership) {
  const body = workspaceOut(team);
  return { status: 200, headers: { ETag: body.etag }, body } as const;
}

const checkTeamVersion = (ctx: Context, db: Db | Tx, team: TeamMembership) =>
  checkIfMatch(ctx, db, {
    version: teamVersion,
    row: team,
    etag: workspaceOut(team).etag,
    team_id: team.id,
    target_id: team.public_id,
    actions: ['team.update'],
    name: team.name,
  });

const keys = (patch: TeamPatch) => Object.keys(patch) as (keyof TeamPatch)[];

const changesAnything = (team: Required<TeamPatch>, patch: TeamPatch) =>
  keys(patch).some((key) => patch[key] !== team[key]);
