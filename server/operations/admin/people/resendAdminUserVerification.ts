import { createMailLink } from '../../../db/mailLinks';
import { Problem } from '../../../domain/problem';
import { mayMail } from '../../shared/mailLimit';
import type { Handler } from '../../types';
import { actOnPerson, needState } from './person';

export const resendAdminUserVerification: Handler<'resendAdminUserVerification'> = ({ path, ctx }) =>
  actOnPerson(ctx, path.id, null, async ({ trx }, person) => {
    const { id: user_id, email } = person;
    needState(person, 'active', 'written to');
    if (person.email_verified_at !== null)
      throw new Problem('CONFLICT', { message: `${person.username} has confirmed the address already.` });
    if (!(await mayMail(trx, 'verify', email)))
      throw new Problem('CONFLICT', {
        message: 'This address has had its mails of this hour.',
        suggestions: ['Wait an hour, then send it again.'],
      });
    const data = await createMailLink(trx, { purpose: 'verify_email', user_id, email });
    await ctx.mail.enqueue(trx, { to: email, template: 'verify_email', data, user_id });
    return { action: 'user.resend_verification' };
  });
