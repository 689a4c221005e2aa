import { findTeamToken, type OwnedToken } from '../../db/apiTokens';
import type { TeamRole } from '../../domain/caller';
import { Problem } from '../../domain/problem';
import { personOf, memberTeamOf } from '../shared/caller';
import type { Context } from '../types';

/** Admins and owners see and revoke the tokens of all members, others their own. */
export const seesEverybodys = (role: TeamRole) => role === 'admin' || role === 'owner';

/** The token of that id, if the person may know of it. @throws NOT_FOUND */
export async function tokenOf(ctx: Context, token_id: string): Promise<OwnedToken> {
  const team = memberTeamOf(ctx);
  const row = await findTeamToken(ctx.db, team.id, token_id);
  if (!row || (row.user_id !== personOf(ctx).id && !seesEverybodys(team.role)))
    throw new Problem('NOT_FOUND', { message: 'The team has no such token.' });
  return row;
}
