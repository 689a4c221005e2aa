import { findTeamToken, type OwnedToken } from '../../../db/teams/apiTokens';
import type { TeamRole } from '../../../domain/core/caller';
import { Problem } from '../../../domain/core/problem';
import { userOf, memberTeamOf } from '../../core/caller';
import type { Context } from '../../types';

/** Admins and owners see and revoke all members' tokens, others only their own. */
export const seesEverybodys = (role: TeamRole) => role === 'admin' || role === 'owner';

export const noToken = () => new Problem('NOT_FOUND', { message: 'Token not found in this team.' });

/** Returns the token with that id, if the user may know of it. @throws NOT_FOUND */
export async function tokenOf(ctx: Context, token_id: string): Promise<OwnedToken> {
  const team = memberTeamOf(ctx);
  const row = await findTeamToken(ctx.db, team.id, token_id);
  if (!row || (row.user_id !== userOf(ctx).id && !seesEverybodys(team.role))) throw noToken();
  return row;
}
