import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { PendingSignInRow } from './pendingSignInsTable';

/** Codes a sign-in may try before it must start over. */
export const PENDING_ATTEMPTS = 5;

export interface NewPendingSignIn {
  user_id: number;
  token_hash: Buffer;
  auth_method: 'password' | 'sso' | 'staff_sso' | 'break_glass';
  sso_connection_id: number | null;
  seconds: number;
  /** The pending sign-in of the same browser that this one replaces. */
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

/** Returns an unexpired sign-in; the caller checks whether attempts are left. */
export function findPendingSignIn(db: Db | Tx, token_hash: Buffer): Promise<PendingSignInRow | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Counts an attempt before it is checked; returns false when none are left. */
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

/** Returns whether the row existed: of two requests that finish the same sign-in, one succeeds. */
export async function deletePendingSignIn(db: Db | Tx, token_hash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', token_hash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
