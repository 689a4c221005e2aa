import type { Permission } from '../../../generated/api/permissions.gen';
import type { Tx } from '../../db/core/client';
import { lockTeam, roleOf } from '../../db/teams/members';
import type { TeamRow } from '../../db/teams/teamsTable';
import { findTeam, type TeamMembership } from '../../db/teams/teams';
import type { CallerTeam, CallerUser, TeamRole } from '../../domain/core/caller';
import { decide } from '../../domain/teams/permissions';
import { roleBySso } from '../../domain/teams/sso';
import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';

/** Returns the calling user. The permission check guarantees one; this tells the type checker. */
export function userOf(ctx: Context): CallerUser {
  if (!ctx.caller.user) throw new Problem('UNAUTHENTICATED');
  return ctx.caller.user;
}

/** Returns the team the request acts for: the one in the path if there is one. A user may have none. */
export function teamOf(ctx: Context): CallerTeam {
  if (!ctx.caller.team)
    throw new Problem('NOT_FOUND', {
      message: "You aren't in a team.",
      suggestions: ['Create a team, or ask for an invitation to one.'],
    });
  return ctx.caller.team;
}

/**
 * Returns the team with the caller's role in it, for operations closed to platform roles. @throws FORBIDDEN
 */
export function memberTeamOf(ctx: Context): CallerTeam & { role: TeamRole } {
  const team = teamOf(ctx);
  if (team.role === null) throw new Problem('FORBIDDEN');
  return { ...team, role: team.role };
}

/** Returns the same team with its full row and the caller's role in it. */
export async function membershipOf(ctx: Context): Promise<TeamMembership> {
  const { slug } = teamOf(ctx);
  const team = await findTeam(ctx.db, userOf(ctx).id, slug);
  if (!team) throw new Problem('NOT_FOUND', { message: `You don't belong to a team “${slug}”.` });
  return team;
}

/**
 * Locks the request's team until the transaction ends and rechecks the caller's permission: when two members
 * change each other concurrently, the second acts with the rights the first left. With `permission` null,
 * only membership is checked.
 */
export async function holdTeam(
  trx: Tx,
  ctx: Context,
  permission: Permission | null,
): Promise<{ team: TeamRow; role: TeamRole }> {
  const { id, slug } = teamOf(ctx);
  const team = await lockTeam(trx, id);
  const held = team ? await roleOf(trx, id, userOf(ctx).id) : null;
  // Leaving uses the member's real role: the last owner can't leave.
  const role = held !== null && permission !== null && ctx.caller.via_sso ? roleBySso(held) : held;
  if (!team || role === null)
    throw new Problem('NOT_FOUND', { message: `You don't belong to a team “${slug}”.` });
  const subject = { kind: 'session', team_role: role, platform_role: null, scopes: [] } as const;
  if (permission !== null && decide(permission, subject) !== 'allowed') throw new Problem('FORBIDDEN');
  return { team, role };
}
