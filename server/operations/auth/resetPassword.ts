import { findMailLink, linkHash, takeMailLink } from '../../db/mailLinks';
import { takeOverUnverified } from '../../db/ssoMembers';
import { findUser, setPassword, setPlatformRole } from '../../db/users';
import { hashPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { acceptable } from '../shared/password';
import { originOf } from '../shared/origin';
import { knownDeviceCookie } from '../shared/signIn';
import type { Handler } from '../types';

/**
 * Sets a password with a mailed link. Every session ends and nobody is signed in by it, so a second factor stays one:
 * who has the mailbox still needs it.
 */
export const resetPassword: Handler<'resetPassword'> = async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  // Looked at before the costly hash, taken after it: wrong tokens are cheap, and a refused password uses up no link.
  const seen = token_hash && (await findMailLink(ctx.db, token_hash, 'reset_password'));
  if (!seen) throw new Problem('LINK_INVALID');
  await acceptable('password', body.password, seen.email);
  const password_hash = await hashPassword(body.password);
  const cookie = await ctx.write(async ({ trx, audit }) => {
    const link = await takeMailLink(trx, token_hash, ['reset_password']);
    const user = link && (await findUser(trx, link.user_id));
    if (!link || user?.state !== 'active' || user.email !== link.email) throw new Problem('LINK_INVALID');
    // Nobody had shown before that the address is theirs. Whoever registered with it keeps no way in: no factor, no token.
    const taken_over = user.email_verified_at === null;
    if (taken_over) await takeOverUnverified(trx, user.id);
    if (taken_over && user.email === ctx.config.adminEmail) await setPlatformRole(trx, user.id, 'admin');
    const sessions_ended = await setPassword(trx, user.id, password_hash);
    await audit({
      action: 'user.reset_password',
      target_kind: 'user',
      target_id: user.public_id,
      actor_user_id: user.id,
      team_id: null,
      after: { sessions_ended, verified: taken_over },
    });
    const data = originOf(ctx);
    await ctx.mail.enqueue(trx, { to: user.email, template: 'password_changed', data, user_id: user.id });
    // The mailbox is theirs: this browser need not wait behind strangers who guess at the account.
    return knownDeviceCookie(ctx, user);
  });
  return { status: 204, headers: { 'Set-Cookie': cookie } };
};
