import { findPendingSignIn, PENDING_ATTEMPTS } from '../../../db/accounts/pendingSignIns';
import type { UserRow } from '../../../db/accounts/usersTable';
import type { PendingSignInRow } from '../../../db/accounts/pendingSignInsTable';
import { findUser } from '../../../db/accounts/users';
import { Problem } from '../../../domain/core/problem';
import { pendingTokenHash } from '../../core/signIn';
import type { Context } from '../../types';

/**
 * Returns this browser's pending sign-in and its user. Throws SIGN_IN_EXPIRED if there is none: expired, too
 * many attempts, or started with a password that has since changed.
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
  new Problem('SIGN_IN_EXPIRED', { message: 'Too many wrong codes. Sign in again.' });
