import type { PendingSignIn } from '../../../generated/api/types.gen';
import type { Tx } from '../../db/core/client';
import { createPendingSignIn } from '../../db/accounts/pendingSignIns';
import type { UserRow } from '../../db/accounts/usersTable';
import { teamOfConnection } from '../../db/teams/sso';
import { findUser } from '../../db/accounts/users';
import { deviceCookieName, rememberDevice } from '../../domain/accounts/knownDevice';
import { Problem } from '../../domain/core/problem';
import {
  PENDING_SIGN_IN_SECONDS,
  pendingCookie,
  pendingCookieName,
} from '../../domain/accounts/sessionCookie';
import { hashToken, isWellFormedToken, newToken } from '../../domain/teams/token';
import type { Context } from '../types';
import { originOf } from './origin';
import { pendingView } from './pendingSignIn';
import { startSession, type TeamEntrySession } from './session';

export interface SignIn {
  /** The user who proved their identity by `method`. */
  user_id: number;
  method: 'password' | 'passkey' | 'sso' | 'staff_sso' | 'break_glass';
  sso_connection_id?: number | null;
}

/** `cookies`: Set-Cookie values of the reply. */
export type SignedIn =
  | { status: 'signed_in'; cookies: string[]; session: TeamEntrySession }
  /** The user isn't signed in yet: the cookie names a pending sign-in. */
  | { status: 'second_factor'; cookies: string[]; pending: PendingSignIn };

/**
 * Decides what a proof of identity grants, the same for every sign-in method: a session, or a pending
 * sign-in if the user has a second factor. A passkey that verified its user counts as both factors. Throws
 * INVALID_CREDENTIALS for an account that isn't active.
 */
export async function completeSignIn(ctx: Context, trx: Tx, signIn: SignIn): Promise<SignedIn> {
  const user = await findUser(trx, signIn.user_id);
  if (user?.state !== 'active') throw new Problem('INVALID_CREDENTIALS');
  const { method, sso_connection_id = null } = signIn;
  if (method === 'passkey' || user.second_factor_at === null)
    return finishSignIn(ctx, trx, user, { method, sso_connection_id, second_factor: method === 'passkey' });
  const token = newToken('psi');
  const row = await createPendingSignIn(trx, {
    user_id: user.id,
    token_hash: hashToken(token),
    auth_method: method,
    sso_connection_id,
    seconds: PENDING_SIGN_IN_SECONDS,
    replaces: pendingTokenHash(ctx),
  });
  return {
    status: 'second_factor',
    cookies: [pendingCookie(ctx.config.publicUrl, token)],
    pending: await pendingView(trx, row),
  };
}

/** Opens the session of a user who has passed every check. */
export async function finishSignIn(
  ctx: Context,
  trx: Tx,
  user: UserRow,
  {
    method,
    sso_connection_id,
    second_factor,
  }: { method: SignIn['method']; sso_connection_id: number | null; second_factor: boolean },
): Promise<SignedIn & { status: 'signed_in' }> {
  const { publicUrl } = ctx.config;
  const { cookie, new_device } = await startSession(ctx, trx, user.id, {
    auth_method: method,
    second_factor,
    sso_connection_id,
  });
  if (new_device)
    await ctx.mail.enqueue(trx, {
      to: user.email,
      template: 'new_sign_in',
      data: { ...originOf(ctx), method },
      user_id: user.id,
    });
  const cookies = [cookie, knownDeviceCookie(ctx, user)];
  // Ends any pending sign-in of this browser, no matter which user it was for.
  if (ctx.cookie(pendingCookieName(publicUrl)) !== null) cookies.push(pendingCookie(publicUrl, null));
  const session = {
    auth_method: method,
    second_factor_at: second_factor ? new Date() : null,
    sso_connection_id,
    sso_team_id: sso_connection_id === null ? null : await teamOfConnection(trx, sso_connection_id),
  };
  return { status: 'signed_in', cookies, session };
}

/** Returns the token hash from the pending sign-in cookie; null without one. */
export function pendingTokenHash(ctx: Context): Buffer | null {
  const token = ctx.cookie(pendingCookieName(ctx.config.publicUrl));
  return token !== null && isWellFormedToken(token) ? hashToken(token) : null;
}

/**
 * Returns a Set-Cookie value that marks the browser as this user's, so that its attempts are counted
 * separately from those of strangers who guess at the account.
 */
export function knownDeviceCookie(ctx: Context, { public_id }: Pick<UserRow, 'public_id'>): string {
  const { publicUrl } = ctx.config;
  return rememberDevice(ctx.seal, publicUrl, ctx.cookie(deviceCookieName(publicUrl)), public_id);
}
