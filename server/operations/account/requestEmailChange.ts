import { lockUser } from '../../db/accounts';
import { putEmailChange } from '../../db/emailChanges';
import { createMailLink, dropMailLinks, LINK_SECONDS } from '../../db/mailLinks';
import { Problem } from '../../domain/problem';
import { normalEmail } from '../../domain/username';
import { emailChangeOut } from '../../domain/wire/account';
import { personOf } from '../shared/caller';
import { mayMail } from '../shared/mailLimit';
import { originOf } from '../shared/origin';
import type { Handler } from '../types';

/**
 * Asks both mailboxes. Whether another account has the new address is looked at when both have confirmed, so asking
 * tells nothing. An address that was never shown to be the person's has nothing to approve.
 */
export const requestEmailChange: Handler<'requestEmailChange'> = async ({ body, ctx }) => {
  const { id: user_id, public_id, email: present } = personOf(ctx);
  const email = normalEmail(body.email);
  if (email === present) {
    const message = 'This is your address already.';
    throw new Problem('VALIDATION_FAILED', {
      message: `email: ${message}`,
      details: [{ field: 'email', message }],
    });
  }
  const change = await ctx.write(async ({ trx, audit }) => {
    // Held: of two requests at once the second drops the links of the first, and whether the present address is shown
    // to be theirs does not change meanwhile.
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
