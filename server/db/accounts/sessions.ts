import { sql, type Kysely } from 'kysely';
import type { Caller, CallerSession, CallerTeam, ViewAs } from '../../domain/core/caller';
import { roleBySso } from '../../domain/teams/sso';
import { prepared } from '../core/client';
import type { Database } from '../core/schema';

export interface SessionMatch {
  session: CallerSession;
  user: NonNullable<Caller['user']>;
  team: Caller['team'];
  /** Set while the session impersonates another user, who is then `user`. */
  view_as: ViewAs | null;
  /** Whether this is the user's first visit to the team within the hour. */
  stale_visit: boolean;
}

export interface IdentityRow {
  user_id: number;
  user_public_id: string;
  email: string;
  username: string;
  avatar: string;
  platform_role: NonNullable<Caller['user']>['platform_role'];
  email_verified_at: Date | null;
  second_factor_at: Date | null;
  team_id: number | null;
  team_public_id: string;
  slug: string;
  team_name: string;
  tier: string;
  role: NonNullable<Caller['team']>['role'];
  require_second_factor: boolean;
  /** Set to the connection the team enforces; absent where the query doesn't select it, as for a token. */
  enforced_sso_id?: number | null;
  enforced_sso_domain?: string;
  sso_made_member?: boolean;
  /** Whether the session was opened through single sign-on, or the token created in one. */
  via_sso: boolean;
}

export function userOf(row: IdentityRow): NonNullable<Caller['user']> {
  return {
    id: row.user_id,
    public_id: row.user_public_id,
    email: row.email,
    username: row.username,
    avatar: row.avatar,
    platform_role: row.via_sso ? null : row.platform_role,
    email_verified_at: row.email_verified_at,
    second_factor_at: row.second_factor_at,
  };
}

export function teamOf(row: IdentityRow): Caller['team'] {
  if (row.team_id === null) return null;
  return {
    id: row.team_id,
    public_id: row.team_public_id,
    slug: row.slug,
    name: row.team_name,
    tier: row.tier,
    role: row.via_sso && row.role !== null ? roleBySso(row.role) : row.role,
    require_second_factor: row.require_second_factor,
    enforced_sso: row.enforced_sso_id
      ? {
          id: row.enforced_sso_id,
          domain: row.enforced_sso_domain ?? '',
          made_member: row.sso_made_member ?? false,
        }
      : null,
  };
}

/**
 * The effective user of a session `s` of user `me`: `seen` is the impersonated user while the view-as lasts,
 * the viewer still has a role that may, and the target may still be viewed.
 */
export const viewing = sql`
    left join view_as v on v.session_id = s.id and v.expires_at > now() and s.sso_connection_id is null
      and me.platform_role in ('support', 'admin')
    left join users seen on seen.id = v.user_id and seen.state = 'active'
      and (seen.platform_role is null or me.platform_role = 'admin')`;

interface ViewAsRow {
  viewing: boolean | null;
  staff_id: number;
  staff_public_id: string;
  staff_username: string;
  view_reason: string;
  view_expires_at: Date;
}

/**
 * Returns the live session for a token hash, with its user and the requested team (`slug` null: the default
 * team). A session that impersonates has the target's teams, as a viewer of each and without their platform
 * role. A session opened through single sign-on has only its connection's team.
 */
export async function findSession(
  db: Kysely<Database>,
  token_hash: Buffer,
  slug: string | null,
): Promise<SessionMatch | null> {
  const { rows } = await sql<
    IdentityRow &
      ViewAsRow &
      Omit<CallerSession, 'id' | 'second_factor_at'> & {
        session_id: number;
        factor_shown_at: Date | null;
        session_public_id: string;
        stale_visit: boolean | null;
      }
  >`${prepared}
    select s.id as session_id, s.public_id as session_public_id, s.auth_method, s.second_factor_at as factor_shown_at, s.confirmed_at, s.sso_connection_id,
           sc.team_id as sso_team_id, s.sso_connection_id is not null as via_sso, u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar,
           u.platform_role, u.email_verified_at, u.second_factor_at,
           t.id as team_id, t.public_id as team_public_id, t.slug, t.name as team_name, t.tier, t.require_second_factor, m.role,
           e.id as enforced_sso_id, e.domain as enforced_sso_domain, m.sso_connection_id = e.id as sso_made_member,
           m.last_seen_at is null or m.last_seen_at < date_trunc('hour', now()) as stale_visit,
           seen.id is not null as viewing, me.id as staff_id, me.public_id as staff_public_id, me.username as staff_username,
           v.reason as view_reason, v.expires_at as view_expires_at
    from sessions s
    join users me on me.id = s.user_id and me.state = 'active'
    ${viewing}
    left join sso_connections sc on sc.id = s.sso_connection_id
    join users u on u.id = coalesce(seen.id, me.id)
    left join lateral (
      select m.team_id, m.role, m.sso_connection_id, m.last_seen_at from memberships m join teams tt on tt.id = m.team_id and tt.deleted_at is null
      where m.user_id = u.id and (${slug}::text is null or tt.slug = ${slug})
        and (s.sso_connection_id is null or m.team_id = sc.team_id)
      order by m.is_default desc, m.created_at, m.team_id limit 1
    ) m on true
    left join teams t on t.id = m.team_id
    left join sso_connections e on e.team_id = t.id and e.enforced and e.domain_verified_at is not null
      and e.suspended_at is null
    where s.token_hash = ${token_hash} and s.expires_at > now()`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const session = {
    id: row.session_id,
    public_id: row.session_public_id,
    auth_method: row.auth_method,
    second_factor_at: row.factor_shown_at,
    confirmed_at: row.confirmed_at,
    sso_connection_id: row.sso_connection_id,
    sso_team_id: row.sso_team_id,
  };
  const own = { session, user: userOf(row), team: teamOf(row), stale_visit: row.stale_visit ?? false };
  if (!row.viewing) return { ...own, view_as: null };
  return {
    session,
    user: { ...own.user, platform_role: null },
    team: own.team && seenTeam(own.team),
    view_as: {
      staff: { id: row.staff_id, public_id: row.staff_public_id, username: row.staff_username },
      reason: row.view_reason,
      expires_at: row.view_expires_at,
    },
    // An impersonated visit doesn't count as the member's.
    stale_visit: false,
  };
}

/**
 * A team as staff see it through a member's eyes. Its single sign-on isn't enforced, because staff aren't its
 * members.
 */
export const seenTeam = (team: CallerTeam): CallerTeam => ({ ...team, role: 'viewer', enforced_sso: null });

/** Returns any team, for callers who aren't members of it: staff by its slug, holders of a commit token by its ID. */
export async function findForeignTeam(
  db: Kysely<Database>,
  team: { slug: string } | { id: number },
): Promise<CallerTeam | null> {
  const row = await db
    .selectFrom('teams')
    .select(['id', 'public_id', 'slug', 'name', 'tier', 'require_second_factor'])
    .where((eb) => ('slug' in team ? eb('slug', '=', team.slug) : eb('id', '=', team.id)))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ? { ...row, role: null, enforced_sso: null } : null;
}
