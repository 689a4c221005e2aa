import { endSessions } from '../../../db/accountSessions';
import { removeSecondFactors } from '../../../db/adminUsers';
import { clearSecondFactor, countFactors } from '../../../db/secondFactors';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { actOnPerson, notOneself } from './person';

/** For who lost them all. Sessions end too: whoever is signed in may be the reason. */
export const resetAdminUserSecondFactor: Handler<'resetAdminUserSecondFactor'> = ({ path, body, ctx }) =>
  actOnPerson(ctx, path.id, body.reason, async ({ trx }, person) => {
    notOneself(ctx, person, 'reset the second factor of');
    if (person.second_factor_at === null)
      throw new Problem('CONFLICT', { message: `${person.username} has no second factor.` });
    const { totp, passkeys, recovery_codes } = await countFactors(trx, person.id);
    await removeSecondFactors(trx, person.id);
    await clearSecondFactor(trx, person.id);
    const sessions = await endSessions(trx, person.id);
    return {
      action: 'user.reset_second_factor',
      before: { totp, passkeys, recovery_codes },
      after: { sessions },
    };
  });
