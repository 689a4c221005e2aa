import { findTeam, type TeamMembership } from '../../db/teams';
import type { CallerTeam, CallerUser } from '../../domain/caller';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';

/** The person asking. The permission has been checked, so there is one; this says so to the type checker. */
export function personOf(ctx: Context): CallerUser {
  if (!ctx.caller.user) throw new Problem('UNAUTHENTICATED');
  return ctx.caller.user;
}

/** The team the request acts for. A person may be in none. */
export function teamOf(ctx: Context): CallerTeam {
  if (!ctx.caller.team)
    throw new Problem('NOT_FOUND', {
      message: 'You are in no team.',
      suggestions: ['Make a team, or ask to be invited to one.'],
    });
  return ctx.caller.team;
}

/** The team named in the path: any of the person's for a session, its own for a token. Others do not exist. */
export async function teamOfPath(ctx: Context, slug: string): Promise<TeamMembership> {
  const foreign = ctx.caller.kind === 'token' && ctx.caller.team?.slug !== slug;
  const team = foreign ? undefined : await findTeam(ctx.db, personOf(ctx).id, slug);
  if (!team) throw new Problem('NOT_FOUND', { message: `There is no team “${slug}” that you belong to.` });
  return team;
}
