import type { EnforcedSso } from './sso';

export type TeamRole = 'viewer' | 'member' | 'billing' | 'admin' | 'owner';
export type PlatformRole = 'support' | 'finance' | 'infra' | 'admin';

export interface CallerUser {
  id: number;
  public_id: string;
  email: string;
  username: string;
  avatar: string;
  platform_role: PlatformRole | null;
  email_verified_at: Date | null;
  /** Since when the person has a second factor. */
  second_factor_at: Date | null;
}

export interface CallerTeam {
  id: number;
  public_id: string;
  slug: string;
  name: string;
  tier: string;
  /** Null for platform staff, who are no members. */
  role: TeamRole | null;
  require_second_factor: boolean;
  /** Set where members have to come through the team's sign-in provider. */
  enforced_sso: EnforcedSso | null;
}

/** What a session has shown of its person. */
export interface CallerSession {
  id: number;
  public_id: string;
  auth_method: string;
  /** When it showed a second factor. */
  second_factor_at: Date | null;
  /** When the person last proved to be there: at sign-in, and at each step-up. */
  confirmed_at: Date;
  /** The connection of single sign-on it was opened through. */
  sso_connection_id: number | null;
}

/** Staff who look at the console as somebody else: `user` is whom they look as, and nothing can be changed. */
export interface ViewAs {
  staff: Pick<CallerUser, 'id' | 'public_id' | 'username'>;
  reason: string;
  expires_at: Date;
}

/** Who asks. `team` is the one named by X-Workspace, the token's own, or the person's default. */
export interface Caller {
  kind: 'anonymous' | 'session' | 'token';
  user: CallerUser | null;
  team: CallerTeam | null;
  scopes: readonly string[];
  session: CallerSession | null;
  token_id: number | null;
  /** The team was named with X-Admin-Workspace: what counts is the platform role alone. */
  as_staff: boolean;
  view_as: ViewAs | null;
}
