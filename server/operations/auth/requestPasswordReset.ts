import { createMailLink } from '../../db/mailLinks';
import { findUserByEmail } from '../../db/users';
import { normalEmail } from '../../domain/username';
import { answerNotBefore } from '../shared/floor';
import { mayMail } from '../shared/mailLimit';
import { originOf } from '../shared/origin';
import type { Handler } from '../types';

/** One answer for everybody, at one time: whether there is an account is only in the mail. */
export const requestPasswordReset: Handler<'requestPasswordReset'> = ({ body, ctx }) =>
  answerNotBefore(() =>
    ctx.write(async ({ trx, audit }) => {
      const email = normalEmail(body.email);
      const found = await findUserByEmail(trx, email);
      const user = found?.state === 'active' ? found : null;
      const about = user && { actor_user_id: user.id, target_kind: 'user', target_id: user.public_id };
      await audit({ ...about, action: 'user.reset_request', team_id: null });
      // Counted for unknown addresses too: the same work.
      if ((await mayMail(trx, 'reset', email)) && user) {
        const link = await createMailLink(trx, { purpose: 'reset_password', user_id: user.id, email });
        const data = { ...link, ...originOf(ctx) };
        await ctx.mail.enqueue(trx, { to: email, template: 'reset_password', data, user_id: user.id });
      }
      return { status: 202 } as const;
    }),
  );
