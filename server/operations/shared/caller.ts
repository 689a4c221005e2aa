import type { Permission } from '../../../generated/api/permissions.gen';
import type { Tx } from '../../db/client';
import { lockTeam, roleOf } from '../../db/members';
import type { TeamRow } from '../../db/schema';
import { findTeam, type TeamMembership } from '../../db/teams';
import type { CallerTeam, CallerUser, TeamRole } from '../../domain/caller';
import { decide } from '../../domain/permissions';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';

/** The person asking. The permission has been checked, so there is one; this says so to the type checker. */
export function personOf(ctx: Context): CallerUser {
  if (!ctx.caller.user) throw new Problem('UNAUTHENTICATED');
  return ctx.caller.user;
}

/** The team the request acts for: the one in the path where there is one. A person may be in none. */
export function teamOf(ctx: Context): CallerTeam {
  if (!ctx.caller.team)
    throw new Problem('NOT_FOUND', {
      message: 'You are in no team.',
      suggestions: ['Make a team, or ask to be invited to one.'],
    });
  return ctx.caller.team;
}

/** The team, of which the caller is a member: what asks for it is open to no platform role. @throws FORBIDDEN */
export function memberTeamOf(ctx: Context): CallerTeam & { role: TeamRole } {
  const team = teamOf(ctx);
  if (team.role === null) throw new Problem('FORBIDDEN');
  return { ...team, role: team.role };
}

/** The same team with all its row says, and what the person is in it. */
export async function membershipOf(ctx: Context): Promise<TeamMembership> {
  const { slug } = teamOf(ctx);
  const team = await findTeam(ctx.db, personOf(ctx).id, slug);
  if (!team) throw new Problem('NOT_FOUND', { message: `There is no team “${slug}” that you belong to.` });
  return team;
}

/**
 * Holds the request's team until the transaction ends and looks anew at what the person may do in it: of two who change
 * each other at once, the second acts with what the first left. `permission` null: only that they are in it.
 */
export async function holdTeam(
  trx: Tx,
  ctx: Context,
  permission: Permission | null,
): Promise<{ team: TeamRow; role: TeamRole }> {
  const { id, slug } = teamOf(ctx);
  const team = await lockTeam(trx, id);
  const role = team ? await roleOf(trx, id, personOf(ctx).id) : null;
  if (!team || role === null)
    throw new Problem('NOT_FOUND', { message: `There is no team “${slug}” that you belong to.` });
  const subject = { kind: 'session', team_role: role, platform_role: null, scopes: [] } as const;
  if (permission !== null && decide(permission, subject) !== 'allowed') throw new Problem('FORBIDDEN');
  return { team, role };
}
