import { sql } from 'kysely';
import type { Caller } from '../domain/caller';
import { prepared, type Db } from './client';
import { teamOf, userOf, type IdentityRow } from './sessions';

/** The LISTEN channel of lost rights. Triggers of 0007_access write to it, for every writer. */
export const ACCESS_CHANNEL = 'teehouse_access';

/** What may have lost a right: every stream that matches all the keys given is checked again. */
export interface AccessChange {
  user_id?: number;
  team_id?: number;
  token_id?: number;
  session_id?: number;
}

/** By whose right something is read. */
export interface AccessSubject {
  user_id: number | null;
  team_id: number | null;
  token_id: number | null;
  session_id: number | null;
}

export const concerns = (change: AccessChange, subject: AccessSubject): boolean =>
  (['user_id', 'team_id', 'token_id', 'session_id'] as const).every(
    (key) => change[key] === undefined || change[key] === subject[key],
  );

/** A person in a team, by the session or token they once came with. */
export interface ReaderKey {
  user_id: number;
  team_id: number;
  session_id: number | null;
  token_id: number | null;
}

type Row = IdentityRow & {
  session_id: number | null;
  session_public_id: string;
  auth_method: string;
  factor_shown_at: Date | null;
  confirmed_at: Date;
  sso_connection_id: number | null;
  token_id: number | null;
  scopes: string[];
};

/** Who they are now, or null when the session or token is over, or the person is not in the team any more. */
export async function findReader(db: Db, key: ReaderKey): Promise<Caller | null> {
  const { rows } = await sql<Row>`${prepared}
    select u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar, u.platform_role,
           u.email_verified_at, u.second_factor_at,
           t.id as team_id, t.public_id as team_public_id, t.slug, t.name as team_name, t.tier, t.require_second_factor, m.role,
           e.id as enforced_sso_id, e.domain as enforced_sso_domain, m.sso_connection_id = e.id as sso_made_member,
           s.id as session_id, s.public_id as session_public_id, s.auth_method, s.second_factor_at as factor_shown_at,
           s.confirmed_at, s.sso_connection_id,
           k.id as token_id, k.scopes
    from users u
    join memberships m on m.user_id = u.id and m.team_id = ${key.team_id}
    join teams t on t.id = m.team_id and t.deleted_at is null
    left join sso_connections e on e.team_id = t.id and e.enforced and e.domain_verified_at is not null
    left join sessions s on s.id = ${key.session_id} and s.user_id = u.id and s.expires_at > now()
    left join api_tokens k on k.id = ${key.token_id} and k.user_id = u.id and k.team_id = t.id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    where u.id = ${key.user_id} and u.state = 'active' and (s.id is not null or k.id is not null)`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return null;
  const common = { user: userOf(row), team: teamOf(row) };
  if (row.session_id === null)
    return { ...common, kind: 'token', scopes: row.scopes, session: null, token_id: row.token_id };
  return {
    ...common,
    kind: 'session',
    scopes: ['*'],
    session: {
      id: row.session_id,
      public_id: row.session_public_id,
      auth_method: row.auth_method,
      second_factor_at: row.factor_shown_at,
      confirmed_at: row.confirmed_at,
      sso_connection_id: row.sso_connection_id,
    },
    token_id: null,
  };
}
