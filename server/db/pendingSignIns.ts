import { sql } from 'kysely';
import type { Db, Tx } from './client';
import type { PendingSignInRow } from './schemaPeople';

/** Codes a sign-in may try before it must begin anew. */
export const PENDING_ATTEMPTS = 5;

export interface NewPendingSignIn {
  user_id: number;
  token_hash: Buffer;
  auth_method: 'password' | 'sso';
  sso_connection_id: number | null;
  seconds: number;
  /** The waiting sign-in of the same browser that this one takes the place of. */
  replaces: Buffer | null;
}

export async function createPendingSignIn(trx: Tx, pending: NewPendingSignIn): Promise<PendingSignInRow> {
  const { replaces, seconds, ...values } = pending;
  if (replaces) await deletePendingSignIn(trx, replaces);
  return trx
    .insertInto('pending_sign_ins')
    .values({ ...values, expires_at: new Date(Date.now() + seconds * 1000) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** One that is still alive; whether it has attempts left is the caller's question. */
export function findPendingSignIn(db: Db | Tx, token_hash: Buffer): Promise<PendingSignInRow | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Counts an attempt before it is judged; false when there are none left. */
export async function countPendingAttempt(db: Db, id: number): Promise<boolean> {
  const row = await db
    .updateTable('pending_sign_ins')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', PENDING_ATTEMPTS)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there was one: of two that finish the same sign-in, one does. */
export async function deletePendingSignIn(db: Db | Tx, token_hash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', token_hash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
