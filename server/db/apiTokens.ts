import { sql, type Selectable } from 'kysely';
import { publicId } from '../domain/publicId';
import { hashToken, newToken, tokenPrefix, type TokenType } from '../domain/token';
import type { Db, Tx } from './client';
import type { ApiTokensTable } from './schema';

export type ApiTokenRow = Selectable<ApiTokensTable>;

export interface NewApiToken {
  type: Extract<TokenType, 'api' | 'cli'>;
  user_id: number;
  team_id: number;
  name: string;
  scopes: string[];
  /** How long it lives; null without end. */
  seconds: number | null;
}

/** The token itself exists only in the return value: it is stored hashed. */
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
      expires_at: seconds === null ? null : new Date(Date.now() + seconds * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { token, token_row };
}

/** By public id or by the hash of the token; undefined when there is none that still counts. */
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

export interface TokenSummary {
  public_id: string;
  name: string;
  token_prefix: string;
  email: string;
  slug: string;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Newest first, at most `limit`; of one person when `email` is given. */
export async function listTokens(
  db: Db,
  query: { email: string | null; limit: number },
): Promise<TokenSummary[]> {
  const { rows } = await sql<TokenSummary>`
    select k.public_id, k.name, k.token_prefix, u.email, t.slug, k.scopes, k.created_at, k.last_used_at, k.expires_at, k.revoked_at
    from api_tokens k join users u on u.id = k.user_id join teams t on t.id = k.team_id
    where ${query.email}::text is null or lower(u.email) = lower(${query.email})
    order by k.id desc limit ${query.limit}`.execute(db);
  return rows;
}
