import { sql, type Selectable } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import { hashToken, newToken, tokenPrefix, type TokenType } from '../../domain/teams/token';
import type { Db, Tx } from '../core/client';
import type { ApiTokensTable } from './apiTokensTable';

export type ApiTokenRow = Selectable<ApiTokensTable>;

export interface NewApiToken {
  type: Extract<TokenType, 'api' | 'cli'>;
  user_id: number;
  team_id: number;
  name: string;
  scopes: string[];
  /** Lifetime in seconds; null for no expiry. */
  seconds: number | null;
  /** Created in a session opened through single sign-on, whose limits it keeps. */
  via_sso?: boolean;
  default_version?: string | null;
}

/** Only the return value holds the token; the database stores its hash. */
export async function createToken(
  trx: Tx,
  { type, seconds, ...values }: NewApiToken,
): Promise<{ token: string; token_row: ApiTokenRow }> {
  const token = newToken(type);
  const token_row = await trx
    .insertInto('api_tokens')
    .values({
      ...values,
      public_id: publicId('tok'),
      token_hash: hashToken(token),
      token_prefix: tokenPrefix(token),
      token_last4: token.slice(-4),
      expires_at: seconds === null ? null : new Date(Date.now() + seconds * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { token, token_row };
}

/** By public ID or by the token's hash; returns undefined when no live token matches. */
export function revokeToken(
  trx: Tx,
  which: { public_id: string } | { token_hash: Buffer },
): Promise<ApiTokenRow | undefined> {
  const query = trx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('revoked_at', 'is', null)
    .returningAll();
  return 'public_id' in which
    ? query.where('public_id', '=', which.public_id).executeTakeFirst()
    : query.where('token_hash', '=', which.token_hash).executeTakeFirst();
}

/** Counts one user's live tokens in one team. */
export async function countLiveTokens(db: Db | Tx, team_id: number, user_id: number): Promise<number> {
  const row = await db
    .selectFrom('api_tokens')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirstOrThrow();
  return row.n;
}

/** A token and its owner. */
export interface OwnedToken extends Omit<ApiTokenRow, 'token_hash' | 'via_sso'> {
  owner_public_id: string;
  owner_username: string;
  owner_avatar: string;
}

const owned = (db: Db | Tx, team_id: number) =>
  db
    .selectFrom('api_tokens as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select([
      'k.id',
      'k.public_id',
      'k.team_id',
      'k.user_id',
      'k.name',
      'k.token_prefix',
      'k.token_last4',
      'k.scopes',
      'k.created_at',
      'k.last_used_at',
      'k.last_used_ip',
      'k.expires_at',
      'k.revoked_at',
      'k.default_version',
      'u.public_id as owner_public_id',
      'u.username as owner_username',
      'u.avatar as owner_avatar',
    ])
    .where('k.team_id', '=', team_id);

export interface TeamTokenQuery {
  team_id: number;
  /** Only this user's; null: all users'. */
  user_id: number | null;
  state: 'active' | 'expired' | 'revoked' | null;
  /** Only older than the one with this ID. */
  before: number | null;
  limit: number;
}

const STATES = {
  active: sql<boolean>`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
  expired: sql<boolean>`k.revoked_at is null and k.expires_at <= now()`,
  revoked: sql<boolean>`k.revoked_at is not null`,
};

/** Newest first. */
export function listTeamTokens(db: Db, query: TeamTokenQuery): Promise<OwnedToken[]> {
  let rows = owned(db, query.team_id);
  if (query.user_id !== null) rows = rows.where('k.user_id', '=', query.user_id);
  if (query.state !== null) rows = rows.where(STATES[query.state]);
  if (query.before !== null) rows = rows.where('k.id', '<', query.before);
  return rows.orderBy('k.id', 'desc').limit(query.limit).execute();
}

export function findTeamToken(
  db: Db | Tx,
  team_id: number,
  public_id: string,
): Promise<OwnedToken | undefined> {
  return owned(db, team_id).where('k.public_id', '=', public_id).executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export function lockTeamToken(trx: Tx, team_id: number, public_id: string): Promise<OwnedToken | undefined> {
  return owned(trx, team_id).where('k.public_id', '=', public_id).forUpdate('k').executeTakeFirst();
}

export async function changeToken(
  trx: Tx,
  id: number,
  change: { name: string; default_version: string | null },
): Promise<void> {
  await trx.updateTable('api_tokens').set(change).where('id', '=', id).execute();
}

/** Records a use; the caller limits this to once a minute. */
export async function noteTokenUse(db: Db, id: number, ip: string): Promise<void> {
  await sql`update api_tokens set last_used_at = now(), last_used_ip = ${ip} where id = ${id}`.execute(db);
}

export interface TokenSummary {
  public_id: string;
  name: string;
  token_prefix: string;
  token_last4: string;
  email: string;
  slug: string;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Newest first, at most `limit`; only one user's when `email` is set. */
export async function listTokens(
  db: Db,
  query: { email: string | null; limit: number },
): Promise<TokenSummary[]> {
  const { rows } = await sql<TokenSummary>`
    select k.public_id, k.name, k.token_prefix, k.token_last4, u.email, t.slug, k.scopes, k.created_at, k.last_used_at, k.expires_at, k.revoked_at
    from api_tokens k join users u on u.id = k.user_id join teams t on t.id = k.team_id
    where ${query.email}::text is null or lower(u.email) = lower(${query.email})
    order by k.id desc limit ${query.limit}`.execute(db);
  return rows;
}
