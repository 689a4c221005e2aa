import { renewSession } from '../../db/accountSessions';
import { findUser, setPassword } from '../../db/users';
import { hashPassword, verifyPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { SESSION_SECONDS, sessionCookie } from '../../domain/sessionCookie';
import { hashToken, newToken } from '../../domain/token';
import { personOf } from '../shared/caller';
import { countAttemptAt } from '../shared/guessing';
import { originOf } from '../shared/origin';
import { acceptable } from '../shared/password';
import type { Handler } from '../types';

/** Ends every other session, and gives this one another token: whoever knew the old password or has a copy is out. */
export const changePassword: Handler<'changePassword'> = async ({ body, ctx }) => {
  const { id, public_id } = personOf(ctx);
  const user = await findUser(ctx.db, id);
  const session = ctx.caller.session;
  if (!user || !session) throw new Problem('UNAUTHENTICATED');
  const was = user.password_hash;
  if (was !== null) {
    // Who sits at somebody's open screen gets no more guesses than at the door.
    const attempt = await countAttemptAt(ctx, 'password', public_id);
    if (!(await verifyPassword(was, body.current_password ?? '')))
      throw new Problem('INVALID_CREDENTIALS', { message: 'The present password is wrong.' });
    await attempt.right();
  }
  await acceptable('new_password', body.new_password, user.email);
  const password_hash = await hashPassword(body.new_password);
  const token = newToken('ses');
  await ctx.write(async ({ trx, audit }) => {
    const sessions_ended = await setPassword(trx, id, password_hash, { keep_session: session.id });
    await renewSession(trx, session.id, { token_hash: hashToken(token), seconds: SESSION_SECONDS });
    await audit({
      action: was === null ? 'user.set_password' : 'user.change_password',
      target_kind: 'user',
      target_id: public_id,
      team_id: null,
      after: { sessions_ended },
    });
    const data = originOf(ctx);
    await ctx.mail.enqueue(trx, { to: user.email, template: 'password_changed', data, user_id: id });
  });
  return { status: 204, headers: { 'Set-Cookie': sessionCookie(ctx.config.publicUrl, token) } };
};
