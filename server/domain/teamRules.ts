import type { CallerSession, CallerTeam, CallerUser } from './caller';
import { ssoRefusal } from './sso';

export type TeamRefusal = 'second_factor' | 'sso';

/** Of who asks, what the rules of a team look at. */
export interface TeamEntry {
  user: Pick<CallerUser, 'second_factor_at' | 'email'> | null;
  team: Pick<CallerTeam, 'require_second_factor' | 'role' | 'enforced_sso'> | null;
  /** Null for a token. */
  session: Pick<CallerSession, 'second_factor_at' | 'sso_connection_id'> | null;
}

/**
 * What is lacking to enter the team, by the team's own rules; null when nothing is. A session must itself have shown a
 * second factor; a token counts as its owner, who must have one.
 */
export function teamRefusal({ user, team, session }: TeamEntry): TeamRefusal | null {
  if (!user || !team) return null;
  if (team.require_second_factor) {
    const shown = session ? session.second_factor_at : user.second_factor_at;
    if (shown === null) return 'second_factor';
  }
  // A token stands for the session in which it was made.
  if (!session) return null;
  const { email } = user;
  // Staff are no members, and no provider of the team knows them.
  if (team.role === null) return null;
  const gate = {
    enforced: team.enforced_sso,
    session_sso_id: session.sso_connection_id,
    email,
    role: team.role,
  };
  return ssoRefusal(gate) === null ? null : 'sso';
}
