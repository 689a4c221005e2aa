import { createMailLink } from '../../db/mailLinks';
import { personOf } from '../shared/caller';
import { mayMail } from '../shared/mailLimit';
import type { Handler } from '../types';

/** The same answer whether the address is confirmed already, or has had its mails of this hour. */
export const resendVerification: Handler<'resendVerification'> = async ({ ctx }) => {
  const { id: user_id, public_id, email, email_verified_at } = personOf(ctx);
  if (email_verified_at === null)
    await ctx.write(async ({ trx, audit }) => {
      await audit({
        action: 'user.resend_verification',
        target_kind: 'user',
        target_id: public_id,
        team_id: null,
      });
      if (!(await mayMail(trx, 'verify', email))) return;
      const data = await createMailLink(trx, { purpose: 'verify_email', user_id, email });
      await ctx.mail.enqueue(trx, { to: email, template: 'verify_email', data, user_id });
    });
  return { status: 202 };
};
