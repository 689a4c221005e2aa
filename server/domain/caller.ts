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
}

export interface CallerTeam {
  id: number;
  public_id: string;
  slug: string;
  name: string;
  tier: string;
  role: TeamRole;
}

/** Who asks. `team` is the one named by X-Workspace, the token's own, or the person's default. */
export interface Caller {
  kind: 'anonymous' | 'session' | 'token';
  user: CallerUser | null;
  team: CallerTeam | null;
  scopes: readonly string[];
  session_id: number | null;
  token_id: number | null;
}
