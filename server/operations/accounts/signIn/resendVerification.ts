import { createMailLink } from '../../../db/accounts/mailLinks';
import { userOf } from '../../core/caller';
import { mayMail } from '../../core/mailLimit';
import type { Handler } from '../../types';

/** Gives the same answer if the address is already confirmed or has reached its hourly mail limit. */
export const resendVerification: Handler<'resendVerification'> = async ({ ctx }) => {
  const { id: user_id, public_id, email, email_verified_at } = userOf(ctx);
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
