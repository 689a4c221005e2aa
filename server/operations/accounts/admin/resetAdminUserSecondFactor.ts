import { endSessions } from '../../../db/accounts/accountSessions';
import { removeSecondFactors } from '../../../db/accounts/adminUsers';
import { clearSecondFactor, countFactors } from '../../../db/accounts/secondFactors';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { actOnUser, notSelf } from './userAction';

/** For users who lost every factor. Also ends their sessions, since an intruder may be signed in. */
export const resetAdminUserSecondFactor: Handler<'resetAdminUserSecondFactor'> = ({ path, body, ctx }) =>
  actOnUser(ctx, path.id, body.reason, async ({ trx }, user) => {
    notSelf(ctx, user, 'reset the second factor of');
    if (user.second_factor_at === null)
      throw new Problem('CONFLICT', { message: `${user.username} has no second factor.` });
    const { totp, passkeys, recovery_codes } = await countFactors(trx, user.id);
    await removeSecondFactors(trx, user.id);
    await clearSecondFactor(trx, user.id);
    const sessions = await endSessions(trx, user.id);
    await ctx.mail.enqueue(trx, {
      to: user.email,
      template: 'second_factor_reset',
      data: { sessions },
      user_id: user.id,
    });
    return {
      action: 'user.reset_second_factor',
      before: { totp, passkeys, recovery_codes },
      after: { sessions },
    };
  });
