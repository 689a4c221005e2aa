import { debtStage, type DebtDates } from '../billing/debt';
import type { CurrentUser, Session, SessionTeam } from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import type { CallerTeam, CallerUser, TeamRole, ViewAs } from '../core/caller';
import { permissionsOf, permissionsOfStaff } from '../teams/permissions';
import type { TeamRefusal } from '../teams/teamRules';
import type { RoleRefusal } from './staffSso';
import { teamVersion } from '../teams/teamVersions';

/** Micro-dollars. */
interface TeamBalance {
  balance: number;
  credits: number;
  /** Credit limit: how far below zero it may go. */
  cap: number;
}
const NOTHING: TeamBalance = { balance: 0, credits: 0, cap: 0 };

export function currentUserOut(
  user: CallerUser,
  team: CallerTeam & { role: TeamRole },
  facts: { has_password: boolean; totp_enabled: boolean; has_backup_codes: boolean },
  funds: TeamBalance | null,
): CurrentUser {
  const { balance, credits, cap } = funds ?? NOTHING;
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
      balance: formatMicros(balance),
      granted_balance: formatMicros(credits),
      is_post_paid: cap > 0,
      outstanding_amount: balance < 0 ? formatMicros(-balance) : null,
    },
  };
}

interface SessionTeamFields {
  public_id: string;
  name: string;
  slug: string;
  former_slugs: string[];
  role: TeamRole;
  is_default: boolean;
  require_second_factor: boolean;
  confidential_models_enabled: boolean;
  /** Why this session can't open the team; null if it can. */
  refused: Exclude<TeamRefusal, 'own_sign_in'> | null;
  debt: DebtDates | null;
  /** Whether any host is open to the team. */
  has_host: boolean;
}

export interface SessionPerson {
  user: Omit<CallerUser, 'id'> & { created_at: Date };
  teams: readonly SessionTeamFields[];
  view_as: ViewAs | null;
  /** Why the platform role doesn't count here; `user` then has none. */
  role_refused: RoleRefusal | null;
  /** Why the session can't change account settings. */
  settings_refused: Session['account_settings_refused'];
  /** For staff only. */
  break_glass: readonly { username: string; reason: string; ends_at: Date }[];
  /** The only team of a session opened by single sign-on. */
  sso_team: Pick<SessionTeamFields, 'name' | 'slug'> | null;
}

/** Returns the caller's session. `person` is null when the caller isn't signed in. */
export function sessionOut(
  person: SessionPerson | null,
  server: Pick<Session, 'announcements' | 'features' | 'environment'>,
): Session {
  if (!person)
    return {
      user: null,
      teams: [],
      platform_role: null,
      platform_role_refused: null,
      platform_permissions: [],
      view_as: null,
      single_sign_on: null,
      account_settings_refused: null,
      break_glass: [],
      ...server,
    };
  const { user, teams, view_as, sso_team, role_refused, settings_refused, break_glass } = person;
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
    platform_role_refused: role_refused,
    platform_permissions: permissionsOfStaff(user.platform_role),
    view_as: view_as && {
      staff: view_as.staff.username,
      reason: view_as.reason,
      expires_at: view_as.expires_at.toISOString(),
    },
    single_sign_on: sso_team && { team_name: sso_team.name, team_slug: sso_team.slug },
    account_settings_refused: settings_refused,
    break_glass: break_glass.map(({ username, reason, ends_at }) => ({
      username,
      reason,
      ends_at: ends_at.toISOString(),
    })),
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
  debt: team.debt && {
    stage: debtStage(team.debt, new Date()),
    stops_at: team.debt.stops_at.toISOString(),
    deletes_at: team.debt.deletes_at.toISOString(),
  },
  has_host: team.has_host,
  permissions: permissionsOf(team.role),
  etag: teamVersion.etag(team, team.former_slugs),
});
