import { sql } from 'kysely';
import type { Caller, CallerSession } from '../../domain/core/caller';
import type { LogReader } from '../../domain/logs/logUrls';
import { prepared, type Db } from '../core/client';
import { findForeignTeam, seenTeam, teamOf, userOf, viewing, type IdentityRow } from '../accounts/sessions';

/** LISTEN channel of lost rights. Triggers of 0007_access write to it for every writer. */
export const ACCESS_CHANNEL = 'teehouse_access';

/** A right that may have been lost: every stream matching all given keys is checked again. */
export interface AccessChange {
  user_id?: number;
  team_id?: number;
  token_id?: number;
  session_id?: number;
}

/** The user or token whose access permits a read. */
export interface AccessSubject {
  user_id: number | null;
  team_id: number | null;
  token_id: number | null;
  session_id: number | null;
  /** When staff impersonate the user: the staff user whose role permits it. */
  staff_user_id?: number | null;
}

export const concerns = (change: AccessChange, subject: AccessSubject): boolean =>
  (['team_id', 'token_id', 'session_id'] as const).every(
    (key) => change[key] === undefined || change[key] === subject[key],
  ) &&
  (change.user_id === undefined ||
    change.user_id === subject.user_id ||
    change.user_id === subject.staff_user_id);

/** A user in a team, by the session or token they authenticated with. */
export interface ReaderKey extends LogReader {
  team_id: number;
}

type Row = IdentityRow &
  SessionColumns & {
    token_id: number | null;
    scopes: string[];
    /** Whether the session impersonates this user, who didn't open it. */
    viewing: boolean;
    staff_id: number;
    staff_public_id: string;
    staff_username: string;
    view_reason: string;
    view_expires_at: Date;
  };

/**
 * Returns the reader's current access, or null when the session or token has ended or the user has left the
 * team.
 */
export async function findReader(db: Db, key: ReaderKey): Promise<Caller | null> {
  if (key.as_staff) return findStaffReader(db, key);
  const { rows } = await sql<Row>`${prepared}
    select u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar, u.platform_role,
           u.email_verified_at, u.second_factor_at,
           t.id as team_id, t.public_id as team_public_id, t.slug, t.name as team_name, t.tier, t.require_second_factor, m.role,
           e.id as enforced_sso_id, e.domain as enforced_sso_domain, m.sso_connection_id = e.id as sso_made_member,
           s.id as session_id, s.public_id as session_public_id, s.auth_method, s.second_factor_at as factor_shown_at,
           s.confirmed_at, s.sso_connection_id, sc.team_id as sso_team_id,
           s.sso_connection_id is not null or coalesce(k.via_sso, false) as via_sso,
           k.id as token_id, k.scopes,
           coalesce(s.user_id <> u.id, false) as viewing, me.id as staff_id, me.public_id as staff_public_id,
           me.username as staff_username, v.reason as view_reason, v.expires_at as view_expires_at
    from users u
    join memberships m on m.user_id = u.id and m.team_id = ${key.team_id}
    join teams t on t.id = m.team_id and t.deleted_at is null
    left join sso_connections e on e.team_id = t.id and e.enforced and e.domain_verified_at is not null
      and e.suspended_at is null
    left join sessions s on s.id = ${key.session_id} and s.expires_at > now()
    left join sso_connections sc on sc.id = s.sso_connection_id
    left join users me on me.id = s.user_id and me.state = 'active'
    ${viewing}
    left join api_tokens k on k.id = ${key.token_id} and k.user_id = u.id and k.team_id = t.id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    where u.id = ${key.user_id} and u.state = 'active'
      and (k.id is not null or s.user_id = u.id and seen.id is null or seen.id = u.id)`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const user = userOf(row);
  const team = teamOf(row);
  const common = { user, team, as_staff: false, view_as: null, via_sso: row.via_sso };
  if (row.token_id !== null)
    return { ...common, kind: 'token', scopes: row.scopes, session: null, token_id: row.token_id };
  const session = sessionOf(row);
  const own: Caller = { ...common, kind: 'session', scopes: ['*'], session, token_id: null };
  if (!row.viewing) return own;
  return {
    ...own,
    user: { ...user, platform_role: null },
    team: team && seenTeam(team),
    view_as: {
      staff: { id: row.staff_id, public_id: row.staff_public_id, username: row.staff_username },
      reason: row.view_reason,
      expires_at: row.view_expires_at,
    },
  };
}

type StaffRow = IdentityRow & SessionColumns & { team_slug: string };

/** Staff in a team they aren't members of; null when the session has ended or impersonates a user now. */
async function findStaffReader(db: Db, { user_id, team_id, session_id }: ReaderKey): Promise<Caller | null> {
  const { rows } = await sql<StaffRow>`${prepared}
    select me.id as user_id, me.public_id as user_public_id, me.email, me.username, me.avatar, me.platform_role,
           me.email_verified_at, me.second_factor_at, t.slug as team_slug,
           s.id as session_id, s.public_id as session_public_id, s.auth_method, s.second_factor_at as factor_shown_at,
           s.confirmed_at, s.sso_connection_id, null::bigint as sso_team_id, false as via_sso
    from sessions s
    join users me on me.id = s.user_id and me.id = ${user_id} and me.state = 'active' and me.platform_role is not null
    join teams t on t.id = ${team_id} and t.deleted_at is null
    ${viewing}
    where s.id = ${session_id} and s.expires_at > now() and s.sso_connection_id is null
      and seen.id is null`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const user = userOf(row);
  const team = await findForeignTeam(db, { slug: row.team_slug });
  const session = sessionOf(row);
  return {
    kind: 'session',
    user,
    team,
    scopes: ['*'],
    session,
    token_id: null,
    as_staff: true,
    view_as: null,
    via_sso: false,
  };
}

interface SessionColumns {
  session_id: number | null;
  session_public_id: string;
  auth_method: string;
  factor_shown_at: Date | null;
  confirmed_at: Date;
  sso_connection_id: number | null;
  sso_team_id: number | null;
}

const sessionOf = (row: SessionColumns): CallerSession => ({
  id: row.session_id ?? 0,
  public_id: row.session_public_id,
  auth_method: row.auth_method,
  second_factor_at: row.factor_shown_at,
  confirmed_at: row.confirmed_at,
  sso_connection_id: row.sso_connection_id,
  sso_team_id: row.sso_team_id,
});
