import type { RoleRefusal } from '../accounts/staffSso';
import type { EnforcedSso } from '../teams/sso';

export type TeamRole = 'viewer' | 'member' | 'billing' | 'admin' | 'owner';
/** Roles that pay for a team. */
export const PAYING_ROLES = ['billing', 'admin', 'owner'] as const satisfies readonly TeamRole[];
export type PlatformRole = 'support' | 'finance' | 'infra' | 'admin';

export interface CallerUser {
  id: number;
  public_id: string;
  email: string;
  username: string;
  avatar: string;
  platform_role: PlatformRole | null;
  email_verified_at: Date | null;
  /** When the user set up a second factor. */
  second_factor_at: Date | null;
}

export interface CallerTeam {
  id: number;
  public_id: string;
  slug: string;
  name: string;
  tier: string;
  /** Null for platform staff, who aren't members. */
  role: TeamRole | null;
  require_second_factor: boolean;
  /** Set where members must sign in through the team's provider. */
  enforced_sso: EnforcedSso | null;
}

/** The factors presented by a session's user. */
export interface CallerSession {
  id: number;
  public_id: string;
  auth_method: string;
  /** When the session presented a second factor. */
  second_factor_at: Date | null;
  /** When the user last confirmed their identity: at sign-in, and at each step-up. */
  confirmed_at: Date;
  /** The single sign-on connection that opened it. */
  sso_connection_id: number | null;
  /** That connection's team, the only one the session can access. */
  sso_team_id: number | null;
}

/** Impersonation by staff: `user` is the impersonated user, and access is read-only. */
export interface ViewAs {
  staff: Pick<CallerUser, 'id' | 'public_id' | 'username'>;
  reason: string;
  expires_at: Date;
}

/** The authenticated caller. `team` is the one named by X-Workspace, the token's own, or the user's default. */
export interface Caller {
  kind: 'anonymous' | 'session' | 'token';
  user: CallerUser | null;
  team: CallerTeam | null;
  scopes: readonly string[];
  session: CallerSession | null;
  token_id: number | null;
  /** X-Admin-Workspace named the team: only the platform role counts. */
  as_staff: boolean;
  /** Why the user's platform role doesn't count in this request (ADMIN_NETWORKS, STAFF_SSO_REQUIRED). */
  role_refused?: RoleRefusal | null;
  view_as: ViewAs | null;
  /**
   * A session opened through single sign-on, or a token created in one: no platform role, one team, no
   * account settings.
   */
  via_sso: boolean;
}
