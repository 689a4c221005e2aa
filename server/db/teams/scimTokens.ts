import { hashToken, newToken, tokenHint, tokenPrefix } from '../../domain/teams/token';
import type { Db, Tx } from '../core/client';
import type { SsoConnectionRow } from './ssoConnectionsTable';

/** The token with which a team's identity provider sends SCIM requests. */

interface ScimToken {
  hint: string;
  created_by: string | null;
  created_at: Date;
  last_used_at: Date | null;
}

export async function findScimToken(db: Db | Tx, connection_id: number): Promise<ScimToken | null> {
  const row = await db
    .selectFrom('scim_tokens as t')
    .leftJoin('users as u', 'u.id', 't.created_by')
    .select(['t.token_prefix', 't.token_last4', 't.created_at', 't.last_used_at', 'u.username'])
    .where('t.connection_id', '=', connection_id)
    .executeTakeFirst();
  if (!row) return null;
  const { username, created_at, last_used_at } = row;
  return { hint: tokenHint(row), created_by: username, created_at, last_used_at };
}

/** Replaces the connection's token, and returns it: only its hash is stored. */
export async function replaceScimToken(
  trx: Tx,
  { connection_id, created_by }: { connection_id: number; created_by: number },
): Promise<string> {
  const token = newToken('scim');
  const current = {
    token_hash: hashToken(token),
    token_prefix: tokenPrefix(token),
    token_last4: token.slice(-4),
    created_by,
    created_at: new Date(),
    last_used_at: null,
  };
  await trx
    .insertInto('scim_tokens')
    .values({ connection_id, ...current })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(current))
    .execute();
  return token;
}

export async function revokeScimToken(trx: Tx, connection_id: number): Promise<void> {
  await trx.deleteFrom('scim_tokens').where('connection_id', '=', connection_id).execute();
}

/** A connection whose provider sends a request. */
export interface ScimConnection extends SsoConnectionRow {
  token_hash: Buffer;
}

export function connectionOfScimToken(db: Db, token_hash: Buffer): Promise<ScimConnection | undefined> {
  return db
    .selectFrom('scim_tokens as s')
    .innerJoin('sso_connections as c', 'c.id', 's.connection_id')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .selectAll('c')
    .select('s.token_hash')
    .where('s.token_hash', '=', token_hash)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Whether the token is still the connection's. Lock the connection first, as replacing or revoking the token
 * does.
 */
export async function isCurrentScimToken(
  trx: Tx,
  { id, token_hash }: Pick<ScimConnection, 'id' | 'token_hash'>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('scim_tokens')
    .select('connection_id')
    .where('connection_id', '=', id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a use, at most once per minute. */
export async function noteScimUse(db: Db, connection_id: number): Promise<void> {
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: new Date() })
    .where('connection_id', '=', connection_id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(Date.now() - 60_000))]),
    )
    .execute();
}
