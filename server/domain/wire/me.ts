import type { CurrentUser, Session, SessionTeam } from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/money';
import type { CallerTeam, CallerUser, TeamRole, ViewAs } from '../caller';
import { permissionsOf, permissionsOfStaff } from '../permissions';
import type { TeamRefusal } from '../teamRules';

/** Nothing is charged yet: there is no ledger whose sum could be anything else. */
const NO_CREDITS = formatMicros(0);

export function currentUserOut(
  user: CallerUser,
  team: CallerTeam & { role: TeamRole },
  facts: { has_password: boolean; totp_enabled: boolean; has_backup_codes: boolean },
): CurrentUser {
  return {
    user: {
      id: user.public_id,
      username: user.username,
      email: user.email,
      role: user.platform_role === 'admin' ? 'admin' : 'user',
      avatar: user.avatar,
      email_verified: user.email_verified_at !== null,
      totp_enabled: facts.totp_enabled,
      has_backup_codes: facts.has_backup_codes,
      flag_has_password: facts.has_password,
    },
    workspace: {
      id: team.public_id,
      name: team.name,
      slug: team.slug,
      tier: team.tier,
      role: team.role,
      avatar: null,
    },
    credits: {
      balance: NO_CREDITS,
      granted_balance: NO_CREDITS,
      is_post_paid: false,
      outstanding_amount: null,
    },
  };
}

export interface SessionTeamFields {
  public_id: string;
  name: string;
  slug: string;
  former_slugs: string[];
  role: TeamRole;
  is_default: boolean;
  /** What the session lacks to enter. */
  refused: TeamRefusal | null;
}

export interface SessionPerson {
  user: Omit<CallerUser, 'id'> & { created_at: Date };
  teams: readonly SessionTeamFields[];
  view_as: ViewAs | null;
}

/** `person: null` for somebody who is not signed in. */
export function sessionOut(
  person: SessionPerson | null,
  server: Pick<Session, 'announcements' | 'features' | 'environment'>,
): Session {
  if (!person)
    return { user: null, teams: [], platform_role: null, platform_permissions: [], view_as: null, ...server };
  const { user, teams, view_as } = person;
  return {
    user: {
      id: user.public_id,
      username: user.username,
      email: user.email,
      email_verified: user.email_verified_at !== null,
      avatar: user.avatar,
      created_at: user.created_at.toISOString(),
      second_factor: user.second_factor_at !== null,
    },
    teams: teams.map(sessionTeamOut),
    platform_role: user.platform_role,
    platform_permissions: permissionsOfStaff(user.platform_role),
    view_as: view_as && {
      staff: view_as.staff.username,
      reason: view_as.reason,
      expires_at: view_as.expires_at.toISOString(),
    },
    ...server,
  };
}

const sessionTeamOut = (team: SessionTeamFields): SessionTeam => ({
  id: team.public_id,
  name: team.name,
  slug: team.slug,
  former_slugs: team.former_slugs,
  role: team.role,
  is_default: team.is_default,
  avatar_url: null,
  refused: team.refused,
  permissions: permissionsOf(team.role),
});
