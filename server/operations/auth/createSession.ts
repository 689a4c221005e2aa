import { lockUser } from '../../db/accounts';
import { rehashPassword } from '../../db/signIn';
import { findUserByEmail } from '../../db/users';
import { unknownAccount } from '../../domain/guessing';
import { hashPassword, needsRehash, verifyPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { normalEmail } from '../../domain/username';
import { countAttemptAt } from '../shared/guessing';
import { sessionView } from '../shared/session';
import { completeSignIn } from '../shared/signIn';
import type { Handler } from '../types';

/** By password. For an address without account the same is counted and the same work done: nobody can tell. */
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
    // Held, so that who changes the password ends this session too; one that was changed meanwhile lets nobody in.
    const held = await lockUser(trx, usable.id);
    if (held?.password_changed_at?.getTime() !== usable.password_changed_at?.getTime())
      throw new Problem('INVALID_CREDENTIALS');
    if (stronger !== null) await rehashPassword(trx, usable.id, { from: stored, to: stronger });
    const result = await completeSignIn(ctx, trx, { user_id: usable.id, method: 'password' });
    await audit({
      action: result.status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
      target_kind: 'user',
      target_id: usable.public_id,
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
