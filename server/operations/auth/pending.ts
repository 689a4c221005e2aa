import { findPendingSignIn, PENDING_ATTEMPTS } from '../../db/pendingSignIns';
import type { UserRow } from '../../db/schema';
import type { PendingSignInRow } from '../../db/schemaPeople';
import { findUser } from '../../db/users';
import { Problem } from '../../domain/problem';
import { pendingTokenHash } from '../shared/signIn';
import type { Context } from '../types';

/**
 * The sign-in of this browser that waits for a second factor, and its person. Throws SIGN_IN_EXPIRED when there is
 * none: too old, tried too often, or begun with a password that is not the person's any more.
 */
export async function pendingOf(ctx: Context): Promise<{ pending: PendingSignInRow; user: UserRow }> {
  const hash = pendingTokenHash(ctx);
  const pending = hash && (await findPendingSignIn(ctx.db, hash));
  if (!pending) throw new Problem('SIGN_IN_EXPIRED');
  if (pending.attempts >= PENDING_ATTEMPTS) throw usedUp();
  const user = await findUser(ctx.db, pending.user_id);
  if (user?.state !== 'active') throw new Problem('SIGN_IN_EXPIRED');
  const { password_changed_at } = user;
  if (pending.auth_method === 'password' && password_changed_at && password_changed_at > pending.created_at)
    throw new Problem('SIGN_IN_EXPIRED');
  return { pending, user };
}

export const usedUp = () =>
  new Problem('SIGN_IN_EXPIRED', { message: 'Too many wrong codes. Sign in again from the beginning.' });
