import { createMailLink } from '../../../db/accounts/mailLinks';
import { findUserByEmail } from '../../../db/accounts/users';
import { normalEmail } from '../../../domain/accounts/username';
import { answerNotBefore } from '../../core/minimumDuration';
import { mayMail } from '../../core/mailLimit';
import { originOf } from '../../core/origin';
import type { Handler } from '../../types';

/**
 * Gives every caller the same answer after the same time: only the mail reveals whether an account exists.
 */
export const requestPasswordReset: Handler<'requestPasswordReset'> = ({ body, ctx }) =>
  answerNotBefore(() =>
    ctx.write(async ({ trx, audit }) => {
      const email = normalEmail(body.email);
      const found = await findUserByEmail(trx, email);
      const user = found?.state === 'active' ? found : null;
      const about = user && { actor_user_id: user.id, target_kind: 'user', target_id: user.public_id };
      await audit({ ...about, action: 'user.reset_request', team_id: null });
      // Counted for unknown addresses too, so that the work is the same.
      if ((await mayMail(trx, 'reset', email)) && user) {
        const link = await createMailLink(trx, { purpose: 'reset_password', user_id: user.id, email });
        const data = { ...link, ...originOf(ctx) };
        await ctx.mail.enqueue(trx, { to: email, template: 'reset_password', data, user_id: user.id });
      }
      return { status: 202 } as const;
    }),
  );
