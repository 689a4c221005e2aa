import { sql, type Kysely } from 'kysely';
import type { Caller, CallerSession } from '../domain/caller';
import { prepared } from './client';
import type { Database } from './schema';

export interface SessionMatch {
  session: CallerSession;
  user: NonNullable<Caller['user']>;
  team: Caller['team'];
  /** Whether this is the person's first visit to the team within the hour. */
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
  /** Of the connection the team enforces; absent where it is not asked for, as for a token. */
  enforced_sso_id?: number | null;
  enforced_sso_domain?: string;
  sso_made_member?: boolean;
}

export function userOf(row: IdentityRow): NonNullable<Caller['user']> {
  return {
    id: row.user_id,
    public_id: row.user_public_id,
    email: row.email,
    username: row.username,
    avatar: row.avatar,
    platform_role: row.platform_role,
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
    role: row.role,
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

/** The live session of a token hash with its person and the team they ask for (`slug` null: their default team). */
export async function findSession(
  db: Kysely<Database>,
  token_hash: Buffer,
  slug: string | null,
): Promise<SessionMatch | null> {
  const { rows } = await sql<
    IdentityRow &
      Omit<CallerSession, 'id' | 'second_factor_at'> & {
        session_id: number;
        factor_shown_at: Date | null;
        session_public_id: string;
        stale_visit: boolean | null;
      }
  >`${prepared}
    select s.id as session_id, s.public_id as session_public_id, s.auth_method, s.second_factor_at as factor_shown_at, s.confirmed_at, s.sso_connection_id, u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar,
           u.platform_role, u.email_verified_at, u.second_factor_at,
           t.id as team_id, t.public_id as team_public_id, t.slug, t.name as team_name, t.tier, t.require_second_factor, m.role,
           e.id as enforced_sso_id, e.domain as enforced_sso_domain, m.sso_connection_id = e.id as sso_made_member,
           m.last_seen_at is null or m.last_seen_at < date_trunc('hour', now()) as stale_visit
    from sessions s
    join users u on u.id = s.user_id and u.state = 'active'
    left join lateral (
      select m.team_id, m.role, m.sso_connection_id, m.last_seen_at from memberships m join teams tt on tt.id = m.team_id and tt.deleted_at is null
      where m.user_id = u.id and (${slug}::text is null or tt.slug = ${slug})
      order by m.is_default desc, m.created_at, m.team_id limit 1
    ) m on true
    left join teams t on t.id = m.team_id
    left join sso_connections e on e.team_id = t.id and e.enforced and e.domain_verified_at is not null
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
  };
  return { session, user: userOf(row), team: teamOf(row), stale_visit: row.stale_visit ?? false };
}
