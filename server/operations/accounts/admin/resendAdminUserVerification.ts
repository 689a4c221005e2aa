import { createMailLink } from '../../../db/accounts/mailLinks';
import { Problem } from '../../../domain/core/problem';
import { mayMail } from '../../core/mailLimit';
import type { Handler } from '../../types';
import { actOnUser, needState } from './userAction';

export const resendAdminUserVerification: Handler<'resendAdminUserVerification'> = ({ path, ctx }) =>
  actOnUser(ctx, path.id, null, async ({ trx }, user) => {
    const { id: user_id, email } = user;
    needState(user, 'active', 'sent a new link');
    if (user.email_verified_at !== null)
      throw new Problem('CONFLICT', { message: `${user.username} has already confirmed the address.` });
    if (!(await mayMail(trx, 'verify', email)))
      throw new Problem('CONFLICT', {
        message: 'This address has reached its hourly mail limit.',
        suggestions: ['Wait an hour, then try again.'],
      });
    const data = await createMailLink(trx, { purpose: 'verify_email', user_id, email });
    await ctx.mail.enqueue(trx, { to: email, template: 'verify_email', data, user_id });
    return { action: 'user.resend_verification' };
  });
