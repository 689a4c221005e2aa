import { lockUser } from '../../db/accounts/accounts';
import { putEmailChange } from '../../db/accounts/emailChanges';
import { createMailLink, dropMailLinks, LINK_SECONDS } from '../../db/accounts/mailLinks';
import { Problem } from '../../domain/core/problem';
import { normalEmail } from '../../domain/accounts/username';
import { emailChangeOut } from '../../domain/accounts/accountResponse';
import { userOf } from '../core/caller';
import { invalidField } from '../core/invalid';
import { mayMail } from '../core/mailLimit';
import { originOf } from '../core/origin';
import type { Handler } from '../types';

/**
 * Sends a confirmation to both mailboxes. Whether another account has the new address is checked only after
 * both have confirmed, so a request reveals nothing. A current address that was never verified has nothing
 * to approve.
 */
export const requestEmailChange: Handler<'requestEmailChange'> = async ({ body, ctx }) => {
  const { id: user_id, public_id, email: present } = userOf(ctx);
  const email = normalEmail(body.email);
  if (email === present) throw invalidField('email', 'This is already your address.');
  const change = await ctx.write(async ({ trx, audit }) => {
    // Locked: the second of two concurrent requests drops the first one's links, and the current address can't
    // be verified in the meantime.
    const user = await lockUser(trx, user_id);
    if (user?.state !== 'active') throw new Problem('UNAUTHENTICATED');
    const { email: old_email, email_verified_at } = user;
    await dropMailLinks(trx, user_id, ['email_change_old', 'email_change_new']);
    const expires_at = new Date(Date.now() + LINK_SECONDS.email_change_new * 1000);
    const old_confirmed_at = email_verified_at === null ? new Date() : null;
    const row = await putEmailChange(trx, { user_id, email, old_confirmed_at, expires_at });
    if (old_confirmed_at === null && (await mayMail(trx, 'email_change', old_email))) {
      const link = await createMailLink(trx, { purpose: 'email_change_old', user_id, email: old_email });
      const data = { ...originOf(ctx), ...link, new_email: email };
      await ctx.mail.enqueue(trx, { to: old_email, template: 'email_change_confirm_old', data, user_id });
    }
    if (await mayMail(trx, 'email_change', email)) {
      const link = await createMailLink(trx, { purpose: 'email_change_new', user_id, email });
      const data = { ...link, old_email };
      await ctx.mail.enqueue(trx, { to: email, template: 'email_change_confirm_new', data, user_id });
    }
    await audit({
      action: 'user.email_change_request',
      target_kind: 'user',
      target_id: public_id,
      team_id: null,
      before: { email: old_email },
      after: { email },
    });
    return row;
  });
  return { status: 202, body: emailChangeOut(change) };
};
