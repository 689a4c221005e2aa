import { endSessions } from '../../../db/accounts/accountSessions';
import { countTokensOf, denyCommandLines, setUserState } from '../../../db/accounts/adminUsers';
import { needAnotherAdmin } from '../../core/platformAdmin';
import type { Handler } from '../../types';
import { actOnUser, needState, notSelf } from './userAction';

/**
 * Takes effect with the next request; open streams are cut when the transaction commits. Tokens are refused
 * because of the user's state rather than revoked, so they work again once the suspension is lifted.
 */
export const suspendAdminUser: Handler<'suspendAdminUser'> = ({ path, body, ctx }) =>
  actOnUser(ctx, path.id, body.reason, async ({ trx }, user) => {
    needState(user, 'active', 'suspended');
    await needAnotherAdmin(trx, user);
    notSelf(ctx, user, 'suspend');
    await setUserState(trx, user.id, 'suspended');
    const sessions = await endSessions(trx, user.id);
    await denyCommandLines(trx, user.id);
    return {
      action: 'user.suspend',
      before: { state: 'active' },
      after: { state: 'suspended', sessions, tokens: await countTokensOf(trx, user.id) },
    };
  });
