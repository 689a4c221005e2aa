import type { Json } from '../../db/schema';
import { MOST_FORMER_SLUGS, updateTeam, type TeamPatch } from '../../db/teams';
import { Problem } from '../../domain/problem';
import { workspaceOut } from '../../domain/wire/team';
import { holdTeam, membershipOf, personOf } from '../shared/caller';
import type { Handler } from '../types';
import { checkedName, checkSlug, invalid, slugTaken } from './names';

export const updateWorkspace: Handler<'updateWorkspace'> = async ({ body, ctx }) => {
  const asked: TeamPatch = {
    ...body,
    ...(body.name === undefined ? {} : { name: checkedName(body.name) }),
  };
  const current = await membershipOf(ctx);
  if (body.slug !== undefined && body.slug !== current.slug)
    checkSlug(body.slug, [ctx.config.agentFramework]);
  // Nobody may shut themselves out: the rule counts for whoever sets it.
  if (body.require_second_factor && personOf(ctx).second_factor_at === null)
    throw new Problem('SECOND_FACTOR_MISSING', {
      message: 'Set up a second factor of your own before you require one of others.',
    });
  if (!changesAnything(current, asked)) return { status: 200, body: workspaceOut(current) };
  return ctx.write(async ({ trx, audit }) => {
    const { team, role } = await holdTeam(trx, ctx, 'team.settings');
    const problem = await updateTeam(trx, team, asked);
    if (problem === 'taken') throw slugTaken();
    if (problem === 'too_many')
      throw invalid(
        'slug',
        `A team keeps at most ${MOST_FORMER_SLUGS} former addresses. Take one of them back instead.`,
      );
    await audit({
      action: 'team.update',
      target_kind: 'team',
      target_id: team.public_id,
      before: Object.fromEntries(keys(asked).map((key) => [key, team[key]])) as Json,
      after: { ...asked },
    });
    return {
      status: 200,
      body: workspaceOut({ ...team, ...asked, role, is_default: current.is_default }),
    } as const;
  });
};

const keys = (patch: TeamPatch) => Object.keys(patch) as (keyof TeamPatch)[];

const changesAnything = (team: Required<TeamPatch>, patch: TeamPatch) =>
  keys(patch).some((key) => patch[key] !== team[key]);
