import { findMailLink, linkHash, takeMailLink } from '../../../db/accounts/mailLinks';
import { takeOverUnverified } from '../../../db/teams/ssoMembers';
import { findUser, setPassword, setPlatformRole } from '../../../db/accounts/users';
import { hashPassword } from '../../../domain/accounts/password';
import { Problem } from '../../../domain/core/problem';
import { countingLinks } from '../../core/guessing';
import { acceptable } from '../../core/password';
import { originOf } from '../../core/origin';
import { knownDeviceCookie } from '../../core/signIn';
import type { Handler } from '../../types';

/**
 * Sets a password with an emailed link. Ends every session and opens none, so access to the mailbox alone
 * doesn't bypass the second factor.
 */
export const resetPassword: Handler<'resetPassword'> = countingLinks(async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  // Checked before the expensive hash and used up after it: wrong tokens are cheap, and a rejected password
  // uses up no link.
  const seen = token_hash && (await findMailLink(ctx.db, token_hash, 'reset_password'));
  if (!seen) throw new Problem('LINK_INVALID');
  await acceptable('password', body.password, seen.email);
  const password_hash = await hashPassword(body.password);
  const cookie = await ctx.write(async ({ trx, audit }) => {
    const link = await takeMailLink(trx, token_hash, ['reset_password']);
    const user = link && (await findUser(trx, link.user_id));
    if (!link || user?.state !== 'active' || user.email !== link.email) throw new Problem('LINK_INVALID');
    // The address was never verified. The registrant keeps no access: no factor and no token.
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
    // The link proves access to the mailbox, so this browser isn't delayed by strangers guessing at the
    // account.
    return knownDeviceCookie(ctx, user);
  });
  return { status: 204, headers: { 'Set-Cookie': cookie } };
});
