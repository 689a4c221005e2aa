import { deletePendingSignIn } from '../../db/pendingSignIns';
import { pendingCookie } from '../../domain/sessionCookie';
import { pendingTokenHash } from '../shared/signIn';
import type { Handler } from '../types';

/** Nobody was signed in and nobody is signed out, so there is nothing to audit. */
export const cancelPendingSignIn: Handler<'cancelPendingSignIn'> = async ({ ctx }) => {
  const hash = pendingTokenHash(ctx);
  if (hash) await deletePendingSignIn(ctx.db, hash);
  return { status: 204, headers: { 'Set-Cookie': pendingCookie(ctx.config.publicUrl, null) } };
};
