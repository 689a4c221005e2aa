import { deletePendingSignIn } from '../../../db/accounts/pendingSignIns';
import { pendingCookie } from '../../../domain/accounts/sessionCookie';
import { pendingTokenHash } from '../../core/signIn';
import type { Handler } from '../../types';

/** No session starts or ends, so there is nothing to audit. */
export const cancelPendingSignIn: Handler<'cancelPendingSignIn'> = async ({ ctx }) => {
  const hash = pendingTokenHash(ctx);
  if (hash) await deletePendingSignIn(ctx.db, hash);
  return { status: 204, headers: { 'Set-Cookie': pendingCookie(ctx.config.publicUrl, null) } };
};
