import { renewSession } from '../../db/accounts/accountSessions';
import { findUser, setPassword } from '../../db/accounts/users';
import { hashPassword, verifyPassword } from '../../domain/accounts/password';
import { Problem } from '../../domain/core/problem';
import { SESSION_SECONDS, sessionCookie } from '../../domain/accounts/sessionCookie';
import { hashToken, newToken } from '../../domain/teams/token';
import { userOf } from '../core/caller';
import { countAttemptAt } from '../core/guessing';
import { originOf } from '../core/origin';
import { acceptable } from '../core/password';
import type { Handler } from '../types';

/**
 * Ends every other session and replaces this session's token, which locks out anyone who knew the old
 * password or copied the token.
 */
export const changePassword: Handler<'changePassword'> = async ({ body, ctx }) => {
  const { id, public_id } = userOf(ctx);
  const user = await findUser(ctx.db, id);
  const session = ctx.caller.session;
  if (!user || !session) throw new Problem('UNAUTHENTICATED');
  const was = user.password_hash;
  if (was !== null) {
    // An open session allows no more password guesses than the sign-in page.
    const attempt = await countAttemptAt(ctx, 'password', public_id);
    if (!(await verifyPassword(was, body.current_password ?? '')))
      throw new Problem('INVALID_CREDENTIALS', { message: 'Current password is wrong.' });
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
