import { isStaffSignIn } from '../accounts/staffSso';
import type { CallerSession, CallerTeam, CallerUser, ViewAs } from '../core/caller';
import { ssoRefusal } from './sso';

export type TeamRefusal = 'second_factor' | 'sso' | 'own_sign_in';

/** The caller's facts that a team's rules use. */
export interface TeamEntry {
  user: Pick<CallerUser, 'second_factor_at' | 'email'> | null;
  team: Pick<CallerTeam, 'id' | 'require_second_factor' | 'role' | 'enforced_sso'> | null;
  /** Null for a token. */
  session: Pick<
    CallerSession,
    'auth_method' | 'second_factor_at' | 'sso_connection_id' | 'sso_team_id'
  > | null;
  /** Set while staff view the team as one of its members. */
  view_as?: ViewAs | null;
}

/**
 * Returns the missing requirement for accessing the team under its own rules; null when none is missing. A
 * session must itself have presented a second factor; a token counts as its owner, who must have one.
 */
export function teamRefusal({ user, team, session, view_as = null }: TeamEntry): TeamRefusal | null {
  if (!user || !team) return null;
  // A provider's operator can sign in as any of its users, so such a session accesses only its own team.
  if (session && session.sso_team_id !== null && session.sso_team_id !== team.id) return 'own_sign_in';
  const isStaff = team.role === null || view_as !== null;
  // The operator's provider is responsible for the factors of its staff, who can't set up their own in its sessions.
  if (team.require_second_factor && !(isStaff && session && isStaffSignIn(session.auth_method))) {
    const shown = session ? session.second_factor_at : user.second_factor_at;
    if (shown === null) return 'second_factor';
  }
  // A token stands for the session that created it.
  if (!session) return null;
  const { email } = user;
  // Staff aren't members, and the team's provider doesn't know them.
  if (team.role === null) return null;
  const gate = {
    enforced: team.enforced_sso,
    session_sso_id: session.sso_connection_id,
    email,
    role: team.role,
  };
  return ssoRefusal(gate) === null ? null : 'sso';
}
