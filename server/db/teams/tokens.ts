import { sql, type Kysely } from 'kysely';
import type { Caller } from '../../domain/core/caller';
import { prepared } from '../core/client';
import type { Database } from '../core/schema';
import { teamOf, userOf, type IdentityRow } from '../accounts/sessions';

export interface TokenMatch {
  token_id: number;
  scopes: string[];
  /** Whether the last use was recorded more than a minute ago. */
  stale_use: boolean;
  user: NonNullable<Caller['user']>;
  team: Caller['team'];
  via_sso: boolean;
  default_version: string | null;
}

type Row = IdentityRow & Pick<TokenMatch, 'token_id' | 'scopes' | 'stale_use' | 'default_version'>;

/** Returns the live token of a hash with its user and team; tokens of users who left the team no longer work. */
export async function findToken(db: Kysely<Database>, token_hash: Buffer): Promise<TokenMatch | null> {
  const { rows } = await sql<Row>`${prepared}
    select k.id as token_id, k.scopes, k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale_use,
           u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar, u.platform_role, u.email_verified_at,
           u.second_factor_at, k.via_sso, k.default_version,
           t.id as team_id, t.public_id as team_public_id, t.slug, t.name as team_name, t.tier, t.require_second_factor, m.role
    from api_tokens k
    join users u on u.id = k.user_id and u.state = 'active'
    join teams t on t.id = k.team_id and t.deleted_at is null
    join memberships m on m.team_id = k.team_id and m.user_id = k.user_id
    where k.token_hash = ${token_hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return null;
  return {
    token_id: row.token_id,
    scopes: row.scopes,
    stale_use: row.stale_use,
    user: userOf(row),
    team: teamOf(row),
    via_sso: row.via_sso,
    default_version: row.default_version,
  };
}
