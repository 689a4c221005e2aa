import { lockUser } from '../../../db/accounts/accounts';
import { rehashPassword } from '../../../db/accounts/signIn';
import { findUserByEmail } from '../../../db/accounts/users';
import { unknownAccount } from '../../../domain/accounts/guessLimits';
import { hashPassword, needsRehash, verifyPassword } from '../../../domain/accounts/password';
import { Problem } from '../../../domain/core/problem';
import { normalEmail } from '../../../domain/accounts/username';
import { countAttemptAt } from '../../core/guessing';
import { sessionView } from '../../core/session';
import { completeSignIn } from '../../core/signIn';
import type { Handler } from '../../types';

/**
 * Signs in by password. An address without an account is counted the same and costs the same work, so that
 * callers can't distinguish the two.
 */
export const createSession: Handler<'createSession'> = async ({ body, ctx }) => {
  const email = normalEmail(body.email);
  const user = await findUserByEmail(ctx.db, email);
  const attempt = await countAttemptAt(ctx, 'password', user?.public_id ?? unknownAccount(email));
  const usable = user?.state === 'active' ? user : null;
  if (!(await verifyPassword(usable?.password_hash ?? null, body.password)) || !usable)
    throw new Problem('INVALID_CREDENTIALS');
  await attempt.right();
  const stored = usable.password_hash ?? '';
  const stronger = needsRehash(stored) ? await hashPassword(body.password) : null;
  const signed = await ctx.write(async ({ trx, audit }) => {
    // Locked, so that a password change also ends this session; after a concurrent change the old password
    // is refused.
    const held = await lockUser(trx, usable.id);
    if (held?.password_changed_at?.getTime() !== usable.password_changed_at?.getTime())
      throw new Problem('INVALID_CREDENTIALS');
    if (stronger !== null) await rehashPassword(trx, usable.id, { from: stored, to: stronger });
    const result = await completeSignIn(ctx, trx, { user_id: usable.id, method: 'password' });
    await audit({
      action: result.status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
      target_kind: 'user',
      target_id: usable.public_id,
      actor_kind: 'user',
      actor_user_id: usable.id,
      team_id: null,
      after: { method: 'password' },
    });
    return result;
  });
  const headers = { 'Set-Cookie': signed.cookies };
  if (signed.status === 'second_factor') return { status: 202, body: signed.pending, headers };
  return { status: 201, body: await sessionView(ctx, usable, { session: signed.session }), headers };
};
